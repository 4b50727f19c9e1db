"""How kernels are made into machine code: each is lowered once, and optimized once in every entry that links it.

Numba optimizes every function, makes machine code of it, links it into its callers and optimizes it there again. A kernel that
only kernels call needs neither the first nor the second: here it is kept as it was lowered (`LinkedKernel`), and what Python or
an address calls (`EntryKernel`, `entry_function`) is optimized once as a whole, with all that it calls. That takes two thirds
of the CPU time for code of the same speed (`benchmarks/compile_time.py`).

A kernel also has one signature where types differ in nothing that matters (`widened`): a literal or a short signed integer is
an int64, and an array inside a record is an array.
"""

from __future__ import annotations

import contextlib
import functools
import gc
import signal
import sys
import threading
from collections.abc import Callable, Iterator
from functools import partial
from types import FunctionType
from typing import Any

import numba
from llvmlite import binding
from numba.core import event
from numba.core.caching import CompileResultCacheImpl
from numba.core.ccallback import CFunc
from numba.core.codegen import JITCodeLibrary
from numba.core.compiler import CompilerBase, CompileResult, DefaultPassBuilder
from numba.core.compiler_machinery import register_pass
from numba.core.imputils import lower_cast
from numba.core.registry import CPUDispatcher
from numba.core.sigutils import normalize_signature
from numba.core.typed_passes import NativeLowering

from molehunt.core.kernel_files import KernelCache, cache_of
from molehunt.core.sharing import shared

types: Any = numba.types  # its stubs lack what is used here


# --- What a kernel is kept as -------------------------------------------------------------------------------------------


class _WithoutEngine:
    """Numba's code generator for code that is not loaded: there is no place yet to write environments to."""

    def __init__(self, codegen: Any) -> None:
        self._codegen = codegen

    def __getattr__(self, name: str) -> Any:
        return getattr(self._codegen, name)

    def set_env(self, _name: str, _env: Any) -> None:
        """Nothing: the entry that links the code does it."""


class _LinkedCode(JITCodeLibrary):  # type: ignore[misc]
    """Code as it was lowered, to be linked into callers; no machine code is made of it alone."""

    @property
    def codegen(self) -> Any:
        """The code generator that made it."""
        return _WithoutEngine(self._codegen)

    def _optimize_final_module(self) -> None:
        """The entry is optimized, with this in it."""

    def _finalize_final_module(self) -> None:
        self._finalize_dynamic_globals()
        self._verify_declare_only_symbols()
        self._finalized = True

    def get_pointer_to_function(self, _name: str) -> int:
        """No function has an address."""
        return 0

    def serialize_using_object_code(self) -> Any:
        """What is kept on disk: the code, without an object."""
        return self.name, "bitcode", self._get_module_for_linking().as_bitcode()

    @classmethod
    def rebuilt(cls, codegen: Any, state: Any) -> _LinkedCode:
        """The code from what was kept."""
        name, _, bitcode = state
        library = cls(codegen, name)
        library._final_module = library._shared_module = binding.parse_bitcode(bitcode)
        library._finalize_final_module()
        return library


class _EntryCode(JITCodeLibrary):  # type: ignore[misc]
    """Code that Python or an address calls, with all that it links."""

    def _optimize_final_module(self) -> None:
        # What is linked is as it was lowered; a light pass comes first, since by their raw size few functions are inlined.
        light, builder = self._codegen._module_pass_manager(  # noqa: SLF001 - as the method above does
            loop_vectorize=False, slp_vectorize=False, opt=1
        )
        light.run(self._final_module, builder)
        super()._optimize_final_module()


@register_pass(mutates_CFG=True, analysis_only=False)
class _LinkedLowering(NativeLowering):  # type: ignore[misc]
    """Numba's lowering, into code to be linked."""

    _name = "linked_lowering"

    def run_pass(self, state: Any) -> Any:
        """Lower one function."""
        state.library = _LinkedCode(state.targetctx.codegen(), state.func_id.func_qualname)
        return super().run_pass(state)


@register_pass(mutates_CFG=True, analysis_only=False)
class _EntryLowering(NativeLowering):  # type: ignore[misc]
    """Numba's lowering, into code to be called."""

    _name = "entry_lowering"

    def run_pass(self, state: Any) -> Any:
        """Lower one function."""
        state.library = _EntryCode(state.targetctx.codegen(), state.func_id.func_qualname)
        state.library.enable_object_caching()
        return super().run_pass(state)


class _Compiler(CompilerBase):  # type: ignore[misc]
    """Numba's pipeline with another lowering."""

    lowering: type[NativeLowering]

    def define_pipelines(self) -> list[Any]:
        """The passes."""
        pipeline = DefaultPassBuilder.define_nopython_pipeline(self.state)
        pipeline.passes = [(self.lowering if each is NativeLowering else each, text) for each, text in pipeline.passes]
        pipeline._finalized = False  # noqa: SLF001 - Numba has no other way to exchange a pass
        pipeline.finalize()
        return [pipeline]


