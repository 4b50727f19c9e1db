"""Other ecosystems' interfaces: programs and players from outside at our tables, ours at theirs."""
