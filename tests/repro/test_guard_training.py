"""Under the guard a program computes what it computes on CPU: gradients, buffers, caches, aliases, random state."""

from __future__ import annotations

import os
import random
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import pytest

from neurontriage.repro import fallback
from neurontriage.repro.guard import Guard
from neurontriage.repro.lazy import Lazy, torch

os.environ.setdefault("PJRT_DEVICE", "CPU")
pytestmark = [pytest.mark.xla, pytest.mark.usefixtures("xla")]
models: Any = Lazy("guard_models")
"""Without torch these tests fail, and do not hide: `make test-fast` leaves them out by their mark."""


def refused(x: Any) -> Any:
    """A step that only the device refuses; on CPU it is the identity."""
    return models.Failing.apply(x)


def lazily_refused(x: Any) -> Any:
    """Traces, but its graph does not compile."""
    return models.lazily_refused(x)


@pytest.fixture
def device() -> Any:
    import torch_xla

    return torch_xla.device()


@pytest.fixture
def guard(monkeypatch: pytest.MonkeyPatch) -> Iterator[Guard]:
    """A guard that takes the stand-in failures for the compiler's."""
    from neurontriage.repro import guard as room
    from neurontriage.triage import explain_text

    made = fallback(explain=lambda text: explain_text(models.TEN404 if "hlo verifier" in text else text, path="log"))
    monkeypatch.setattr(room, "_explain", made.explain)
    yield made


def train(net: Any, forward: Callable[[Any], Any], place: Any, steps: int = 4) -> list[float]:
    """Losses of plain gradient descent; the update itself is computed on CPU on both sides."""
    losses = []
    for step in range(steps):
        x = torch.randn(8, 4, generator=torch.Generator().manual_seed(step)).to(place)
        loss = (forward(x) ** 2).mean()
        loss.backward()
        with torch.no_grad():
            for weight in net.parameters():
                weight.copy_((weight.cpu() - 0.1 * weight.grad.cpu()).to(place))
                weight.grad = None
        losses.append(float(loss.detach().cpu()))
    return losses


@pytest.mark.parametrize("fails", [refused, lazily_refused], ids=["raised", "when compiled"])
@pytest.mark.parametrize("way", ["module", "method", "closure"])
def test_training_equals_training_on_cpu(guard: Guard, device: Any, fails: Callable[[Any], Any], way: str) -> None:
    plain, net = models.Net(fails), models.Net(fails).on(device)
    guarded = {"module": net, "method": net.forward, "closure": lambda x: net(x)}[way]
    expected, found = train(plain, plain, "cpu"), train(net, lambda x: guard.run(guarded, x), device)
    state, wanted = net.state_dict(), plain.state_dict()
    assert set(guard.counts) == {"TEN404-InferIntrinsicOnCC"}
    assert guard.counts.total() == 4
    assert all(torch.allclose(state[name].cpu(), wanted[name], atol=1e-6) for name in wanted)
    assert torch.equal(state["norm.running_mean"].cpu(), wanted["norm.running_mean"])
    assert found == pytest.approx(expected, rel=1e-6)
    assert net.calls == plain.calls == 4
    assert net.last.weight is net.first.weight


def test_the_first_step_is_equal_bit_for_bit(guard: Guard, device: Any) -> None:
    plain, net = models.Net(refused), models.Net(refused).on(device)
    x = torch.randn(8, 4)
    for each, place in ((plain, "cpu"), (net, device)):
        (each(x) if place == "cpu" else guard.run(each, x.to(place))).pow(2).sum().backward()
    for (name, wanted), found in zip(plain.named_parameters(), net.parameters(), strict=True):
        assert torch.equal(wanted.grad, found.grad.cpu()), name


def cache_step(cache: dict[str, Any], seen: list[Any], x: Any, at: int) -> Any:
    """Writes a row before and after the failure, and appends to a list."""
    cache["rows"][at] += x
    y = refused(x * 2)
    cache["rows"][at] += y
    seen.append(y)
    cache["length"] = at + 1
    return cache["rows"].sum(0)


def test_caches_lists_and_dictionaries_are_written_once(guard: Guard, device: Any) -> None:
    there: tuple[dict[str, Any], list[Any]] = {"rows": torch.zeros(3, 2).to(device), "length": 0}, []
    here: tuple[dict[str, Any], list[Any]] = {"rows": torch.zeros(3, 2), "length": 0}, []
    rows = there[0]["rows"]
    refused_on_cpu = [cache_step(*here, torch.full((2,), at + 1.0), at) for at in range(3)]
    found = [guard.run(cache_step, *there, torch.full((2,), at + 1.0).to(device), at) for at in range(3)]
    assert [y.cpu().tolist() for y in found] == [y.tolist() for y in refused_on_cpu]
    assert there[0]["rows"] is rows
    assert torch.equal(rows.cpu(), here[0]["rows"])
    assert [y.cpu().tolist() for y in there[1]] == [y.tolist() for y in here[1]]
    assert there[0]["length"] == 3
    assert {y.device.type for y in [*found, *there[1]]} == {"xla"}


