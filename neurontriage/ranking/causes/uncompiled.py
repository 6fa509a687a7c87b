"""A build goes on over what it could not compile, and then misses it: at the linker, or where a package needs it.

That it went on is how it was told to build (`make -k`, `-i`, one package after another): nothing was outlived.
"""

from __future__ import annotations

from neurontriage.claims.claim import Claim
from neurontriage.lines.words import Sought
from neurontriage.ranking.features import Scene

# A compiler says of a source that it stops, or what is wrong in it.
_STOPS = Sought(
    r"(?:^|[\s:>|])(?:[Ff]atal [Ee]rror|catastrophic error): \S|:\d+(?::\d+)?:? (?:error|Error): \S|\berror #\d+: \S"
)
# What is compiled only to see whether it can be.
_TRIED = Sought(
    r"(?i)\bconftest\b|\bCMakeTmp\b|\bCMakeScratch\b|\btry_?compile\b|\btest_?\w{0,30}\.(?:c|cc|cpp|cxx|f90)\b"
)
_MISSES = Sought(
    r"\bundefined reference to\b|\b[Uu]ndefined symbols?\b|\bunresolved external\b|\bcannot find -l|\bld returned [1-9]"
    r"|(?i:\b[\w.+-]+\.(?:o|lo|a|so|obj|lib|mod)\b\W{0,3} ?(?:no such file|file not found|does not exist))"
    r"|\bno rule to make target\b|\bno such file or directory\b.{0,8}\b[\w.+-]+\.(?:o|a|so)\b"
    r"|\bnot available for package\b|\bno package called\b|\bproblems? building\b|\bhad non-zero exit status\b"
)


def uncompiled(likely: Claim, claim: Claim, scene: Scene) -> bool:
    """Whether the likely claim misses what was to be compiled, and this one, above, is why a compiler stopped."""
    one, other = claim.event.evidence, likely.event.evidence
    if one.path != other.path or one.line >= other.line or claim.says in ("note", "exit"):
        return False
    if not _MISSES.search(other.text) or _MISSES.search(one.text) or not _STOPS.search(one.text):
        return False
    return claim.event.said.level != "WARNING" and not _TRIED.search(one.text)
