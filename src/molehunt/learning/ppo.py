"""Proximal policy optimization (Schulman et al. 2017) of the networks of `agents.networks`, in PyTorch.

As in CleanRL: advantages of a minibatch are normalized, ratios and gradients clipped, weights begin orthogonal, the learning
rate goes down, and a batch is left where the policy has moved too far. Entropy is rewarded, and a *magnet* may hold the policy
back: a penalty on the divergence from an earlier policy, which follows every so many updates (Sokota et al. 2023, magnetic
mirror descent). Rudolph et al. 2025 find that such plain methods with much regularization are as good as those made for hidden
information.

Moves are not masked: a decision has a score for each of its legal moves and no others, so all moves of a minibatch lie in one
row, and sums over a decision are sums over segments of it. Most moves are written alike in many positions; what a move adds to a
score by itself is computed once for all that are equal.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import nullcontext
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from molehunt.agents.networks import TENSORS, Network, tensor_shapes
from molehunt.core.errors import MolehuntError
from molehunt.learning.collecting import ADVANTAGE, EXPECTED, LOG, RETURN, Rollout
from molehunt.learning.kinds import number_moves
from molehunt.learning.schedules import BFLOAT16, Settings

EPSILON = 1e-5
"""Of Adam, as CleanRL has it."""
SEEDS = 1 << 64
"""How many seeds a generator of torch knows."""
CUDA = "cuda"
"""The kind of device that is a GPU."""
LEAST_PART = 512
"""Decisions that a thread is given of a step at least: with fewer, threads mostly wait for each other."""
TOLD = ("kl", "clipped", "entropy", "value error")
"""What is told of a step: the divergence from the policy that played, the share of clipped ratios, entropy, error of the values."""
GAINS = {"w1": math.sqrt(2), "w2": math.sqrt(2), "v": 1.0, "u": 1.0, "value": 1.0, "a": 0.01}
"""How large the weights begin; the last layer of the policy is small, so that it begins near uniform."""


def import_torch() -> Any:
    """The library; MolehuntError where it is missing."""
    try:
        import torch
    except ImportError as error:
        raise MolehuntError("training needs torch: pip install 'molehunt[learn]'") from error
    return torch


def first_tensors(shape: tuple[int, int, int, int], seed: int) -> dict[str, npt.NDArray[np.float32]]:
    """The weights with which a network begins."""
    torch = import_torch()
    generator = torch.Generator().manual_seed(seed)
    tensors = {}
    for name, wanted in tensor_shapes(shape).items():
        tensor = torch.zeros(wanted)
        if name in GAINS:
            matrix = tensor.reshape(len(tensor), -1)
            torch.nn.init.orthogonal_(matrix, GAINS[name], generator)
        tensors[name] = tensor.numpy()
    return tensors


class Learner:
    """A network that learns, with its optimizer and magnet. `device` is that of torch.

    Gradients are computed on `threads` of a CPU; a GPU is given each step whole, as with parts of it it would wait for us.
    The network begins as `start`, or with weights drawn by the seed.
    """

    def __init__(
        self,
        shape: tuple[int, int, int, int],
        settings: Settings,
        seed: int,
        device: str = "cpu",
        threads: int = 1,
        start: Network | None = None,
    ) -> None:
        self.torch = torch = import_torch()
        self.settings = settings
        self.seed = seed
        self.device = torch.device(device)
        self.threads = 1 if self.device.type == CUDA else threads
        self.in_bfloat16 = settings.precision == BFLOAT16 and self.device.type == CUDA
        self.shape = shape
        self.tensors = {
            name: torch.tensor(tensor, device=self.device, requires_grad=True)
            for name, tensor in (first_tensors(shape, seed) if start is None else start.tensors).items()
        }
        self.magnet = {name: tensor.detach().clone() for name, tensor in self.tensors.items()}
        self.optimizer = torch.optim.Adam(list(self.tensors.values()), lr=settings.rate.first, eps=EPSILON, fused=True)
        self.updates = 0

    def network(self, about: Mapping[str, str]) -> Network:
        """The network as it is now."""
        return Network({name: self.tensors[name].detach().cpu().numpy().astype(np.float32) for name in TENSORS}, about)

    def state(self) -> dict[str, Any]:
        """All that the next updates depend on, on the CPU: any machine can go on from it."""
        found: dict[str, Any] = self._on_cpu(
            {
                "tensors": {name: tensor.detach() for name, tensor in self.tensors.items()},
                "magnet": self.magnet,
                "optimizer": self.optimizer.state_dict(),
                "updates": self.updates,
            }
        )
        return found

    def _on_cpu(self, value: Any) -> Any:
        """A value with all tensors in its dicts and lists on the CPU."""
        if isinstance(value, self.torch.Tensor):
            return value.cpu()
        if isinstance(value, dict):
            return {key: self._on_cpu(each) for key, each in value.items()}
        return [self._on_cpu(each) for each in value] if isinstance(value, list) else value

    def restore(self, state: Mapping[str, Any]) -> None:
        """Go on from a `state`."""
        with self.torch.no_grad():
            for name, tensor in self.tensors.items():
                tensor.copy_(state["tensors"][name])
                self.magnet[name].copy_(state["magnet"][name])
        self.optimizer.load_state_dict(state["optimizer"])
        self.updates = int(state["updates"])

    # --- One update -------------------------------------------------------------------------------------------------------

    def update(self, rollout: Rollout, share: float) -> dict[str, float]:
        """Learn from what was collected; `share` says how much of the run is over. Returns what is worth a curve.

        That is nothing where the learner was never to move.
        """
        told = self._learn(rollout, share) if rollout.rows else {}
        self.updates += 1
        if self.updates % self.settings.magnet_every == 0:
            self.magnet = {name: tensor.detach().clone() for name, tensor in self.tensors.items()}
        return told

    def _learn(self, rollout: Rollout, share: float) -> dict[str, float]:
        """Go through what was collected, decisions of which there are some."""
        settings, torch = self.settings, self.torch
        for group in self.optimizer.param_groups:
            group["lr"] = settings.rate.at(share)
        weights = settings.entropy.at(share), settings.magnet.at(share)
        batch = Batch(torch, rollout, self.device)
        generator = torch.Generator().manual_seed((self.seed * 1_000_003 + self.updates) % SEEDS)
        sums = torch.zeros(len(TOLD), dtype=torch.float64, device=self.device)
        count = 0
        epochs = 0
        with ThreadPoolExecutor(self.threads) as pool:
            for _ in range(settings.epochs):
                before, parts = float(sums[0]), 0
                for rows in batch.orders(settings.minibatch, generator):
                    sums += self._step(batch, rows, weights, pool)
                    parts += 1
                count += parts
                epochs += 1
                if (float(sums[0]) - before) / parts > settings.target_kl:
                    break
        values, returns = rollout.numbers[: rollout.rows, EXPECTED], rollout.numbers[: rollout.rows, RETURN]
        spread = float(returns.var())
        return {
            **dict(zip(TOLD, (sums / count).tolist(), strict=True)),
            "explained": 1.0 - float((returns - values).var()) / spread if spread > 0 else 0.0,
            "epochs": float(epochs),
        }

    def _step(self, batch: Batch, rows: Any, weights: tuple[float, float], pool: ThreadPoolExecutor) -> Any:
        """One step of the optimizer with some decisions; returns what is TOLD. Each thread has its share of them."""
        torch = self.torch
        advantages = batch.numbers[rows, ADVANTAGE]
        # One decision alone has no spread, and torch would give what is no number.
        spread = advantages.std() if len(rows) > 1 else torch.zeros_like(advantages[0])
        scale = advantages.mean(), spread + 1e-8, len(rows)
        threads = min(self.threads, max(1, len(rows) // LEAST_PART))
        if threads == 1:
            gradients, told = self._gradients(batch, rows, weights, scale)
        else:
            parts = list(pool.map(lambda part: self._gradients(batch, part, weights, scale), rows.chunk(threads)))
            gradients = [torch.stack(each).sum(0) for each in zip(*(part for part, _ in parts), strict=True)]
            told = torch.stack([each for _, each in parts]).sum(0)
        for tensor, gradient in zip(self.tensors.values(), gradients, strict=True):
            tensor.grad = gradient
        torch.nn.utils.clip_grad_norm_(list(self.tensors.values()), self.settings.most_norm)
        self.optimizer.step()
        return told

    def _gradients(
        self, batch: Batch, rows: Any, weights: tuple[float, float], scale: tuple[Any, Any, int]
    ) -> tuple[Any, Any]:
        """What these decisions add to the gradients, and to what is TOLD, of a mean over `scale[2]` of them."""
        settings, torch = self.settings, self.torch
        entropy_weight, magnet_weight = weights
        mean, deviation, count = scale
        piece = batch.piece(rows)
        logs, values = self._answers(self.tensors, piece)
        log_ratio = logs.index_select(0, piece.chosen) - piece.logs
        ratio = log_ratio.exp()
        advantages = (piece.advantages - mean) / deviation
        gain = (
            torch.minimum(ratio * advantages, ratio.clamp(1 - settings.clip, 1 + settings.clip) * advantages).sum()
            / count
        )
        error = (values - piece.returns).square().sum() / count
        chances = logs.exp()
        entropy = -(chances * logs).sum() / count
        loss = settings.value_weight * error - gain - entropy_weight * entropy
        if magnet_weight > 0:
            with torch.no_grad():
                held, _ = self._answers(self.magnet, piece)
            loss = loss + magnet_weight * (chances * (logs - held)).sum() / count
        gradients = torch.autograd.grad(loss, list(self.tensors.values()))
        with torch.no_grad():
            kl = (ratio - 1 - log_ratio).sum() / count
            clipped = ((ratio - 1).abs() > settings.clip).sum() / count
            return gradients, torch.stack([kl, clipped, entropy, error])

    def _answers(self, tensors: Mapping[str, Any], piece: Piece) -> tuple[Any, Any]:
        """The log of the chance of every move, and the value of every position."""
        torch = self.torch
        with torch.autocast(self.device.type, torch.bfloat16) if self.in_bfloat16 else nullcontext():
            hidden = torch.relu(torch.addmm(tensors["b1"], piece.positions, tensors["w1"]))
            hidden = torch.relu(torch.addmm(tensors["b2"], hidden, tensors["w2"]))
            values = hidden @ tensors["value"] + tensors["value_bias"]
            shared = torch.addmm(tensors["d"], hidden, tensors["v"])
            joint = shared.index_select(0, piece.decisions) + (piece.kinds @ tensors["u"]).index_select(0, piece.moves)
            scores = torch.relu(joint) @ tensors["a"] + (piece.kinds @ tensors["l"]).index_select(0, piece.moves)
        scores, values = scores.float(), values.float()
        count = len(piece.positions)
        with torch.no_grad():
            tops = torch.full((count,), -math.inf, device=self.device)
            tops.scatter_reduce_(0, piece.decisions, scores, "amax")
        scores = scores - tops.index_select(0, piece.decisions)
        sums = torch.zeros(count, device=self.device).index_add(0, piece.decisions, scores.exp())
        return scores - sums.log().index_select(0, piece.decisions), values


@dataclass(frozen=True)
class Piece:
    """Some decisions as tensors: n decisions, m moves in all, k different ones.

    `kinds` are the different moves, `moves` says which of them each move is, `decisions` whose it is; `chosen` are places among the
    m moves.
    """

    positions: Any
    kinds: Any
    moves: Any
    decisions: Any
    chosen: Any
    logs: Any
    advantages: Any
    returns: Any


class Batch:
    """What was collected, as tensors; the positions are not copied on the CPU, and of equal moves one is kept."""

    def __init__(self, torch: Any, rollout: Rollout, device: Any) -> None:
        rows, moves = rollout.rows, rollout.moves[: rollout.all_moves]
        self.torch = torch
        self.device = device
        firsts, kinds = number_moves(moves)
        self.kinds = self._tensor(moves[firsts, : rollout.move_size])
        self.moves = self._tensor(kinds).long()
        self.positions = self._tensor(rollout.positions[:rows])
        self.firsts = self._tensor(rollout.firsts[: rows + 1])
        self.chosen = self._tensor(rollout.chosen[:rows]).long()
        self.numbers = self._tensor(rollout.numbers[:rows])

    def _tensor(self, array: npt.NDArray[Any]) -> Any:
        """An array on the device; to a GPU it goes from pinned memory, while the next one is made ready."""
        tensor = self.torch.from_numpy(array)
        return (tensor.pin_memory() if self.device.type == CUDA else tensor).to(self.device, non_blocking=True)

    def orders(self, size: int, generator: Any) -> Iterator[Any]:
        """All decisions in a random order, so many at once; what is left over joins the last ones."""
        torch = self.torch
        order = torch.randperm(len(self.positions), generator=generator).to(self.device)
        count = max(1, len(order) // size)
        for number in range(count):
            yield order[number * size : None if number == count - 1 else (number + 1) * size]

    def piece(self, rows: Any) -> Piece:
        """Some decisions."""
        torch = self.torch
        begins = self.firsts.index_select(0, rows)
        sizes = self.firsts.index_select(0, rows + 1) - begins
        ends = sizes.cumsum(0)
        decisions = torch.repeat_interleave(torch.arange(len(rows), device=self.device), sizes)
        places = torch.arange(len(decisions), device=self.device) + (begins - (ends - sizes)).index_select(0, decisions)
        moves = self.moves.index_select(0, places)
        here = torch.zeros(len(self.kinds), dtype=torch.bool, device=self.device)
        here[moves] = True
        which = here.nonzero().squeeze(1)
        numbers = self.numbers.index_select(0, rows)
        return Piece(
            self.positions.index_select(0, rows).float(),
            self.kinds.index_select(0, which).float(),
            (here.cumsum(0) - 1).index_select(0, moves),
            decisions,
            self.chosen.index_select(0, rows) + ends - sizes,
            numbers[:, LOG],
            numbers[:, ADVANTAGE],
            numbers[:, RETURN],
        )