@dataclass
class Output:
    """As models return them."""

    loss: Any
    parts: tuple[Any, ...]
    given: Any


def test_results_keep_their_type_their_device_and_what_is_shared(guard: Guard, device: Any) -> None:
    from collections import OrderedDict

    x = torch.ones(2).to(device)
    found = guard.run(lambda t: Output(refused(t).sum(), (t * 2, None), t), x)
    assert type(found) is Output
    assert found.given is x
    assert {found.loss.device.type, found.parts[0].device.type} == {"xla"}
    named = guard.run(lambda t: OrderedDict(logits=refused(t)), x)
    assert type(named) is OrderedDict


def test_random_state_is_as_if_the_failed_call_never_was(device: Any) -> None:
    def step(x: Any) -> Any:
        noise = torch.rand(2) + random.random()  # drawn on CPU on either way
        return refused(x + noise.to(x.device))

    made = fallback()
    torch.manual_seed(3), random.seed(3)
    expected = torch.ones(2) + torch.rand(2) + random.random()
    after = torch.rand(1), random.random()
    torch.manual_seed(3), random.seed(3)
    assert torch.equal(made.run(step, torch.ones(2).to(device)).cpu(), expected)
    assert (torch.rand(1), random.random()) == after


def ones() -> Any:
    return torch.ones(4)


def dropped(x: Any) -> Any:
    return torch.nn.functional.dropout(refused(x), 0.5)


def a_view(x: Any) -> Any:
    return refused(x) if x.device.type == "xla" else x[:2]


def reads_gradients(x: Any, weight: Any) -> Any:
    (refused(x) * weight).sum().backward()
    with torch.no_grad():
        return weight - weight.grad if weight.grad is not None else weight


def overlapping_views(x: Any, part: Any) -> Any:
    total = refused(x).sum()
    part += 1
    return total


def no_grad_weight(device: Any) -> tuple[Any, ...]:
    return ones().to(device), torch.ones(4, device=device, requires_grad=True)


def with_part(device: Any) -> tuple[Any, ...]:
    x = torch.ones(4).to(device)
    return x, x[:2]


@pytest.mark.parametrize(
    ("function", "given", "reason"),
    [
        (dropped, lambda device: (ones().to(device),), "random numbers"),
        (a_view, lambda device: (ones().to(device),), "view of what it was given"),
        (reads_gradients, no_grad_weight, "reads .grad"),
        (overlapping_views, with_part, "several views"),
    ],
)
def test_what_could_come_out_otherwise_is_refused(
    guard: Guard, device: Any, caplog: pytest.LogCaptureFixture, function: Any, given: Any, reason: str
) -> None:
    inputs = given(device)
    before = [tensor.detach().cpu().clone() for tensor in inputs]
    state = torch.get_rng_state()
    with pytest.raises(RuntimeError, match="TEN404"):
        guard.run(function, *inputs)
    assert reason in caplog.text
    assert not guard.counts
    assert all(torch.equal(tensor.detach().cpu(), old) for tensor, old in zip(inputs, before, strict=True))
    assert all(tensor.grad is None for tensor in inputs if tensor.requires_grad)
    assert torch.equal(state, torch.get_rng_state())


def test_random_numbers_may_be_allowed(device: Any) -> None:
    found = fallback(allow_random=True).run(dropped, ones().to(device))
    assert set(found.cpu().tolist()) <= {0.0, 2.0}


def test_a_failed_call_that_wrote_to_parameters_cannot_be_undone(
    guard: Guard, device: Any, caplog: pytest.LogCaptureFixture
) -> None:
    weight = torch.nn.Parameter(torch.ones(2).to(device))

    def step(x: Any) -> Any:
        with torch.no_grad():
            weight.mul_(2)
        return refused(x * weight)

    with pytest.raises(RuntimeError, match="TEN404"):
        guard.run(step, torch.ones(2).to(device))
    assert "cannot be undone: it wrote to a parameter" in caplog.text
    assert not guard.counts


def test_a_global_on_the_device_is_named(
    guard: Guard, device: Any, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(globals(), "TABLE", torch.ones(2).to(device))
    with pytest.raises(RuntimeError, match="TEN404"):
        guard.run(uses_global, torch.ones(2).to(device))
    assert "the global TABLE holds tensors" in caplog.text


TABLE: Any = None


def uses_global(x: Any) -> Any:
    return refused(x) + TABLE
