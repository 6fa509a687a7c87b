"""HLO modules: read (proto, text, compressed, wrapped), walk, edit, write. The one HLO reader of the project."""
