"""Each kind of edge by itself: what it connects, in which direction, and what it leaves apart."""

from __future__ import annotations

import pytest
from claimed import brief, claim, seen

from neurontriage.ranking.edges import chain, entry, exit_of, nesting, peer_of, same_code
from neurontriage.ranking.graph import KINDS, Edge, Graph, graph, rules, states


def test_an_entry_explains_by_id_whatever_the_order() -> None:
    claims = [claim("B", 1, entry=True), claim("A", 2, entry=True), claim("C", 3)]
    briefs = {"A": brief(explains=["B"]), "B": brief()}
    assert seen(entry, claims, briefs) == {"A>B"}
    [edge] = entry.edges(claims, briefs)
    assert (edge.kind, edge.why) == ("entry", "A is known to cause it")


@pytest.mark.parametrize(
    ("says", "role", "line", "follows"),
    [("raise", "root", 9, False), ("raise", "root", 8, True), ("wrap", "root", 9, True), ("raise", "symptom", 9, True)],
)
def test_what_was_stated_long_before_does_not_follow(says: str, role: str, line: int, follows: bool) -> None:
    claims = [claim("B", 2, says, entry=True), claim("A", line, entry=True)]
    briefs = {"A": brief(explains=["B"]), "B": brief(role)}
    assert (seen(entry, claims, briefs) == {"A>B"}) is follows


def test_an_entry_never_explains_itself_and_what_no_entry_knows_explains_nothing() -> None:
    claims = [claim("A", 1, entry=True), claim("A", 2, entry=True), claim("B", 3)]
    assert seen(entry, claims, {"A": brief(explains=["A"])}) == set()
    assert seen(entry, claims[2:], {"B": brief(explains=["B"])}) == set()


@pytest.mark.parametrize("named", ["family:nrt", "layer:runtime"])
@pytest.mark.parametrize(
    ("effect", "about", "follows"),
    [
        (claim("E", 2, family="nrt", layer="runtime"), brief(), True),  # nobody knows it
        (claim("E", 2, entry=True, family="nrt", layer="runtime"), brief(), False),  # a particular failure
        (claim("E", 2, entry=True, family="nrt", layer="runtime"), brief(general=True), True),
        (claim("E", 2, "exit", entry=True, family="nrt", layer="runtime"), brief(), True),
        (claim("E", 2, "wrap", entry=True, family="nrt", layer="runtime"), brief(), True),
        (claim("E", 2, "echo", entry=True, family="nrt", layer="runtime"), brief(), True),
        (claim("E", 2, "signal", entry=True, family="nrt", layer="runtime"), brief(), True),
        (claim("E", 2, "state", entry=True, family="nrt", layer="runtime"), brief(), True),
        (claim("E", 2, "note", entry=True, family="nrt", layer="runtime"), brief(), False),
        (claim("E", 2, family="python", layer="host"), brief(), False),
    ],
)
def test_families_and_layers_are_no_more_than_what_is_wide(named: str, effect, about: dict, follows: bool) -> None:
    briefs = {"A": brief(explains=[named]), "E": about}
    assert (seen(entry, [claim("A", 1, entry=True), effect], briefs) == {"A>E"}) is follows


@pytest.mark.parametrize(("first", "second"), [("A", "B"), ("B", "A")])
def test_of_two_that_explain_each_other_the_first_is_the_cause(first: str, second: str) -> None:
    claims = [claim(first, 1, entry=True), claim(second, 2, entry=True)]
    briefs = {"A": brief(explains=["B"]), "B": brief(explains=["A"])}
    assert seen(entry, claims, briefs) == {f"{first}>{second}"}


def test_python_chains_go_from_the_first_raised_to_all_after_it() -> None:
    claims = [
        claim(name, n, chain=place) for n, (name, place) in enumerate({"C": (1, 3), "A": (1, 1), "B": (1, 2)}.items())
    ]
    assert seen(chain, [*claims, claim("X", 9, chain=(2, 1)), claim("Y", 10)]) == {"A>B", "A>C", "B>C"}
    assert {edge.why for edge in chain.edges(claims, {})} == {"it was raised from, or while handling, this exception"}


