"""Paths → diagnoses, on as many cores as there are: tasks, who reads them, and what they tell."""

from neurontriage.incident.crew import ReadBy
from neurontriage.incident.logs import Logs, Way, read

__all__ = ["Logs", "ReadBy", "Way", "read"]
