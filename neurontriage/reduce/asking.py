"""Asks the predicate in parallel, each module once; answers are written down, so that a killed run goes on."""

from __future__ import annotations

import hashlib
import json
import threading
import time
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import asdict, dataclass, field
from pathlib import Path

from neurontriage.reduce.ahead import Call, Question
from neurontriage.reduce.predicate import Answer, Predicate, Stop

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
    question: str = ""
    """What is asked, in words: answers to another question in the same folder do not count."""
    calls: int = 0
    others: dict[str, int] = field(default_factory=dict)
    """Other failures that candidates showed, and how often."""

    def __post_init__(self) -> None:
        self._known: dict[str, Answer] = {}
        self._running: dict[str, Future[Answer]] = {}
        self._lock, self._making = threading.Lock(), threading.Lock()
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

    def answer(self, module: bytes, again: bool = False, stop: Stop | None = None) -> Answer:
        """The verdict on one module; `again` asks the predicate a second time although the answer is known.

        Raises Spent. A module that another worker asks about right now is waited for, not asked twice.
        """
        key = _key(self.question, module) + ("-again" if again else "")
        stop = stop or Stop()
        while True:
            with self._lock:
                if key in self._known:
                    return self._known[key]
                running = self._running.get(key)
                if running is None:
                    self._spend()
                    mine: Future[Answer] = Future()
                    self._running[key] = mine
            if running is None:
                return self._asked(key, module, stop, mine)
            found = running.result()
            if found.verdict != "stopped" or stop.is_set():
                return found

    def _asked(self, key: str, module: bytes, stop: Stop, running: Future[Answer]) -> Answer:
        """Asks the predicate; an answer that was stopped on the way is forgotten."""
        try:
            found = self.predicate(module, stop)
        except BaseException as error:
            running.set_exception(error)
            raise
        finally:
            with self._lock:
                del self._running[key]
        with self._lock:
            if found.verdict != "stopped":
                self._known[key] = found
                self._journal.write(json.dumps({"module": key, **asdict(found)}) + "\n")
                self._journal.flush()
            self._note(found, module)
        running.set_result(found)
        return found

    def _spend(self) -> None:
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

    def start(self, question: Question) -> Call:
        """Asks a question of a reduction without waiting for the answer."""
        stop = Stop()

        def ask() -> Answer:
            with self._making:  # one after the other: what is needed first was asked first
                module = b"" if stop.is_set() else question.make()
            return self.answer(module, question.again, stop) if module else Answer("stopped")

        return Call(self._pool.submit(ask), stop)

    @property
    def ahead(self) -> int:
        """One question for each worker; one alone when the budget is nearly used up."""
        return self.budget.workers if self.budget.calls - self.calls > 2 * self.budget.workers else 1

    def close(self) -> None:
        """Waits for what runs, and closes the journal."""
        self._pool.shutdown(cancel_futures=True)
        self._journal.close()


def _key(question: str, module: bytes) -> str:
    return hashlib.sha256(question.encode() + b"\0" + module).hexdigest()[:32]
