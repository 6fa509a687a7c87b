"""Commands typed at a shell's prompt, in the log of a terminal: which program was started there, and started again."""

from __future__ import annotations

import shlex
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import NamedTuple

from neurontriage.expressions import expression
from neurontriage.facts.wording import shown
from neurontriage.read.needles import Needles

MOST_TYPED = 1000
_SIGNS = Needles(b"$", b"root@", "➜".encode())
_LONGEST_HEAD, _LONGEST_COMMAND = 300, 500
_COLOURS = expression(rb"\x1b(?:\[[\d;?]*[A-Za-z]|\][^\x07\n]{0,200}\x07|\(B)")
_PROMPT = (
    r"(?:\([\w./ -]{1,40}\) ?){0,3}"
    r"(?:\$|(?:\[[\w.-]{1,40}@[\w.-]{1,80} [^\s\]]{1,120}\]|[\w.-]{1,40}@[\w.-]{1,80}(?::[^\s$#]{0,120})? ?"
    r"|(?:ba|z|da)?sh-\d[\d.]*)[$#]|[~/][\w./-]{0,120} \$|➜ {1,2}\S{1,80}(?: git:\([^)\s]{1,80}\))?(?: ✗)?)(?: +|$)"
)
_SHOWN = expression(_PROMPT)
_PRINTED = expression(_PROMPT.encode())
# What a person looks at, changes or clears away between two starts of a program.
# fmt: off
_LOOKS = frozenset({
    "cd", "ls", "ll", "la", "cat", "less", "more", "head", "tail", "grep", "egrep", "rg", "echo", "printf", "export",
    "unset", "source", ".", "vi", "vim", "nano", "emacs", "which", "type", "pwd", "env", "set", "id", "whoami",
    "date", "df", "du", "free", "ps", "top", "htop", "neuron-ls", "neuron-top", "neuron-monitor", "nvidia-smi",
    "dmesg", "journalctl", "lsmod", "lspci", "lscpu", "uname", "history", "exit", "logout", "clear", "kill", "pkill",
    "killall", "rm", "mkdir", "rmdir", "cp", "mv", "ln", "touch", "chmod", "chown", "tree", "wc", "sed", "awk",
    "find", "tmux", "screen", "watch", "sleep", "git", "man", "squeue", "sinfo", "sacct", "scontrol", "scancel",
    "kubectl", "ulimit", "stat", "file", "diff", "hostname", "ssh", "scp", "nproc", "conda", "deactivate", "alias",
    "true", ":", "wait", "jobs", "fg", "bg", "systemctl",
})
# fmt: on
_SHOWS = frozenset({"kubectl", "docker", "podman", "oc"})  # their `logs` print what a program started elsewhere said
_OF_MANY = frozenset({"compose", "container", "image", "volume", "network", "system"})
_LOOK = frozenset(
    {"inspect", "ps", "images", "ls", "stats", "top", "events", "version", "info", "port", "history", "df"}
)
_BEFORE = frozenset({"sudo", "time", "nohup", "exec", "nice", "env", "stdbuf"})
_SETS = expression(r"[A-Za-z_]\w*=")
_PARTS = expression(r"&&|\|\||[;|]")
_CODE = expression(r"\S+\.(?:py|sh|bash|slurm|sbatch|ipynb|ya?ml|pl|jl|r|toml)$")


class Typed(NamedTuple):
    """A prompt: its line (from 1), the `program` that the `command` at it starts; "" where it starts none."""

    line: int
    program: str
    command: str = ""


def prompted(text: str) -> bool:
    """Whether a line is a shell's prompt, with or without a command."""
    head = text[:_LONGEST_HEAD]
    return ("$" in head or "# " in head or "➜" in head) and _SHOWN.match(text) is not None


def typed(block: bytes, above: int) -> Iterator[Typed]:
    """The commands of a block of whole lines; `above` lines stand before it."""
    if not (signs := _SIGNS.within(block)):
        return
    number, counted = above + 1, 0
    for begin in sorted({begin for sign in signs for begin in _lines_with(block, sign)}):
        line = block[begin : begin + _LONGEST_HEAD + _LONGEST_COMMAND].split(b"\n", 1)[0]
        text = _COLOURS.sub(b"", shown(line))
        if prompt := _PRINTED.match(text):
            number += block.count(b"\n", counted, begin)
            counted = begin
            command = text[prompt.end() :].decode("utf-8", "replace").strip()
            yield Typed(number, program(command), command[:_LONGEST_HEAD])


def _lines_with(block: bytes, sign: bytes) -> Iterator[int]:
    """Where the lines begin that hold a sign near their start; nothing more where it comes all the time."""
    at = block.find(sign)
    for _ in range(MOST_TYPED):
        if at < 0:
            return
        begin = block.rfind(b"\n", 0, at) + 1
        if at - begin <= _LONGEST_HEAD:
            yield begin
        end = block.find(b"\n", at)
        at = block.find(sign, end) if end >= 0 else -1


def program(command: str) -> str:
    """The program that a command line starts, with its script or its first argument; "" for one that looks around."""
    for part in _PARTS.split(command[:_LONGEST_COMMAND]):
        words = _words(part)
        while words and (words[0] in _BEFORE or _SETS.match(words[0]) or words[0].startswith("-")):
            words = words[1:]
        shown = _shown(words)
        if shown[:1] == ["logs"]:
            return " ".join([words[0], "logs", *_subject(shown[1:])])
        if shown[:1] and shown[0] in _LOOK:
            continue
        if words and words[0].rpartition("/")[2] not in _LOOKS:
            return " ".join([words[0], *_subject(words[1:])])
    return ""


def _shown(words: Sequence[str]) -> Sequence[str]:
    """What a tool for containers is told to do, behind the kind of thing and the options for it."""
    if not words or words[0].rpartition("/")[2] not in _SHOWS:
        return []
    if words[1:2] and words[1] not in _OF_MANY:
        return words[1:]
    return next((words[at:] for at, word in enumerate(words[2:], 2) if word in _LOOK or word == "logs"), [])


def _words(text: str) -> list[str]:
    try:
        return shlex.split(text, comments=True)
    except ValueError:  # a quotation that goes on in the next line
        return text.split()


def _subject(words: Sequence[str]) -> list[str]:
    """What a program is told to run, or to do."""
    module = next((after for word, after in pairwise(words) if word == "-m"), None)
    code = next((word for word in words if _CODE.match(word)), None)
    plain = next((word for word in words if not word.startswith("-")), None)
    return [one for one in (module or code or plain,) if one is not None]


def repeated(commands: Sequence[Typed]) -> list[Typed]:
    """The commands that start programs, if one of them is started again: each begins a run of its own."""
    started = [one for one in commands if one.program]
    again = any(count > 1 for count in Counter(one.program for one in started).values())
    return started if again and len(commands) < MOST_TYPED else []
