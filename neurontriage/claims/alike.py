"""What lines said that were read, by their templates: those like them that are only counted say the same."""

from __future__ import annotations

from collections.abc import Callable, Container
from dataclasses import dataclass, field

from neurontriage.claims.claim import Claim
from neurontriage.model import Said

_MOST = 10_000


@dataclass(eq=False, repr=False)
class Alike:
    """`claims`: the claim that the lines of a template are in; `said`: what the latest of them says.

    `differ`: templates of which lines are in several claims, since a number in them tells these apart.
    """

    claims: dict[str, Claim] = field(default_factory=dict)
    said: dict[str, Said] = field(default_factory=dict)
    differ: set[str] = field(default_factory=set)
    most: int = field(default_factory=lambda: _MOST)

    def claimed(self, template: str, claim: Claim) -> None:
        """A line of a template is in a claim."""
        if self.claims.setdefault(template, claim) is not claim:
            self.claims[template] = claim
            self.differ.add(template)

    def forget(self, counted: Callable[[], Container[str]]) -> None:
        """Once they are many, let go of all but those of which lines may be `counted`."""
        if len(self.said) + len(self.claims) > self.most:
            kept = counted()
            self.said = {key: said for key, said in self.said.items() if key in kept}
            self.claims = {key: claim for key, claim in self.claims.items() if key in kept}
            self.differ &= self.claims.keys()
            self.most = 2 * max(len(self.said) + len(self.claims), _MOST)