def test_lines_of_one_claim_may_be_in_several_chains_and_the_first_of_two_says_what_follows() -> None:
    known, general = claim("K", 1, chains=((1, 1), (9, 2), (20, 1))), claim("G", 9, chains=((9, 1), (20, 2)))
    assert seen(chain, [known, general]) == {"G>K"}
    assert chain.raised_from(known, general)
    assert not chain.raised_from(known, claim("X", 3, chains=((1, 2),)))


@pytest.mark.parametrize("part", ["exit", "signal", "wrap", "echo"])
def test_what_ends_a_process_follows_from_what_was_stated_before_it_in_its_log(part: str) -> None:
    claims = [claim("early", 1, part), claim("A", 2), claim("end", 3, part), claim("other", 4, part, path="b.log")]
    assert seen(exit_of, claims) == {"A>end"}
    [edge] = exit_of.edges(claims, {})
    assert edge.kind == "exit_of" and edge.why.endswith(("this exit status", "this signal", "after this"))


@pytest.mark.parametrize("part", ["raise", "state", "note"])
def test_a_statement_follows_from_no_other_but_a_symptom_does(part: str) -> None:
    claims = [claim("A", 1), claim("B", 2, part, entry=True)]
    assert seen(exit_of, claims, {"B": brief()}) == set()
    assert seen(exit_of, claims, {"B": brief("symptom")}) == {"A>B"}


@pytest.mark.parametrize(
    ("cause", "about", "stated"),
    [
        (claim("A", 1, "raise"), brief(), True),
        (claim("A", 1, "state"), brief(), False),
        (claim("A", 1, "state", entry=True), brief(), True),
        (claim("A", 1, "state", entry=True), brief("wrapper"), False),
        (claim("A", 1, "state", entry=True), brief(fallback=True), False),
    ],
)
def test_what_states_a_failure(cause, about: dict, stated: bool) -> None:
    assert states(cause, {"A": about}) is stated
    assert (seen(exit_of, [cause, claim("E", 2, "exit")], {"A": about}) == {"A>E"}) is stated


TEXT = "device nine lost its memory"


@pytest.mark.parametrize(
    ("text", "follows"),
    [
        (f"worker died: {TEXT}", True),
        (f"worker died: {TEXT.upper()} and more", True),
        (TEXT, False),  # the same again is no wrapper
        (f"{TEXT} and more", False),
        ("worker died: device nine lost", False),
    ],
)
def test_a_text_that_quotes_another_reports_it(text: str, follows: bool) -> None:
    claims = [claim("A", 5, "note", text=TEXT), claim("B", 1, "note", text=text)]
    assert seen(nesting, claims) == ({"A>B"} if follows else set())


def test_a_few_letters_are_no_quotation_and_a_message_is_what_counts() -> None:
    assert seen(nesting, [claim("A", 1, text="lost"), claim("B", 2, text="worker: lost")]) == set()
    claims = [
        claim("A", 1, text="x", told={"message": TEXT}),
        claim("B", 2, text="y", told={"message": f"worker died: {TEXT}"}),
    ]
    assert seen(nesting, claims) == {"A>B"}
    [edge] = nesting.edges(claims, {})
    assert (edge.kind, edge.why) == ("nesting", "its text quotes this message")


