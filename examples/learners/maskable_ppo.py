"""Stable-Baselines3-contrib's MaskablePPO learns a game; it asks the environment which actions are legal (`action_masks`).

pip install 'molehunt[learners]'
python examples/learners/maskable_ppo.py --help
"""

from sb3_contrib import MaskablePPO
from stable_baselines3.common.vec_env import DummyVecEnv
from winning import report, settings

from molehunt.adapters.gymnasium import SeatEnv


def learn(asked):
    def make():
        return SeatEnv(asked.label, asked.seats, opponents=asked.opponents)

    model = MaskablePPO(
        "MlpPolicy", DummyVecEnv([make] * 8), n_steps=256, batch_size=256, gamma=1.0, seed=asked.seed, device="cpu"
    )
    model.learn(asked.steps)
    return lambda observations, masks: model.predict(observations, action_masks=masks, deterministic=True)[0]


if __name__ == "__main__":
    report(settings(__doc__, steps=50_000), learn)
