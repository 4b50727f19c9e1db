"""Tianshou's double DQN learns a game; its observations hold what is seen and what is legal (`obs`, `mask`).

pip install 'molehunt[learners]'
python examples/learners/tianshou_dqn.py --help
"""

import numpy as np
import torch
from tianshou.algorithm import DQN
from tianshou.algorithm.modelfree.dqn import DiscreteQLearningPolicy
from tianshou.algorithm.optim import AdamOptimizerFactory
from tianshou.data import Batch, Collector, VectorReplayBuffer
from tianshou.env import DummyVectorEnv
from tianshou.trainer import OffPolicyTrainerParams
from tianshou.utils.net.common import Net
from winning import report, settings

from molehunt.adapters.gymnasium import MaskInObservation, SeatEnv

GAMES = 8
MOVES_TO_COME = 10
"""A game is paid at its end alone, so what an action is worth is told by what comes of it some moves later."""


def learn(asked):
    def make():
        seat = SeatEnv(asked.label, asked.seats, opponents=asked.opponents)
        return MaskInObservation(seat, "obs", "mask", dtype=np.float32)

    np.random.seed(asked.seed)  # noqa: NPY002 - what Tianshou explores with
    torch.manual_seed(asked.seed)
    tables = DummyVectorEnv([make] * GAMES)
    tables.seed([asked.seed + row for row in range(GAMES)])
    one = make()
    net = Net(state_shape=one.observation_space["obs"].shape, action_shape=one.action_space.n, hidden_sizes=[128, 128])
    policy = DiscreteQLearningPolicy(
        model=net, action_space=one.action_space, observation_space=one.observation_space, eps_training=0.1
    )
    learner = DQN(
        policy=policy,
        optim=AdamOptimizerFactory(lr=5e-4),
        gamma=1.0,
        n_step_return_horizon=MOVES_TO_COME,
        target_update_freq=500,
    )
    collector = Collector(learner, tables, VectorReplayBuffer(20_000, GAMES), exploration_noise=True)
    learner.run_training(
        OffPolicyTrainerParams(
            training_collector=collector,
            max_epochs=1,
            epoch_num_steps=asked.steps,
            collection_step_num_env_steps=64,
            update_step_num_gradient_steps_per_sample=0.125,
            batch_size=128,
            verbose=False,
            show_progress=False,
        )
    )

    def choose(observations, masks):
        seen = Batch(obs=Batch(obs=observations.astype(np.float32), mask=masks), info=Batch())
        with torch.no_grad():
            return policy(seen).act

    return choose


if __name__ == "__main__":
    report(settings(__doc__, steps=20_000), learn)