@pytest.mark.parametrize(
    ("says", "told", "line", "path", "follows"),
    [
        ("wrap", {}, 11, "a.log", True),
        ("wrap", {}, 15, "a.log", True),
        ("wrap", {}, 16, "a.log", False),
        ("wrap", {}, 10, "a.log", False),
        ("wrap", {}, 9, "a.log", False),
        ("wrap", {}, 11, "b.log", False),
        ("raise", {}, 11, "a.log", False),
        ("raise", {"exception": "builtins.ExceptionGroup"}, 50, "a.log", True),
        ("raise", {"exception": "BaseExceptionGroup"}, 51, "a.log", False),
    ],
)
def test_a_wrapper_introduces_what_stands_just_below_it(
    says: str, told: dict, line: int, path: str, follows: bool
) -> None:
    claims = [claim("W", 10, says, told=told), claim("A", line, path=path)]
    assert ("A>W" in seen(nesting, claims)) is follows
    assert seen(nesting, [claim("W", 10, says, told=told), claim("A", line, "note", path=path)]) == set()


@pytest.mark.parametrize(
    ("more", "follows"),
    [
        ({"typed": {"reason": "Connection refused"}, "rank": 2}, [1, 3]),  # of another rank: in any order
        ({"typed": {"reason": "broken pipe"}, "rank": 2}, [1, 3]),
        ({"typed": {"reason": "no space left"}, "rank": 2}, []),
        ({"words": ["REFUSED"], "layer": "collectives", "rank": 2}, [1, 3]),
        ({"words": ["REFUSED"], "layer": "runtime", "rank": 2}, []),
        ({"typed": {"reason": "Connection refused"}, "rank": 1}, []),  # the same process
        ({"typed": {"reason": "Connection refused"}, "host": "b", "rank": 1}, [3]),
        ({"typed": {"reason": "Connection refused"}, "process": "7", "rank": 1}, [3]),
        ({"typed": {"reason": "Connection refused"}}, [3]),  # no rank of the run
    ],
)
def test_peers_lose_their_connection_to_a_failure_elsewhere(more: dict, follows: list[int]) -> None:
    before, after = claim("P", 1, "note", **more), claim("P", 3, "note", **more)
    claims = [before, claim("A", 2, rank=1), after]
    found = [(edge.cause.id, edge.effect.place[1]) for edge in peer_of.edges(claims, {})]
    assert found == [("A", line) for line in follows]
    assert seen(peer_of, [claim("A", 2, "state", rank=1), after]) == set()


@pytest.mark.parametrize(
    ("here", "there", "follows"), [(0.0, 0.0, True), (5.0, 0.0, True), (5.0, 4.0, False), (5.0, 6.0, True)]
)
def test_logs_stand_in_an_order_only_where_both_print_times(here: float, there: float, follows: bool) -> None:
    lost = {"typed": {"reason": "Connection refused"}, "path": "b.log"}
    claims = [claim("P", 1, "note", place=(there, 1), **lost), claim("A", 2, place=(here, 2))]
    assert seen(peer_of, claims) == ({"A>P"} if follows else set())


@pytest.mark.parametrize(
    ("kind", "words", "follows"),
    [
        ("exception", ["FRAMED"], True),
        ("exception", ["FRAMED", "THREAD"], False),
        ("exception", ["FRAMED", "QUOTATION"], False),
        ("exception", ["EXCEPTION"], False),
        ("statement", ["FRAMED"], False),
    ],
)
def test_peers_miss_a_process_that_died(kind: str, words: list[str], follows: bool) -> None:
    lost = claim("P", 3, "note", rank=2, typed={"reason": "Connection refused"})
    died = claim("A", 2, "state", rank=1, kind=kind, words=words)
    assert seen(peer_of, [died, lost]) == ({"A>P"} if follows else set())
    assert seen(peer_of, [died, claim("N", 3, "note", rank=2)]) == set()


@pytest.mark.parametrize(
    ("cause", "effect", "follows"),
    [
        ({1}, {2, 3}, True),
        ({1}, {2}, False),  # two failures side by side
        ({1, 4}, {2, 3}, False),
        ({1}, {1, 2}, False),  # it says the same, too
    ],
)
def test_the_odd_one_out_is_the_cause_of_what_several_others_say(
    cause: set[int], effect: set[int], follows: bool
) -> None:
    died = {"kind": "exception", "words": ["FRAMED"]}
    one, other = claim("A", 5, rank=min(cause), **died), claim("B", 2, rank=max(effect), **died)
    one.spoken = tuple((None, rank, None) for rank in cause)
    other.spoken = tuple((None, rank, None) for rank in effect)
    assert seen(peer_of, [other, one]) == ({"A>B"} if follows else set())


