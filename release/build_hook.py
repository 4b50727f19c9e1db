"""Puts machine code into a wheel: what `release/compile_kernels.py` left in the folder that MOLEHUNT_MACHINE_CODE names.

Without that setting the wheel holds the sources alone and serves every machine. With it the wheel is for one version of Python and
one kind of machine; what does not fit there (another version of Numba or NumPy) is compiled as ever.
"""

from __future__ import annotations

import os
import sys
import sysconfig
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface


def platform_tag() -> str:
    """The kind of machine as wheels name it. The code calls Numba's runtime alone, so any Linux that has Numba will do."""
    system = sysconfig.get_platform().replace("-", "_").replace(".", "_")
    return system.replace("linux_", "manylinux2014_", 1) if system.startswith("linux_") else system


class MachineCodeHook(BuildHookInterface):  # type: ignore[type-arg]
    """The hook, as hatchling calls it for the wheel."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Add the files and say for what the wheel is; FileNotFoundError where the folder holds no machine code."""
        given = os.environ.get("MOLEHUNT_MACHINE_CODE")
        if not given or version == "editable":
            return
        folder = Path(given).resolve()
        files = sorted(path for path in folder.glob("kernels-*/*/*/*") if path.suffix in {".nbi", ".nbc"})
        if not files:
            raise FileNotFoundError(f"{folder} holds no machine code; release/compile_kernels.py makes it")
        for path in files:
            build_data["force_include"][str(path)] = f"molehunt/machine_code/{path.relative_to(folder).as_posix()}"
        python = f"cp{sys.version_info.major}{sys.version_info.minor}"
        build_data["pure_python"] = False
        build_data["tag"] = f"{python}-{python}-{platform_tag()}"
