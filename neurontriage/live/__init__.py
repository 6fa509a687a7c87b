"""Jobs as they happen: `run` goes along with a command, `watch` follows growing files."""
