"""One command each; `cli.py` finds them by walking this folder."""
