"""A module that failed to compile and never passed fails the log, however many do; one that passed later does not."""

from __future__ import annotations

from hypothesis import example, given, settings
from hypothesis import strategies as st

from neurontriage.knowledge.catalog import Catalog
from neurontriage.model import Diagnosis
from neurontriage.triage import explain_text

FATES = ("passed", "failed", "passed again", "failed again")
FORMS = ("retries", "reason")


class Wrapper:
    """Writes what the compile wrapper prints."""

    def __init__(self) -> None:
        self.lines: list[str] = []

    def say(self, level: str, text: str) -> None:
        time = f"2026-03-01 10:{len(self.lines) // 60:02}:{len(self.lines) % 60:02}.000001"
        self.lines.append(f"{time}:  1320  {level} ||NEURON_CC_WRAPPER||: {text}")

    def compile(self, module: str, well: bool, form: str) -> None:
        files = f"/tmp/u/1/model.{module}.hlo_module.pb --output /tmp/u/1/model.{module}.neff"
        self.say("INFO", f"Call compiler with cmd: neuronx-cc compile --framework=XLA {files}")
        if well:
            self.say("INFO", f"Compilation Successfully Completed for model.{module}.hlo_module.pb")
        elif form == "retries":
            self.say("ERROR", f"Compilation failed for /tmp/u/1/model.{module}.hlo_module.pb after 0 retries.")
        else:
            words = str(["neuronx-cc", "compile", *files.split()])
            self.say("ERROR", f"Failed compilation with {words}: [ERROR] [NCC_EVRF009] Size of total input and output")


def written(fates: list[str], form: str) -> str:
    wrapper, names = Wrapper(), [f"MODULE_{10**18 + 7919 * n}+d41d8cd9" for n in range(len(fates))]
    for name, fate in zip(names, fates, strict=True):
        wrapper.compile(name, fate == "passed", form)
    for name, fate in zip(names, fates, strict=True):
        if fate.endswith("again"):
            wrapper.compile(name, fate.startswith("passed"), form)
    return "\n".join(wrapper.lines) + "\n"


def explained(catalog: Catalog, fates: list[str], form: str) -> Diagnosis:
    return explain_text(written(fates, form), "a.log", catalog)


@settings(max_examples=25, deadline=None)
@example([*["passed again"] * 4, "failed"], "reason")  # of the fifth no more is read than which module it is of
@given(st.lists(st.sampled_from(FATES), min_size=1, max_size=40), st.sampled_from(FORMS))
def test_what_never_passed_fails_the_log(catalog: Catalog, fates: list[str], form: str) -> None:
    left = any(fate.startswith("failed") for fate in fates)
    assert bool(explained(catalog, fates, form).roots) is left


@settings(max_examples=8, deadline=None)
@given(st.integers(1, 60), st.integers(0, 60), st.sampled_from(FORMS))
def test_their_number_changes_nothing(catalog: Catalog, failed: int, passed: int, form: str) -> None:
    few = ["failed", "passed"] * min(failed, passed)
    fates = [*few, *["passed"] * (passed - len(few) // 2), *["failed"] * (failed - len(few) // 2)]
    assert explained(catalog, fates, form).roots
    assert not explained(catalog, [fate.replace("failed", "passed again") for fate in fates], form).roots


def test_who_passes_beside_another_that_fails_is_no_later_attempt(catalog: Catalog) -> None:
    """Two ranks compile the same module at the same time: that it passed for one does not mend the other."""
    wrapper, module = Wrapper(), "MODULE_1000000000000000007+d41d8cd9"
    wrapper.compile(module, True, "retries")
    wrapper.compile("MODULE_2000000000000000007+d41d8cd9", True, "retries")
    wrapper.say("ERROR", f"Compilation failed for /tmp/u/2/model.{module}.hlo_module.pb after 0 retries.")
    wrapper.compile("MODULE_3000000000000000007+d41d8cd9", True, "retries")
    assert explain_text("\n".join(wrapper.lines), "a.log", catalog).roots
