"""The Card world against a second implementation that deals from an explicit deck, and against brute force."""

from collections.abc import Iterator
from itertools import permutations
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from simulators.card import WORLD, Change, Piles, Table, legal_operations, optimal_plan, read_piles, transition
from simulators.contract import IllegalOperation, NoPlan, Refusal, replay
from simulators.notation import DECK, read_card

POOL = ("6 of Hearts", "King of Clubs", "Ace of Spades", "10 of Diamonds", "2 of Hearts", "Queen of Spades")
STATES = st.tuples(st.permutations(POOL), st.lists(st.integers(0, 3), min_size=1, max_size=4)).map(
    lambda drawn: {
        f"pile{index}": list(drawn[0][sum(drawn[1][:index]) : sum(drawn[1][: index + 1])])
        for index in range(len(drawn[1]))
    }
)
CHANGES = st.one_of(
    st.builds("add {} to pile{}".format, st.sampled_from(POOL), st.integers(0, 4)),
    st.builds("remove {} from pile{}".format, st.sampled_from(POOL), st.integers(0, 4)),
)


class Dealer:
    """From the English: cards are taken from a deck to a pile's top, and from a pile's bottom to where none returns."""

    def __init__(self, value: dict[str, list[str]]) -> None:
        ranks = ["Ace", "2", "3", "4", "5", "6", "7", "8", "9", "10", "Jack", "Queen", "King"]
        self.piles = {name: list(cards) for name, cards in value.items()}
        dealt = [card for cards in value.values() for card in cards]
        self.deck = [
            f"{rank} of {suit}"
            for rank in ranks
            for suit in ("Spades", "Hearts", "Clubs", "Diamonds")
            if f"{rank} of {suit}" not in dealt
        ]

    def carry_out(self, text: str) -> bool:
        words = text.split()
        verb, card, pile = words[0], " ".join(words[1:4]), words[5]
        if pile not in self.piles:
            return False
        if verb == "add":
            if card not in self.deck:
                return False
            self.deck.remove(card)
            self.piles[pile].insert(0, card)
            return True
        if not self.piles[pile] or self.piles[pile][-1] != card:
            return False
        self.piles[pile].pop()
        return True


def table_of(*piles: tuple[str, ...]) -> Table:
    return Table(Piles(piles))


def arrangements(pool: tuple[str, ...], count: int) -> Iterator[tuple[tuple[str, ...], ...]]:
    """Every way to lay some cards of `pool` on `count` piles."""
    if count == 0:
        yield ()
        return
    for length in range(len(pool) + 1):
        for pile in permutations(pool, length):
            for others in arrangements(tuple(card for card in pool if card not in pile), count - 1):
                yield (pile, *others)


def distances(
    start: tuple[tuple[str, ...], ...], pool: tuple[str, ...], removed: tuple[str, ...] = ()
) -> dict[tuple[tuple[str, ...], ...], int]:
    """The fewest changes to all piles that cards of `pool` can make, by breadth-first search."""
    first = (start, frozenset(card for pile in start for card in pile) | set(removed))
    seen = {first}
    found = {start: 0}
    frontier = [first]
    length = 0
    while frontier:
        length += 1
        following = []
        for piles, gone in frontier:
            for index, pile in enumerate(piles):
                grown = [((card, *pile), gone | {card}) for card in pool if card not in gone]
                shrunk = [(pile[:-1], gone)] if pile else []
                for changed, used in grown + shrunk:
                    reached = ((*piles[:index], changed, *piles[index + 1 :]), used)
                    if reached not in seen:
                        seen.add(reached)
                        found.setdefault(reached[0], length)
                        following.append(reached)
        frontier = following
    return found


