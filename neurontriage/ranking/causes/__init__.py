"""Which claim gives way to which: what only passes a failure on, reports it or stumbles over it, to what says why."""
