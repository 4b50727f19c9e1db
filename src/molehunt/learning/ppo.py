"""Proximal policy optimization (Schulman et al. 2017) of the networks of `agents.networks`, in PyTorch.

As in CleanRL: advantages of a minibatch are normalized, ratios and gradients clipped, weights begin orthogonal, the learning
rate goes down, and a batch is left where the policy has moved too far. Entropy is rewarded, and a *magnet* may hold the policy
back: a penalty on the divergence from an earlier policy, which follows every so many updates (Sokota et al. 2023, magnetic
mirror descent). Rudolph et al. 2025 find that such plain methods with much regularization are as good as those made for hidden
information.

Moves are not masked: a decision has a score for each of its legal moves and no others, so all moves of a minibatch lie in one
row, and sums over a decision are sums over segments of it.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from molehunt.agents.networks import TENSORS, Network, tensor_shapes
from molehunt.core.errors import MolehuntError
from molehunt.learning.collecting import ADVANTAGE, EXPECTED, LOG, RETURN, Rollout
from molehunt.learning.schedules import Settings

EPSILON = 1e-5
"""Of Adam, as CleanRL has it."""
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
    """A network that learns, with its optimizer and magnet. `device` is that of torch; `threads` how many of the CPU it uses."""

    def __init__(self, shape: tuple[int, int, int, int], settings: Settings, seed: int, device: str = "cpu") -> None:
        self.torch = torch = import_torch()
        self.settings = settings
        self.seed = seed
        self.device = torch.device(device)
        self.shape = shape
        self.tensors = {
            name: torch.tensor(tensor, device=self.device, requires_grad=True)
            for name, tensor in first_tensors(shape, seed).items()
        }
        self.magnet = {name: tensor.detach().clone() for name, tensor in self.tensors.items()}
        self.optimizer = torch.optim.Adam(list(self.tensors.values()), lr=settings.rate.first, eps=EPSILON)
        self.updates = 0

    def network(self, about: Mapping[str, str]) -> Network:
        """The network as it is now."""
        return Network({name: self.tensors[name].detach().cpu().numpy().astype(np.float32) for name in TENSORS}, about)

    def state(self) -> dict[str, Any]:
        """All that the next updates depend on."""
        return {
            "tensors": {name: tensor.detach().cpu() for name, tensor in self.tensors.items()},
            "magnet": {name: tensor.cpu() for name, tensor in self.magnet.items()},
            "optimizer": self.optimizer.state_dict(),
            "updates": self.updates,
        }

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
        """Learn from what was collected; `share` says how much of the run is over. Returns what is worth a curve."""
        settings, torch = self.settings, self.torch
        for group in self.optimizer.param_groups:
            group["lr"] = settings.rate.at(share)
        entropy_weight, magnet_weight = settings.entropy.at(share), settings.magnet.at(share)
        batch = Batch(torch, rollout, self.device)
        generator = torch.Generator().manual_seed(self.seed * 1_000_003 + self.updates)
        totals: dict[str, float] = {}
        count = 0
        epochs = 0
        for _ in range(settings.epochs):
            moved = 0.0
            parts = 0
            for piece in batch.pieces(settings.minibatch, generator):
                told = self._step(piece, entropy_weight, magnet_weight)
                moved += told["kl"]
                parts += 1
                count += 1
                for name, value in told.items():
                    totals[name] = totals.get(name, 0.0) + value
            epochs += 1
            if moved / parts > settings.target_kl:
                break
        self.updates += 1
        if self.updates % settings.magnet_every == 0:
            self.magnet = {name: tensor.detach().clone() for name, tensor in self.tensors.items()}
        values, returns = rollout.numbers[: rollout.rows, EXPECTED], rollout.numbers[: rollout.rows, RETURN]
        spread = float(returns.var())
        return {
            **{name: total / count for name, total in totals.items()},
            "explained": 1.0 - float((returns - values).var()) / spread if spread > 0 else 0.0,
            "epochs": float(epochs),
        }

    def _step(self, piece: Piece, entropy_weight: float, magnet_weight: float) -> dict[str, float]:
        settings, torch = self.settings, self.torch
        logs, values = self._answers(self.tensors, piece)
        chosen = logs[piece.chosen]
        log_ratio = chosen - piece.logs
        ratio = log_ratio.exp()
        advantages = (piece.advantages - piece.advantages.mean()) / (piece.advantages.std() + 1e-8)
        gain = torch.minimum(ratio * advantages, ratio.clamp(1 - settings.clip, 1 + settings.clip) * advantages).mean()
        error = (values - piece.returns).square().mean()
        chances = logs.exp()
        entropy = -(chances * logs).sum() / len(chosen)
        loss = settings.value_weight * error - gain - entropy_weight * entropy
        if magnet_weight > 0:
            with torch.no_grad():
                held, _ = self._answers(self.magnet, piece)
            loss = loss + magnet_weight * (chances * (logs - held)).sum() / len(chosen)
        self.optimizer.zero_grad(set_to_none=True)
        loss.backward()
        torch.nn.utils.clip_grad_norm_(list(self.tensors.values()), settings.most_norm)
        self.optimizer.step()
        with torch.no_grad():
            kl = float((ratio - 1 - log_ratio).mean())
            clipped = float(((ratio - 1).abs() > settings.clip).float().mean())
        return {"kl": kl, "clipped": clipped, "entropy": float(entropy.detach()), "value error": float(error.detach())}

    def _answers(self, tensors: Mapping[str, Any], piece: Piece) -> tuple[Any, Any]:
        """The log of the chance of every move, and the value of every position."""
        torch = self.torch
        hidden = torch.relu(torch.addmm(tensors["b1"], piece.positions, tensors["w1"]))
        hidden = torch.relu(torch.addmm(tensors["b2"], hidden, tensors["w2"]))
        values = hidden @ tensors["value"] + tensors["value_bias"]
        shared = torch.addmm(tensors["d"], hidden, tensors["v"])
        joint = torch.relu(torch.addmm(shared.index_select(0, piece.decisions), piece.moves, tensors["u"]))
        scores = joint @ tensors["a"] + piece.moves @ tensors["l"]
        count = len(piece.positions)
        with torch.no_grad():
            tops = torch.full((count,), -math.inf, device=self.device)
            tops.scatter_reduce_(0, piece.decisions, scores, "amax")
        scores = scores - tops[piece.decisions]
        sums = torch.zeros(count, device=self.device).index_add(0, piece.decisions, scores.exp())
        return scores - sums.log()[piece.decisions], values


@dataclass(frozen=True)
class Piece:
    """A minibatch as tensors: n decisions, m moves in all. `chosen` are places among the moves, `decisions` says whose each is."""

    positions: Any
    moves: Any
    decisions: Any
    chosen: Any
    logs: Any
    advantages: Any
    returns: Any


class Batch:
    """What was collected, as tensors; the arrays themselves are not copied on the CPU."""

    def __init__(self, torch: Any, rollout: Rollout, device: Any) -> None:
        rows, moves = rollout.rows, rollout.all_moves
        self.torch = torch
        self.device = device
        self.positions = torch.from_numpy(rollout.positions[:rows]).to(device)
        self.moves = torch.from_numpy(rollout.moves[:moves]).to(device)
        self.firsts = torch.from_numpy(rollout.firsts[: rows + 1]).to(device)
        self.chosen = torch.from_numpy(rollout.chosen[:rows]).long().to(device)
        self.numbers = torch.from_numpy(rollout.numbers[:rows]).to(device)

    def pieces(self, size: int, generator: Any) -> Iterator[Piece]:
        """All decisions in a random order, so many at once; what is left over joins the last piece."""
        torch = self.torch
        order = torch.randperm(len(self.positions), generator=generator).to(self.device)
        count = max(1, len(order) // size)
        for number in range(count):
            yield self.piece(order[number * size : None if number == count - 1 else (number + 1) * size])

    def piece(self, rows: Any) -> Piece:
        """Some decisions."""
        torch = self.torch
        sizes = self.firsts[rows + 1] - self.firsts[rows]
        ends = sizes.cumsum(0)
        decisions = torch.repeat_interleave(torch.arange(len(rows), device=self.device), sizes)
        shift = self.firsts[rows] - (ends - sizes)
        places = torch.arange(int(ends[-1]), device=self.device) + shift[decisions]
        numbers = self.numbers[rows]
        return Piece(
            self.positions[rows].float(),
            self.moves[places].float(),
            decisions,
            self.chosen[rows] + ends - sizes,
            numbers[:, LOG],
            numbers[:, ADVANTAGE],
            numbers[:, RETURN],
        )