def test_cards_are_added_on_top_and_removed_from_the_bottom() -> None:
    #   add 2♠:        2♠      remove K♣:   2♠
    #   6♥ (top)       6♥                   6♥
    #   K♣ (bottom)    K♣
    start = WORLD.read_state({"pile0": ["6 of Hearts", "King of Clubs"]})
    more = transition(start, WORLD.read_operation("add 2 of Spades to pile0"))
    assert WORLD.write_state(more) == {"pile0": ["2 of Spades", "6 of Hearts", "King of Clubs"]}
    less = transition(more, WORLD.read_operation("remove King of Clubs from pile0"))
    assert WORLD.write_state(less) == {"pile0": ["2 of Spades", "6 of Hearts"]}
    assert less.removed == ("King of Clubs",)
    with pytest.raises(Refusal, match="not at the bottom"):
        transition(less, WORLD.read_operation("remove 2 of Spades from pile0"))
    with pytest.raises(Refusal, match="King of Clubs was removed and does not come back"):
        transition(less, WORLD.read_operation("add King of Clubs to pile0"))


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("add 6 of Hearts to pile1", "6 of Hearts is in a pile already"),
        ("add 6 of Hearts to pile0", "6 of Hearts is in a pile already"),
        ("add 3 of Hearts to pile2", "there is no pile2"),
        ("remove 3 of Hearts from pile9", "there is no pile9"),
        ("remove 3 of Hearts from pile0", "not at the bottom of pile0"),
        ("remove 6 of Hearts from pile1", "not at the bottom of pile1"),
    ],
)
def test_each_rule_by_hand(text: str, reason: str) -> None:
    with pytest.raises(Refusal, match=reason):
        transition(table_of(("6 of Hearts",), ()), WORLD.read_operation(text))


@settings(deadline=None, max_examples=300)
@given(STATES, st.lists(CHANGES, max_size=10))
def test_plans_do_what_the_second_implementation_says(value: dict[str, list[str]], plan: list[str]) -> None:
    dealer, illegal = Dealer(value), None
    expected: list[dict[str, Any]] = [{name: list(cards) for name, cards in dealer.piles.items()}]
    for index, text in enumerate(plan):
        if not dealer.carry_out(text):
            illegal = index
            break
        expected.append({name: list(cards) for name, cards in dealer.piles.items()})
    start, operations = WORLD.read_state(value), [WORLD.read_operation(text) for text in plan]
    trace = replay(WORLD, start, operations[:illegal])
    assert [WORLD.write_state(state) for state in trace.states] == expected
    assert replay(WORLD, start, operations[:illegal]) == trace
    if illegal is not None:
        with pytest.raises(IllegalOperation) as caught:
            replay(WORLD, start, operations)
        assert (caught.value.index, caught.value.operation) == (illegal, plan[illegal])


@settings(deadline=None, max_examples=30)
@given(STATES, st.lists(CHANGES, max_size=6))
def test_legal_operations_are_exactly_the_accepted_ones(value: dict[str, list[str]], plan: list[str]) -> None:
    dealer, table = Dealer(value), WORLD.read_state(value)
    for text in plan:
        if dealer.carry_out(text):
            table = transition(table, WORLD.read_operation(text))
    accepted = set()
    for card in DECK:
        for pile in range(5):
            for change in (Change("add", card, pile), Change("remove", card, pile)):
                try:
                    transition(table, change)
                except Refusal:
                    continue
                accepted.add(change)
    legal = legal_operations(table)
    assert set(legal) == accepted
    assert len(legal) == len(accepted)
    assert {change.card for change in legal if change.verb == "add"} == set(dealer.deck)


@settings(deadline=None)
@given(STATES)
def test_json_round_trips(value: dict[str, list[str]]) -> None:
    start = WORLD.read_state(value)
    assert start.removed == ()
    assert WORLD.write_state(start) == value
    assert WORLD.read_state(WORLD.write_state(start)) == start
    assert WORLD.read_goal(WORLD.write_goal(WORLD.goal_of(start))) == WORLD.goal_of(start)
    for change in legal_operations(start):
        assert WORLD.read_operation(WORLD.write_operation(change)) == change


def test_removed_cards_do_not_matter_to_a_goal() -> None:
    goal = WORLD.read_goal({"pile0": ["Ace of Spades"]})
    assert WORLD.goal_of(Table(goal, ("6 of Hearts",))) == goal
    assert WORLD.write_state(Table(goal, ("6 of Hearts",))) == {"pile0": ["Ace of Spades"]}


