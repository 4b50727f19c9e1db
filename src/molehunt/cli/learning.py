"""The commands that train players: a run from its file, and how much a player loses to one that learned to beat it."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Literal

from cyclopts import Parameter

from molehunt.cli import completing
from molehunt.cli.app import Whole, app


@app.command
def train(
    file: Path,
    /,
    *,
    steps: Whole | None = None,
    seed: Whole | None = None,
    threads: Whole = 1,
    device: str = "cpu",
    store: Path | None = None,
    weights: Path | None = None,
    json: Path | None = None,
    report: Path | None = None,
    cluster: str | None = None,
) -> int:
    """Train a player from a TOML file: a small network that plays, learns from its games, and is measured on the way.

    Parameters
    ----------
    file
        The file of the run; docs/learning.md says what can stand in it.
    steps
        Learn from so many decisions, instead of the file's number.
    seed
        The seed, instead of the file's; on one thread the same seed gives the same player.
    threads
        How many threads play and learn.
    device
        Where PyTorch computes: cpu, cuda.
    store
        Keep everything in this folder. Stopped or killed at any moment, the same command goes on from there.
    weights
        Write the trained network to this file, to be played as learned:weights=FILE.
    json
        Write the curve and the league to this file as JSON; - is standard output.
    report
        Write a self-contained HTML report with the curves to this file.
    cluster
        Play the games on a Ray cluster that runs: host:port, or auto for the one here. They are those of one thread.

    """
    from molehunt.console.train import run_train

    return run_train(
        file,
        steps=steps,
        seed=seed,
        threads=threads,
        device=device,
        store=store,
        weights=weights,
        json=json,
        report=report,
        cluster=cluster,
    )


@app.command
def exploit(
    agent: Annotated[str, Parameter(completer=completing.players())],
    /,
    *,
    game: Annotated[str | None, Parameter(completer=completing.labels)] = None,
    seats: Whole | None = None,
    role: str | None = None,
    steps: Whole = 300_000,
    learners: Whole = 2,
    games: Whole = 2000,
    seed: Whole = 0,
    threads: Whole = 1,
    start: str = "",
    reward: Literal["wins", "share"] | None = None,
    draw: float | None = None,
    beliefs: bool | None = None,
    history: Whole | None = None,
    batch: Whole | None = None,
    also: Annotated[list[str] | None, Parameter(completer=completing.players())] = None,
    agents_from: list[Path] | None = None,
    json: Path | None = None,
) -> int:
    """How much a player can be beaten at least: learners are trained against it alone, and the best is measured in fresh games.

    What the learner wins there is a lower bound of what a best response would win. On small games the exact numbers stand beside
    it.

    Parameters
    ----------
    agent
        The player that sits on all other seats: decision-2019.
    game
        The game and its ruleset: saboteur/krisnadi; by default the first ruleset of the player's game.
    seats
        How many seats.
    role
        The learner's role: saboteur, miner; by default each in turn, where the game has roles.
    steps
        How many decisions each learner learns from.
    learners
        How many learners are trained; who does best in games apart is chosen, and what it gains is told of fresh games.
    games
        How many fresh games it is measured in.
    seed
        The seed; on one thread the same seed gives the same result.
    threads
        How many threads play and learn.
    start
        A file of weights with which the first learner begins, or learned: those that are shipped for the game.
    reward
        What learners are rewarded for: wins, or share, the share of all gold; by default share where there are several rounds.
    draw
        What a game is worth to learners that nobody wins, -1 to 1; by default -0.7 in the duel, else 0.
    beliefs
        Whether learners are told what follows from everybody's moves (Saboteur); by default as the learner shipped for the game is.
    history
        How many of the last moves learners are told, 0 to 32; by default as the learner shipped for the game is.
    batch
        After how many games they learn, every second learner after half of them; fewer suit players that think long. By default
        2000, or 500 where there are several rounds.
    also
        A player that is measured in the same seats beside the learner: mole, ismcts. Several times: all of them.
    agents_from
        A Python file with players of your own.
    json
        Write the result to this file as JSON; - is standard output.

    """
    from molehunt.console.exploit import Wanted, run_exploit

    wanted = Wanted(
        game=game,
        seats=seats,
        role=role,
        steps=steps,
        learners=learners,
        games=games,
        seed=seed,
        start=start,
        reward=reward,
        draw=draw,
        beliefs=beliefs,
        history=history,
        batch=batch,
    )
    return run_exploit(agent, wanted, others=also or [], threads=threads, json=json, agents_from=agents_from or [])