def test_a_launcher_reports_in_its_own_log_how_a_rank_ended() -> None:
    report = claim("L", 1, "wrap", entry=True, layer="host", path="launcher.log")
    assert seen(exit_of, [report, claim("A", 5, rank=3)], {"L": brief("wrapper")}) == {"A>L"}
    assert seen(exit_of, [report, claim("A", 5, path="other.log")], {"L": brief("wrapper")}) == set()


def test_a_timeout_of_a_collective_waits_and_states_nothing_for_others() -> None:
    about = {"T": brief("symptom", layer="collectives"), "R": brief(layer="collectives"), "S": brief("symptom")}
    claims = [
        claim("A", 1, rank=1),
        *(claim(name, 2, entry=True, rank=2) for name in "TRS"),
        claim("T", 3, entry=True, rank=3),
    ]
    assert seen(peer_of, claims, about) == {"A>T", "R>T", "S>T"}
    [edge, *_] = peer_of.edges(claims, about)
    assert edge.why == "it lost its peer, or waited for it, after this failure"


@pytest.mark.parametrize(
    ("second", "about", "follows"),
    [
        (claim("B", 2, fields={"code": "E1"}), brief(), True),
        (claim("B", 2, fields={"status": "E1"}), brief(), True),
        (claim("B", 2, fields={"code": "E2"}), brief(), False),
        (claim("B", 2, fields={"name": "E1"}), brief(), False),
        (claim("B", 2, entry=True, fields={"code": "E1"}), brief(), False),  # a particular failure of its own
        (claim("B", 2, entry=True, fields={"code": "E1"}), brief("symptom"), True),
        (claim("A", 2, entry=True, fields={"code": "E1"}), brief(), True),
    ],
)
def test_a_code_that_is_printed_again_is_stated_once(second, about: dict, follows: bool) -> None:
    first = claim("A", 1, fields={"code": "E1", "status": "E9"})
    found = list(same_code.edges([claim("N", 0), first, second], {"A": about, "B": about}))
    assert [(edge.cause, edge.effect, edge.why) for edge in found] == (
        [(first, second, "it repeats E1")] if follows else []
    )


def test_of_several_reasons_the_strongest_is_kept_and_none_contradicts_it() -> None:
    a, b = claim("A", 1, entry=True, fields={"code": "E1"}), claim("B", 2, "exit", fields={"code": "E1"})
    kinds = [edge.kind for edge in graph([a, b], {"A": brief(explains=["B"])}).edges]
    assert kinds == ["entry"]
    about = {"A": brief("symptom", explains=["B"])}  # by the code alone the later one would follow from the earlier
    late = graph([b, claim("A", 3, "state", entry=True, fields={"code": "E1"})], about)
    assert [(edge.cause.id, edge.effect.id) for edge in late.edges] == [("A", "B")]
    assert [rule.__name__.rpartition(".")[2] for rule in rules()] == list(KINDS)  # type: ignore[attr-defined]


def test_everything_below_is_reached_by_its_nearest_cause() -> None:
    a, b, c, d = (claim(name, n) for n, name in enumerate("ABCD"))
    edges = [Edge(x, y, "entry", "") for x, y in ((a, b), (b, c), (a, c), (c, d), (d, a))]
    whole = Graph(tuple(edges))
    below = whole.below(a)
    assert [edge.cause.id + edge.effect.id for edge in below.values()] == ["AB", "AC", "CD"]
    assert [edge.cause for edge in whole.into(c)] == [b, a]
    assert whole.below(claim("Z", 9)) == {}
