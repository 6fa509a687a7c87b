"""What is settled for the current folder (own entries, what is silenced, the language) → for `run` and `watch`."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from neurontriage import config
from neurontriage.errors import TriageError
from neurontriage.knowledge import silence
from neurontriage.knowledge.catalog import Catalog, load
from neurontriage.live.answer import say
from neurontriage.model import Diagnosis
from neurontriage.render.audience import addressed, reader
from neurontriage.render.translation import localized
from neurontriage.reports.terminal import render
from neurontriage.resources import own_knowledge
from neurontriage.silencing import silenced


@dataclass(frozen=True)
class Project:
    """The settings, the folders with entries of one's own, and what is known with them."""

    settings: config.Config
    folders: Sequence[Path]
    catalog: Catalog

    def heard(self, diagnosis: Diagnosis) -> Diagnosis:
        """The diagnosis without what is silenced."""
        return silenced(diagnosis, silence.read(self.folders), self.settings, self.catalog)[0]

    def drawn(self, diagnosis: Diagnosis) -> str:
        """The answer of one screen in the language of the settings, or of the locale."""
        with addressed(reader(self.settings.language, False)):
            return render(localized(diagnosis))


def project(given: Sequence[Path]) -> Project:
    """What is settled here, and given besides. Raises TriageError where settings or entries are faulty."""
    folders = own_knowledge(given)
    return Project(config.load(), folders, load(folders))


def settled(given: Sequence[str]) -> Project:
    """The same beside a command that runs already: where it is faulty, that is said, and the shipped entries answer."""
    try:
        return project([Path(folder) for folder in given])
    except TriageError as error:
        say(f"explained without settings and entries of your own: {str(error).partition(chr(10))[0]}")
        return Project(config.Config(), (), load())
