"""What is known of the coin outside its rules. Nothing heavy is imported."""

from __future__ import annotations

from molehunt.games.entry import GameEntry, RulesetEntry

ENTRY = GameEntry(
    name="hidden_coin",
    title="The coin: one of a few holds it",
    rulesets={
        "parlour": RulesetEntry("each may peek at one other", 2, 4, 3),
        "blind": RulesetEntry("nobody may peek", 3, 4, 3),
    },
    game="outside.coin.game:Coin",
    editions="outside.coin.game:RULESETS",
    roles=("seeker", "holder"),
    actions="outside.coin.game:every_action",
)
