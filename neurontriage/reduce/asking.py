"""Asks the predicate in parallel, each module once; answers are written down, so that a killed run goes on."""

from __future__ import annotations

import hashlib
import json
import threading
import time
from collections.abc import Callable, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import asdict, dataclass, field
from pathlib import Path

from neurontriage.reduce.predicate import Answer, Predicate

JOURNAL = "calls.jsonl"
OTHERS = "other-failures"


class Spent(Exception):
    """The budget of calls or the time is used up; the text says which."""


@dataclass(frozen=True, slots=True)
class Budget:
    """Calls and seconds that a run may use, and how many candidates are tried at once."""

    calls: int = 2_000
    seconds: float = float("inf")
    workers: int = 1


@dataclass
class Asker:
    """Answers for modules, from the journal where one was asked before."""

    predicate: Predicate
    folder: Path
    budget: Budget
    progress: Callable[[str], None] = lambda _: None
    question: str = ""
    """What is asked, in words: answers to another question in the same folder do not count."""
    calls: int = 0
    others: dict[str, int] = field(default_factory=dict)
    """Other failures that candidates showed, and how often."""

    def __post_init__(self) -> None:
        self._known: dict[str, Answer] = {}
        self._lock = threading.Lock()
        self._started = time.monotonic()
        self._pool = ThreadPoolExecutor(self.budget.workers)
        path = self.folder / JOURNAL
        if path.is_file():
            for line in path.read_text(encoding="utf-8").splitlines():
                self._remember(line)
        self._journal = path.open("a", encoding="utf-8")

    def _remember(self, line: str) -> None:
        """A line that was cut off by a kill is asked again."""
        try:
            row = json.loads(line)
            self._known[row.pop("module")] = Answer(**row)
        except (ValueError, KeyError, TypeError):
            return

    def answer(self, module: bytes, again: bool = False) -> Answer:
        """The verdict on one module; `again` asks the predicate a second time although the answer is known."""
        key = _key(self.question, module) + ("-again" if again else "")
        with self._lock:
            known = self._known.get(key)
        if known is not None:
            return known
        self._spend()
        found = self.predicate(module)
        with self._lock:
            self._known[key] = found
            self._journal.write(json.dumps({"module": key, **asdict(found)}) + "\n")
            self._journal.flush()
            self._note(found, module)
        return found

    def _spend(self) -> None:
        with self._lock:
            if self.calls >= self.budget.calls:
                raise Spent(f"the budget of {self.budget.calls:,} calls is used up")
            if time.monotonic() - self._started > self.budget.seconds:
                raise Spent(f"the time limit of {self.budget.seconds:.0f} s is used up")
            self.calls += 1

    def _note(self, found: Answer, module: bytes) -> None:
        """A candidate that fails otherwise is kept: another bug, found on the way."""
        if found.verdict == "other":
            if found.said not in self.others:
                folder = self.folder / OTHERS
                folder.mkdir(exist_ok=True)
                name = f"{len(self.others) + 1:02}-{found.said.split(':')[0]}"
                (folder / f"{name}.hlo_module.pb").write_bytes(module)
                (folder / f"{name}.txt").write_text(found.said + "\n", encoding="utf-8")
            self.others[found.said] = self.others.get(found.said, 0) + 1
        self.progress(f"call {self.calls}: {found.verdict} ({found.seconds:.1f} s)")

    def first(self, modules: Sequence[Callable[[], bytes]]) -> int | None:
        """The index of the first module that fails the same way; the lowest one, whatever the number of workers."""
        width = self.budget.workers
        for start in range(0, len(modules), width):
            answers = self._together(modules[start : start + width])
            failing = [n for n, one in enumerate(answers) if one.verdict == "same"]
            if failing:
                return start + failing[0]
        return None

    def all(self, modules: Sequence[Callable[[], bytes]]) -> list[bool]:
        """For each module whether it fails the same way."""
        return [one.verdict == "same" for one in self._together(modules)]

    def _together(self, modules: Sequence[Callable[[], bytes]]) -> list[Answer]:
        if self.budget.workers == 1:
            return [self.answer(make()) for make in modules]
        waiting: list[Future[Answer]] = [self._pool.submit(self.answer, make()) for make in modules]
        return [future.result() for future in waiting]

    def later(self, module: bytes) -> Future[Answer]:
        """A second answer on a module, while others are asked; at once where there is one worker only."""
        if self.budget.workers > 1:
            return self._pool.submit(self.answer, module, True)
        done: Future[Answer] = Future()
        done.set_result(self.answer(module, again=True))
        return done

    def close(self) -> None:
        """Waits for what runs, and closes the journal."""
        self._pool.shutdown(cancel_futures=True)
        self._journal.close()


def _key(question: str, module: bytes) -> str:
    return hashlib.sha256(question.encode() + b"\0" + module).hexdigest()[:32]
