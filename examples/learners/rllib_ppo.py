"""RLlib's PPO learns a game; its observations hold what is seen and what is legal (`observations`, `action_mask`).

pip install 'molehunt[learners]'
python examples/learners/rllib_ppo.py --help
"""

import numpy as np
import ray
import torch
from ray.rllib.algorithms.ppo import PPOConfig
from ray.rllib.core.rl_module.rl_module import RLModuleSpec
from ray.rllib.examples.rl_modules.classes.action_masking_rlm import ActionMaskingTorchRLModule
from winning import report, settings

from molehunt.adapters.gymnasium import MaskInObservation, SeatEnv

BATCH = 2048
MODEL = {"fcnet_hiddens": [128, 128], "head_fcnet_hiddens": []}


def make(asked):
    """One game, as RLlib makes it from its settings."""
    seat = SeatEnv(asked["label"], asked["seats"], opponents=asked["opponents"])
    return MaskInObservation(seat, "observations", "action_mask", dtype=np.float32, mask_dtype=np.float32)


def learn(asked):
    ray.init(num_cpus=1, include_dashboard=False, logging_level="error", log_to_driver=False)
    ray.tune.register_env("molehunt", make)
    config = (
        PPOConfig()
        .environment("molehunt", env_config=vars(asked))
        .env_runners(num_env_runners=0, num_envs_per_env_runner=8)
        .training(train_batch_size=BATCH, minibatch_size=256, num_epochs=10, gamma=1.0, lr=3e-4)
        .rl_module(rl_module_spec=RLModuleSpec(module_class=ActionMaskingTorchRLModule, model_config=MODEL))
        .debugging(seed=asked.seed, log_level="ERROR")
    )
    learner = config.build_algo()
    for _ in range(max(1, asked.steps // BATCH)):
        learner.train()
    module = learner.get_module()

    def choose(observations, masks):
        seen = {
            "observations": torch.from_numpy(observations.astype(np.float32)),
            "action_mask": torch.from_numpy(masks.astype(np.float32)),
        }
        with torch.no_grad():
            return module.forward_inference({"obs": seen})["action_dist_inputs"].argmax(dim=1).numpy()

    return choose


if __name__ == "__main__":
    report(settings(__doc__, steps=20_000), learn)
