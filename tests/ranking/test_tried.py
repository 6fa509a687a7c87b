"""What was tried in vain: which end follows from it, and whether it is why the log ends."""

from __future__ import annotations

from typing import Any

import pytest
from claimed import brief, claim

from neurontriage.claims.claim import Claim
from neurontriage.model import Course
from neurontriage.ranking.causes.tried import in_vain, spent
from neurontriage.ranking.features import Scene


def tried(line: int = 10, **more: Any) -> Claim:
    one = claim("T", line, **{"level": "WARNING", **more})
    one.tried = line
    return one


@pytest.mark.parametrize(
    ("line", "more", "follows"),
    [
        (10, {}, True),
        (11, {}, True),
        (40, {}, True),
        (41, {}, False),
        (9, {}, False),
        (11, {"path": "b.log"}, False),
        (11, {"words": ["FAILED"]}, True),
        *((11, {"words": [word]}, False) for word in ("REASON", "LIMIT", "REFUSED", "ERRNO", "STATUS", "ASSERTION")),
        (11, {"words": ["SIGNALLED"]}, False),
        *((11, {"kind": kind}, False) for kind in ("coded", "status", "located", "assertion")),
        (11, {"kind": "exception"}, True),
        (11, {"kind": "exception", "told": {"message": "upload failed"}}, True),
        (11, {"kind": "exception", "told": {"message": "gave up on the upload after 5 retries"}}, True),
        (11, {"kind": "exception", "told": {"message": "the upload of part 4 is not there"}}, False),
        (11, {"entry": True}, False),
    ],
)
def test_the_end_of_what_was_tried(line: int, more: dict[str, Any], follows: bool) -> None:
    end, briefs = claim("E", line, **more), {"E": brief()}
    assert in_vain(tried(), end, briefs) is follows
    assert not in_vain(claim("T", 10, level="WARNING"), end, briefs), "nothing was tried"
    assert not in_vain(tried(level="INFO"), end, briefs), "nothing says that it failed"


def test_tries_that_say_what_is_wrong_need_no_end_that_does() -> None:
    end = claim("E", 11, kind="exception", told={"message": "the upload of part 4 is not there"})
    assert in_vain(tried(words=["REFUSED"]), end, {})


def test_nothing_is_the_end_of_itself() -> None:
    one = tried()
    assert not in_vain(one, one, {})


@pytest.mark.parametrize(
    ("line", "more", "lines", "ended"),
    [
        (10, {}, 40, True),
        (10, {}, 41, False),
        (10, {"level": "INFO"}, 40, False),
        (10, {"level": "INFO", "words": ["FAILED"]}, 40, True),
        (10, {"level": "", "words": ["EXCEPTION"]}, 40, True),
        (10, {"level": "", "words": ["REASON"]}, 40, True),
        (10, {"level": ""}, 40, False),
    ],
)
@pytest.mark.parametrize("word", ["PROGRESS", "SUCCESS", "ENDED"])
def test_the_last_try_ends_a_log_that_does_not_go_on(
    line: int, more: dict[str, Any], lines: int, ended: bool, word: str
) -> None:
    one, before, after = (
        tried(line, **more),
        claim("B", 9, "state", words=[word]),
        claim("A", 11, "state", words=[word]),
    )
    courses = {"a.log": Course(lines)}
    assert spent(one, Scene([before, one], {}, courses)) is ended
    assert not spent(one, Scene([one, after], {}, courses))
    assert not spent(claim("T", line, **more), Scene([one], {}, courses))
