"""`neurontriage.each/1`: the JSON of `neurontriage explain --each --format json`. Fields may be added, never change."""

from __future__ import annotations

from typing import Literal

from pydantic import BaseModel, ConfigDict, Field

from neurontriage.contract.explain import Closed, Count, Line


class Log(Closed):
    """One log with what it is explained by: its first root, else its first warning; null where there is neither."""

    path: str
    verdict: Literal["failed", "warned", "clean", "unknown", "empty"]
    id: str | None
    known: bool | None
    title: str | None
    line: Line | None


class Group(Closed):
    """Logs with the same first finding; `name` is its id, or the verdict of logs without one.

    `title`: what the titles of their first findings begin with alike. Findings that no entry explains are of one group
    where they differ in numbers only, so that several groups may have one name.
    """

    name: str
    title: str | None
    count: Count = Field(ge=1)
    logs: list[str]


class Table(BaseModel):
    """The whole document: failed groups first, the largest first."""

    model_config = ConfigDict(extra="forbid", title="neurontriage.each/1")

    schema_: Literal["neurontriage.each/1"] = Field(alias="schema")
    logs: list[Log]
    groups: list[Group]