@pytest.mark.parametrize(("size", "count", "removed"), [(4, 1, 0), (4, 1, 1), (3, 2, 0), (3, 2, 1), (2, 3, 0)])
def test_the_planner_is_optimal_between_all_small_states(size: int, count: int, removed: int) -> None:
    """All piles of up to `size` cards, the last `removed` of which were removed before."""
    pool = POOL[:size]
    gone = tuple(sorted(pool[size - removed :]))
    goals = list(arrangements(pool, count))
    without_plan = 0
    for start in arrangements(pool[: size - removed], count):
        shortest = distances(start, pool, gone)
        for goal in goals:
            if goal not in shortest:
                without_plan += 1
                with pytest.raises(NoPlan):
                    optimal_plan(Table(Piles(start), gone), Piles(goal))
                continue
            plan = optimal_plan(Table(Piles(start), gone), Piles(goal))
            assert replay(WORLD, Table(Piles(start), gone), plan).end.piles == Piles(goal)
            assert len(plan) == shortest[goal]
    assert without_plan > 0


@pytest.mark.parametrize(
    ("start", "goal"),
    [
        ({"pile0": ["6 of Hearts"]}, {"pile0": [], "pile1": []}),
        ({"pile0": ["6 of Hearts"], "pile1": []}, {"pile0": [], "pile1": ["6 of Hearts"]}),
        ({"pile0": ["6 of Hearts", "2 of Hearts"]}, {"pile0": ["2 of Hearts"]}),
        ({"pile0": ["6 of Hearts", "2 of Hearts"]}, {"pile0": ["2 of Hearts", "6 of Hearts"]}),
        ({"pile0": ["6 of Hearts"]}, {"pile0": ["6 of Hearts", "2 of Hearts"]}),
    ],
)
def test_what_cannot_be_reached(start: dict[str, list[str]], goal: dict[str, list[str]]) -> None:
    with pytest.raises(NoPlan):
        optimal_plan(WORLD.read_state(start), WORLD.read_goal(goal))


def test_a_card_removed_on_the_way_to_the_start_cannot_be_planned_with() -> None:
    start = WORLD.read_state({"pile0": ["6 of Hearts"]})
    later = replay(WORLD, start, WORLD.operations_in_reply("remove 6 of Hearts from pile0")).end
    with pytest.raises(NoPlan, match="6 of Hearts"):
        optimal_plan(later, start.piles)


@pytest.mark.parametrize(
    "value",
    [
        None,
        {},
        {"pile1": []},
        {"path0": []},
        {f"pile{index}": [] for index in range(5)},
        {"pile0": "6 of Hearts"},
        {"pile0": ["6 of hearts"]},
        {"pile0": ["1 of Hearts"]},
        {"pile0": [6]},
        {"pile0": [["6 of Hearts"]]},
        {"pile0": ["6 of Hearts", "6 of Hearts"]},
        {"pile0": ["6 of Hearts"], "pile1": ["6 of Hearts"]},
    ],
)
def test_malformed_piles_are_refused(value: object) -> None:
    with pytest.raises(ValueError, match="expected"):
        read_piles(value)


@pytest.mark.parametrize(
    "text",
    [
        "Add 6 of Hearts to pile0",
        "add 6 of hearts to pile0",
        "add the 6 of Hearts to pile0",
        "add 6 of Hearts from pile0",
        "remove 6 of Hearts to pile0",
        "add 6 of Hearts to pile 0",
        "add 6 of Hearts to pile10",
        "add 11 of Hearts to pile0",
        "",
    ],
)
def test_an_operation_has_one_spelling(text: str) -> None:
    with pytest.raises(ValueError, match="is no operation"):
        WORLD.read_operation(text)


