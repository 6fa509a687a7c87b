"""Who stops at the first command that fails: what was complained of above a later one, the script did without.

GitLab's runner prints each command of a script at a prompt, the classic builder of images each step with its number.
Both go on to the next only after status 0; what a runner does when all is over is no command of the script.
"""

from __future__ import annotations

import math
from functools import lru_cache

from neurontriage.claims.claim import Claim
from neurontriage.expressions import expression
from neurontriage.lines.prefix import strip
from neurontriage.lines.words import Sought
from neurontriage.ranking.features import Scene
from neurontriage.ranking.onward import known_lines

_GITLAB = Sought(r"\bgitlab-runner\b|^section_start:\d", expression)
_OVER = Sought(
    r"^section_end:\d{6,12}:step_script|\bRunning after_?script\b|^Uploading artifacts|^Cleaning up project directory"
    r"|^ERROR: Job failed\b"
)
_TYPED = expression(r"\$ \S")
_FIRST, _STEP = "Step 1/", expression(r"Step \d{1,3}/\d{1,3} : [A-Z]+\b")


def stepped(claim: Claim, scene: Scene) -> bool:
    """Whether a claim stands above the last command of a script that one began who stops at the first failure."""
    course = scene.course(claim)
    return claim.says != "signal" and claim.last < _last_begun(course.head, course.ends, course.prompts)


@lru_cache(maxsize=8)
def _last_begun(head: str, ends: tuple[tuple[int, str], ...], prompts: tuple[tuple[int, str, str], ...]) -> int:
    """The line in which the last command of a script was begun; 0 where nobody is known to stop at a failure."""
    gitlab = _GITLAB.search(head) is not None
    if not gitlab and _FIRST not in head:
        return 0
    known = {line: strip(text).payload for line, text in known_lines(head, ends).items()}
    begun = [line for line, text in known.items() if (_TYPED if gitlab else _STEP).match(text)]
    over = min((line for line, text in known.items() if gitlab and _OVER.search(text)), default=math.inf)
    return max((line for line in (*begun, *(one for one, _, _ in prompts if gitlab)) if line < over), default=0)
