"""Before compiling: will a model compile, for which target and SDK, what falls back, does it fit."""