def test_every_card_has_one_name_and_is_read_in_many_spellings() -> None:
    assert len(set(DECK)) == 52
    short = {"Ace": "A", "Jack": "J", "Queen": "Q", "King": "K"}
    for card in DECK:
        rank, suit = card.split(" of ")
        symbols = {"Hearts": "♥♡", "Diamonds": "♦♢", "Clubs": "♣♧", "Spades": "♠♤"}[suit]
        spellings = [card, card.upper(), card.lower(), f" {short.get(rank, rank)} of {suit} ", f"{rank} of {suit[:-1]}"]
        spellings += [f"{short.get(rank, rank)}{symbol}" for symbol in symbols] + [f"{rank} of {symbols[0]}\ufe0f"]
        spellings += [
            f"{rank} {suit}",
            f"{short.get(rank, rank)}{suit[0]}",
            f"{short.get(rank, rank)}{suit[0].lower()}",
        ]
        assert {read_card(spelling) for spelling in spellings} == {card}
    assert read_card("seven of clubs") == "7 of Clubs"
    assert read_card("deuce of clubs") == "2 of Clubs"
    assert read_card("1 of hearts") == "Ace of Hearts"
    assert read_card("TH") == "10 of Hearts"


@pytest.mark.parametrize(
    "text",
    [
        "11 of Hearts",
        "0 of Hearts",
        "6 Heart",
        "a club",
        "6 h",
        "6HD",
        "6",
        "Hearts",
        "6 of Stars",
        "10",
        "King",
        "",
        "66♥",
    ],
)
def test_what_is_no_card(text: str) -> None:
    with pytest.raises(ValueError, match="is not a card"):
        read_card(text)


@pytest.mark.parametrize(
    ("reply", "changes"),
    [
        (
            "remove 2 of Hearts from pile0, add King of Clubs to pile0",
            ["remove 2 of Hearts from pile0", "add King of Clubs to pile0"],
        ),
        ("Add King of Clubs to pile0", ["add King of Clubs to pile0"]),
        ("ADD THE KING OF CLUBS TO PILE 0.", ["add King of Clubs to pile0"]),
        ("add card 6♥ on top of pile 0", ["add 6 of Hearts to pile0"]),
        (
            "put the A of spades card onto pile1; take J♦ from pile2",
            ["add Ace of Spades to pile1", "remove Jack of Diamonds from pile2"],
        ),
        ("add A of Spades to the top of pile0", ["add Ace of Spades to pile0"]),
        ("remove the ten of Clubs from the bottom of the pile0", ["remove 10 of Clubs from pile0"]),
        ("1. add 10♠ to pile0\n2. add 9♠ to pile0", ["add 10 of Spades to pile0", "add 9 of Spades to pile0"]),
        ("1) add 10♠ to pile0 2) add 9♠ to pile0", ["add 10 of Spades to pile0", "add 9 of Spades to pile0"]),
        (
            '["add 6 of Hearts to pile0", "add Q of Clubs to pile9"]',
            ["add 6 of Hearts to pile0", "add Queen of Clubs to pile9"],
        ),
        (
            "1) added 4S to pile0, 2) removed 6 Hearts from pile0 (bottom)",
            ["add 4 of Spades to pile0", "remove 6 of Hearts from pile0"],
        ),
        ("add King of Clubs to pile0 (top)", ["add King of Clubs to pile0"]),
        ("", []),
    ],
)
def test_replies(reply: str, changes: list[str]) -> None:
    assert [WORLD.write_operation(change) for change in WORLD.operations_in_reply(reply)] == changes


@pytest.mark.parametrize(
    "reply",
    [
        "add 6 of Hearts",
        "add 6 of Hearts to pile0 (bottom)",
        "remove 6 of Hearts from pile0 (top)",
        "add 6 of Hearts to the bottom of pile0",
        "remove 6 of Hearts from the top of pile0",
        "add 6 of Hearts from pile0",
        "add 6 of Hearts to pile10",
        "add 6 of Hearts to pile",
        "add 6 of Hearts and 7 of Hearts to pile0",
        "add 6 of Hearts, 7 of Hearts to pile0",
        "add 11 of Hearts to pile0",
        "add 6 of Hearts to pile0 quickly",
        "shuffle pile0",
        "6 of Hearts",
    ],
)
def test_other_words_are_no_reply(reply: str) -> None:
    with pytest.raises(ValueError, match="is no operation"):
        WORLD.operations_in_reply(reply)
