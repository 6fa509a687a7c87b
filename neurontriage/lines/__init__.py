"""One multi-pattern pass over blocks; lines are cut around hits, floods counted, launcher prefixes stripped."""
