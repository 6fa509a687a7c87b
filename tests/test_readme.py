"""What the README shows is what the program prints; what it names exists."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parent.parent
README = (ROOT / "README.md").read_text(encoding="utf-8")
SAMPLE = "samples/compiler-internal/ten404-loop.log"


def test_the_run_that_is_shown_is_a_real_one() -> None:
    """Rewrite it with NEURONTRIAGE_GOLDEN=write."""
    command = [sys.executable, "-m", "neurontriage", "explain", SAMPLE]
    env = {**os.environ, "COLUMNS": "100", "NO_COLOR": "1", "LC_ALL": "C.UTF-8"}
    printed = subprocess.run(command, capture_output=True, text=True, cwd=ROOT, env=env, check=False).stdout
    lines = [f"$ neurontriage {SAMPLE}", *printed.rstrip().splitlines()]
    block = "\n".join(f"    {line}".rstrip() for line in lines)
    found = re.search(r"^    \$ neurontriage samples.*?(?=\n\nThe same as a page)", README, re.S | re.M)
    assert found is not None
    if os.environ.get("NEURONTRIAGE_GOLDEN") == "write":
        (ROOT / "README.md").write_text(README.replace(found[0], block), encoding="utf-8")
    else:
        assert found[0] == block


def test_every_link_into_the_repository_leads_somewhere() -> None:
    for target in re.findall(r"\]\((?!https?://|#)([^)#]+)", README):
        assert (ROOT / target).exists(), target