class _LinkedCompiler(_Compiler):
    lowering = _LinkedLowering


class _EntryCompiler(_Compiler):
    lowering = _EntryLowering


_NOT_COUNTED = """
define void @NRT_incref(i8* %held) alwaysinline { ret void }
define void @NRT_decref(i8* %held) alwaysinline { ret void }
"""
_NEEDED_TO_HOLD = {"NRT_incref", "NRT_decref", "NRT_MemInfo_call_dtor", "NRT_Allocate", "NRT_Free"}
"""What Numba's runtime is asked for by code that is given arrays and makes none."""


class _AddressedCode(_EntryCode):
    """Code that an address calls. Its arrays are held by the caller, so where it makes none, nobody counts who holds them.

    Counting is an atomic operation and a call, whenever an array is handed on: a sixth of the time of a whole game.
    """

    def _optimize_final_module(self) -> None:
        module = self._final_module
        asked = {function.name for function in module.functions if function.name.startswith("NRT_")}
        if "NRT_incref" in asked and asked <= _NEEDED_TO_HOLD:
            module.link_in(binding.parse_assembly(_NOT_COUNTED))
            for name in ("NRT_incref", "NRT_decref"):
                module.get_function(name).linkage = "internal"
        super()._optimize_final_module()


@register_pass(mutates_CFG=True, analysis_only=False)
class _AddressedLowering(NativeLowering):  # type: ignore[misc]
    """Numba's lowering, into code to be called by its address."""

    _name = "addressed_lowering"

    def run_pass(self, state: Any) -> Any:
        """Lower one function."""
        holds = isinstance(state.return_type, types.Number | types.Boolean | types.NoneType)
        kind = _AddressedCode if holds else _EntryCode
        state.library = kind(state.targetctx.codegen(), state.func_id.func_qualname)
        state.library.enable_object_caching()
        return super().run_pass(state)


class _AddressedCompiler(_Compiler):
    lowering = _AddressedLowering


class _LinkedKept(CompileResultCacheImpl):  # type: ignore[misc]
    """How code to be linked comes back from the disk."""

    def rebuild(self, target_context: Any, payload: Any) -> Any:
        """A compiled kernel of what `CompileResult._reduce` gave."""
        code, fndesc, env, signature, objectmode, lifted, annotation, reload_init, referenced = payload
        library = _LinkedCode.rebuilt(target_context.codegen(), code)
        return CompileResult(
            target_context=target_context,
            typing_context=target_context.typing_context,
            library=library,
            environment=env,
            entry_point=target_context.get_executable(library, fndesc, env),
            fndesc=fndesc,
            type_annotation=annotation,
            signature=signature,
            objectmode=objectmode,
            lifted=lifted,
            typing_error=None,
            call_helper=None,
            metadata=None,
            reload_init=reload_init,
            referenced_envs=referenced,
        )


class _LinkedCache(KernelCache):
    """The cache of a function, for code to be linked."""

    _impl_class = _LinkedKept


# --- Signatures ---------------------------------------------------------------------------------------------------------


def widened(kind: Any) -> Any:
    """The type that stands for `kind` among the arguments of a kernel."""
    if isinstance(kind, types.Literal):
        kind = types.unliteral(kind)
    if isinstance(kind, types.Integer) and kind.signed and kind.bitwidth < types.int64.bitwidth:
        return types.int64
    if isinstance(kind, types.NestedArray):
        return types.Array(kind.dtype, kind.ndim, "C")
    return kind


@lower_cast(types.NestedArray, types.Array)  # type: ignore[untyped-decorator]
def _as_array(_context: Any, _builder: Any, _from: Any, _to: Any, value: Any) -> Any:
    return value


# --- Compiling ----------------------------------------------------------------------------------------------------------

_pausing = threading.Lock()
_pauses = 0
_collects = False


@contextlib.contextmanager
def _without_collecting() -> Iterator[None]:
    """While inside, Python does not look for circles of garbage: compiling makes many objects that all live until its end."""
    global _pauses, _collects  # noqa: PLW0603 - there is one collector
    with _pausing:
        if _pauses == 0:
            _collects = gc.isenabled()
            gc.disable()
        _pauses += 1
    try:
        yield
    finally:
        with _pausing:
            _pauses -= 1
            if _pauses == 0 and _collects:
                gc.enable()


def _set_environments(compiled: Any) -> None:
    """Write the environments of all functions that an entry links to where its machine code looks for them."""
    codegen = compiled.library.codegen
    for env in compiled._find_referenced_environments():  # noqa: SLF001 - as Numba does for what comes from the disk
        if codegen._engine.get_global_value_address(env.env_name):  # noqa: SLF001
            codegen.set_env(env.env_name, env)


