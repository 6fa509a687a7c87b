"""In the process beside a command: reads the copy of its output, explains it, and passes on what still comes."""

from __future__ import annotations

import marshal
import os
import queue
import sys
import threading
from collections.abc import Container, Iterable, Iterator
from contextlib import suppress
from functools import partial
from itertools import chain
from time import monotonic

from neurontriage.live.answer import Ended, say, show, write
from neurontriage.live.arriving import Arriving
from neurontriage.live.feed import CLOSED, EXIT, OUTPUT, Frame, frames
from neurontriage.live.hang import Hang
from neurontriage.live.relay import Relay
from neurontriage.live.watcher import ANSWERED, Watcher

OUTPUT_NAME, EXIT_NAME = "<output>", "<exit>"
_MOST_FRAMES = 256
_HELD = 4 << 20
"""Bytes of output that are only held: what explains is loaded for commands that print more, hang, or fail."""


def explain(watcher: Watcher) -> None:
    """Read what the watcher holds and what still comes, to the end of the command, and explain it."""
    Explaining(watcher).run()


class Explaining:
    """What became of the output: how the command ended, how it hangs, and what of its files is not at hand."""

    def __init__(self, watcher: Watcher) -> None:
        self.watcher, self.plan = watcher, watcher.plan
        self.inbox: queue.Queue[Frame | None] = queue.Queue(_MOST_FRAMES)
        self.hang = Hang(self.plan.silence, monotonic)
        self.hang.last = watcher.last
        self.arriving = Arriving(self.inbox, self._idle)
        self.relays: list[Relay] = []
        self.hung = ""
        self.missing: tuple[str, ...] = ()

    def run(self) -> None:
        """To the end of the command, and of what it leaves behind."""
        threading.Thread(target=self._receive, daemon=True).start()
        try:
            self._explain()
        except Exception as error:  # noqa: BLE001 - whatever it is, the command's output is still ours to pass on
            say(f"the output could not be explained: {error}".splitlines()[0])
        with suppress(OSError):
            os.write(self.watcher.answer, ANSWERED)
            os.close(self.watcher.answer)
        ended = self._ended()
        self._relay(ended.open if ended else ())
        for relay in self.relays:
            relay.join()

    def _receive(self) -> None:
        """Frames → inbox. Where they end without an EXIT, the first process was killed: go on in its place."""
        for frame in frames(self.watcher.line, self.watcher.held):
            kind, channel, _ = frame
            if kind == CLOSED:
                with suppress(OSError):
                    os.close(self.watcher.channels.outputs[channel].source)
            else:
                self.inbox.put(frame)
            if kind == EXIT:
                return
        self._relay(range(len(self.watcher.channels.outputs)))
        for relay in self.relays:
            relay.join()
        self.inbox.put(None)

    def _relay(self, numbers: Iterable[int]) -> None:
        """Pass on what still comes on these channels."""
        for number in numbers:
            channel, piece = self.watcher.channels.outputs[number], self.watcher.pieces[number]
            self.relays.append(Relay(channel, piece, partial(self._copied, number), _nothing))
            self.relays[-1].start()

    def _copied(self, number: int, data: bytes) -> None:
        with suppress(queue.Full):
            self.inbox.put_nowait((OUTPUT, number, data))

    def _idle(self, text: bytes) -> bool:
        """Look whether the job still gets on; if not, a copy of this process explains what it has, and ends."""
        with suppress(ChildProcessError):
            os.waitpid(-1, os.WNOHANG)
        hung = self.hang.look(text)
        if hung is None or os.fork() != 0:
            return False
        self.hung = hung
        return True

    def _explain(self) -> None:
        output = self.arriving.blocks()
        held = self._held(output)
        ended = self._ended()
        if ended is not None and ended.code == 0 and not self.hung and not self.plan.report:
            self._say_unwritten()
            return  # to load what explains would cost a short command more than everything else here
        from dataclasses import replace
        from pathlib import Path

        from neurontriage.live.settled import settled
        from neurontriage.triage import diagnose

        project = settled(self.plan.knowledge)
        diagnosis = diagnose(self._incident(map(self.arriving.readable, chain(held, output))), project.catalog)
        diagnosis = project.heard(replace(diagnosis, collect=self.missing))
        ended = self._ended()
        bad = self.hung or (ended is not None and ended.code != 0)
        if bad or (ended is None and diagnosis.roots):
            from neurontriage.render.redaction.sharing import prepared

            sys.stdout = sys.stderr  # the answer goes there: whether it takes colours is what counts
            how = f"{self.hung}; what the output shows so far:" if self.hung else str(ended or "the command has ended")
            say(prepared(how, self.plan.redact, False)[0])
            if diagnosis.findings or diagnosis.collect or diagnosis.suspects:
                show(project.drawn(prepared(diagnosis, self.plan.redact, False)[0]))
            if not diagnosis.roots:
                shown = {one.text.strip() for found in diagnosis.findings for one in found.evidence}
                self._say_last_words(shown)
        self._say_losses()
        if self.hung:
            os._exit(0)
        if self.plan.report:
            write(diagnosis, Path(self.plan.report), self.plan.redact)

    @staticmethod
    def _held(output: Iterator[bytes]) -> list[bytes]:
        """The beginning of the output, all of it where it ends before it is much."""
        held: list[bytes] = []
        size = 0
        for block in output:
            held.append(block)
            size += len(block)
            if size >= _HELD:
                break
        return held

    def _say_last_words(self, shown: Container[str]) -> None:
        """What the command wrote last, where nothing in its output is a failure, and where that is not `shown`."""
        from neurontriage.render.redaction.sharing import prepared
        from neurontriage.render.text import printable

        lines = self.arriving.last_words()
        if lines and lines[-1] in shown:
            return
        say(f"its output does not say why: there is no failure in it{'; its last words:' if lines else ''}")
        for line in lines:
            show(f"  │ {printable(prepared(line, self.plan.redact, False)[0])}\n")

    def _say_losses(self) -> None:
        """What of the output was not read, or not passed on."""
        if self.arriving.lost:
            say(f"{self.arriving.lost} bytes of output came too fast to be read; they are passed on, not explained")
        if self.arriving.binary:
            say(f"{self.arriving.binary} bytes of output are no text; they are passed on, not explained")
        if not self.hung:
            self._say_unwritten()

    def _say_unwritten(self) -> None:
        if (ended := self._ended()) is not None and ended.unwritten:
            say(f"{ended.unwritten} bytes of output could not be passed on: {ended.fault}")

    def _incident(self, output: Iterable[bytes]) -> Iterator[tuple[str, Iterator[bytes]]]:
        """The output to its end; then, when it went wrong, what is known besides."""
        from neurontriage.live import kernel, surroundings
        from neurontriage.read.sparing import spared
        from neurontriage.read.trail import Trail, error_text

        trail = Trail(self.plan.places())
        yield OUTPUT_NAME, trail.watch(OUTPUT_NAME, output)
        ended = self._ended()
        if ended is not None and ended.code == 0 and not self.hung:
            return
        followed, self.missing = trail.followed()
        for one in followed:
            for name, content in spared(one):
                yield name, error_text(content) if name.endswith(".json") else content
        if ended is not None and (fatal := ended.fatal):
            yield EXIT_NAME, iter([f"{fatal}\n".encode()])
        if said := kernel.since(self.watcher.started):
            yield "<kernel log>", iter([said])
        if rows := surroundings.versions(self.plan.words[0]):
            yield "<installed>", iter([rows])

    def _ended(self) -> Ended | None:
        if self.arriving.status is None:
            return None
        return Ended(self.plan.words, marshal.loads(self.arriving.status))


def _nothing() -> None:
    """Nobody is left to be told that a reader has gone."""
