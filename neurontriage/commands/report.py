"""`neurontriage report`: what an analyze report (result.json) says, why operators fail, and what helps."""

from __future__ import annotations

import sys
from enum import Enum
from importlib import import_module
from pathlib import Path
from typing import Annotated, Optional

import typer

from neurontriage import catalog
from neurontriage.analysis.compare import compared
from neurontriage.analysis.join import Facts, analyse
from neurontriage.analysis.result import load
from neurontriage.errors import Exit, TriageError