class LinkedKernel(CPUDispatcher):  # type: ignore[misc]
    """A function as kernels call it. `options` are Numba's target options; `enable_caching` before the first use."""

    def __init__(self, function: Callable[..., Any], options: dict[str, Any]) -> None:
        super().__init__(function, targetoptions=options, pipeline_class=_LinkedCompiler)

    def enable_caching(self) -> None:
        """Keep the code on disk."""
        self._cache = cache_of(self.py_func, _LinkedCache)

    def compile(self, sig: Any) -> Any:
        """Compile for one signature, or get that from the disk or from the process that is at it."""
        args, _ = normalize_signature(sig)
        return shared(self, tuple(args), partial(super().compile, sig))

    def fold_argument_types(self, args: Any, kws: Any) -> Any:
        """The types of a call's arguments as the kernel is compiled for them, in the order of its parameters."""
        signature, folded = self._compiler.fold_argument_types(args, kws)
        return signature, tuple(map(widened, folded))

    def get_call_template(self, args: Any, kws: Any) -> Any:
        """Numba's question which signature a call has: the one for the widened types."""
        _, wide = self.fold_argument_types(args, kws)
        template, _, _, _ = super().get_call_template(wide, {})
        signature, given = self._compiler.fold_argument_types(args, kws)
        return template, signature, given, {}


class _Later:
    """Hears Ctrl-C in another's place: keeps the first, and passes on those that follow."""

    def __init__(self, passed_to: Callable[[int, Any], Any]) -> None:
        self.first: tuple[int, Any] | None = None
        self._passed_to = passed_to

    def __call__(self, number: int, frame: Any) -> None:
        if self.first is not None:
            self._passed_to(number, frame)
        self.first = self.first or (number, frame)
        _tell_to_wait()


@contextlib.contextmanager
def uninterrupted() -> Iterator[None]:
    """While inside, a first Ctrl-C waits for the end: Numba, broken off in the middle, compiles nothing any more in a process."""
    before = signal.getsignal(signal.SIGINT) if threading.current_thread() is threading.main_thread() else None
    if not callable(before) or isinstance(before, _Later):
        yield  # also within another of these, which hears it
        return
    later = _Later(before)
    signal.signal(signal.SIGINT, later)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)
        if later.first is not None:
            before(*later.first)


def somebody_looks_on() -> bool:
    """Whether what is written to standard error is seen at once: it is a terminal, or a notebook, which says that it is none."""
    with contextlib.suppress(OSError, ValueError, AttributeError):  # closed, or there is none
        return sys.stderr.isatty() or "ipykernel" in sys.modules
    return False


def _tell_to_wait() -> None:
    """Where somebody looks on, say why nothing happens at once."""
    # RuntimeError where the Ctrl-C has come in the middle of writing there.
    with contextlib.suppress(OSError, RuntimeError, ValueError):
        if somebody_looks_on():
            sys.stderr.write("\nstopping, once what is being compiled is done\n")
            sys.stderr.flush()


def _twin_of(function: Callable[..., Any]) -> Callable[..., Any]:
    """The same function as another object: compiling it, Numba may come upon the kernel of that name and compile that."""
    twin = FunctionType(
        function.__code__, function.__globals__, function.__name__, function.__defaults__, function.__closure__
    )
    return functools.update_wrapper(twin, function)


class EntryKernel(CPUDispatcher):  # type: ignore[misc]
    """A function as Python calls it. `options` are Numba's target options."""

    def __init__(self, function: Callable[..., Any], options: dict[str, Any]) -> None:
        super().__init__(_twin_of(function), targetoptions=options, pipeline_class=_EntryCompiler)

    def enable_caching(self) -> None:
        """Keep the code on disk."""
        self._cache = cache_of(self.py_func)

    def _compile_for_args(self, *args: Any, **named: Any) -> Any:
        with uninterrupted():
            return super()._compile_for_args(*args, **named)

    def compile(self, sig: Any) -> Any:
        """Compile for one signature, or get that from the disk; the address that Python calls."""
        args, _ = normalize_signature(sig)
        known = tuple(args) in self.overloads
        with _without_collecting():
            entry = shared(self, tuple(args), partial(super().compile, sig))
            if not known:
                _set_environments(self.overloads[tuple(args)])
        return entry


ENTRY_EVENT = "molehunt:entry"
"""What is triggered while a function with an address is compiled, with its Python function, as Numba does for kernels."""


class _EntryFunction(CFunc):
    def enable_caching(self) -> None:
        self._cache = cache_of(self.__wrapped__)

    def compile(self) -> None:
        """Compile it, or get that from the disk or from the process that is at it."""
        shared(self, tuple(self._sig.args), super().compile)  # type: ignore[attr-defined]

    def _compile_uncached(self) -> Any:
        with _without_collecting(), event.trigger_event(ENTRY_EVENT, data={"function": self.__wrapped__}):
            compiled = super()._compile_uncached()  # type: ignore[misc]
            _set_environments(compiled)
            return compiled


def entry_function(function: Callable[..., Any], signature: Any, options: dict[str, Any]) -> Any:
    """A function for one signature, with an address (`.address`), not yet compiled."""
    return _EntryFunction(
        _twin_of(function), normalize_signature(signature), {}, options, pipeline_class=_AddressedCompiler
    )
