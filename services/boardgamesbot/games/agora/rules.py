"""The rules of Agora Barcelona in our own words, by id. Refusals and tests name them."""

from __future__ import annotations

from boardgamesbot.games.base import Rule, RuleSource

_RULEBOOK, _PRINTED, _SETTLED = RuleSource.RULEBOOK, RuleSource.PRINTED, RuleSource.SETTLED

RULES: dict[str, Rule] = {
    rule.id: rule
    for rule in (
        Rule(
            "AG-S1",
            "Squares in play",
            "Three, four or five play. Of the sixty squares, six in each district with the values 1, 2, 3, 3, 4 and 5, "
            "15, 12 or 10 are taken out unseen after a shuffle, for three, four or five players.",
            _RULEBOOK,
        ),
        Rule(
            "AG-S2",
            "Hands and piles",
            "Everybody is dealt five squares. What is left makes two face-down piles as equal as can be; an odd "
            "square goes on the first pile (this last is settled here).",
            _RULEBOOK,
        ),
        Rule(
            "AG-S3",
            "Walkers and the Fountain",
            "Each player has 35, 30 or 25 walkers, for three, four or five players. Chance says who holds the Magic "
            "Fountain first.",
            _RULEBOOK,
        ),
        Rule(
            "AG-S4",
            "Length of the game",
            "The game has 15, 12 or 10 turns, for three, four or five players: just enough to use up every square "
            "in play. Nothing is played after the last.",
            _RULEBOOK,
        ),
        Rule(
            "AG-S5",
            "Backs",
            "The back of a square tells its district, never its name or value. So everybody knows the districts in "
            "each hand and on top of each pile, and only the holder knows the rest. With the option `backs: PLAIN` "
            "the backs tell nothing.",
            _PRINTED,
        ),
        Rule(
            "AG-T1",
            "Order of a turn",
            "A turn has four phases: take, play, walk, draw. In each, all players act once, clockwise, beginning "
            "with the holder of the Magic Fountain. A move that belongs to another phase has to wait for it.",
            _RULEBOOK,
        ),
        Rule(
            "AG-P1.1",
            "Take a square",
            "Each player takes a square, by chance, from the hand of the player to their left, who is the next one "
            "clockwise. They do so one after another, so a square may travel on in the same phase (settled here). "
            "Taker and former holder know which square it was; the others see its back.",
            _RULEBOOK,
        ),
        Rule("AG-P1.2", "Nothing to take", "Nothing is taken from an empty hand.", _SETTLED),
        Rule(
            "AG-P1.3",
            "Other ways to take",
            "With `take: CHOOSE` the taker picks by the backs, and chance decides among squares that look alike; "
            "where all backs are plain there is nothing to pick by and chance decides alone. With "
            "`take_until: PILES_EMPTY` nobody takes any more once both piles are used up.",
            _PRINTED,
        ),
        Rule(
            "AG-P2.1",
            "Play a square",
            "Each player plays a square of their hand and puts as many of their walkers, from their supply, into its "
            "district as the square is worth. Everybody sees it; then it lies face down before its player.",
            _RULEBOOK,
        ),
        Rule(
            "AG-P2.2",
            "Enough walkers",
            "A square worth more than the walkers left in the player's supply can't be played.",
            _RULEBOOK,
        ),
        Rule(
            "AG-P2.3",
            "No shared lead by playing",
            "A square can't be played if two or more players would then share the highest number of walkers in its "
            "district. A tie for second place does no harm, and a district without walkers has no highest number.",
            _RULEBOOK,
        ),
        Rule(
            "AG-P2.4",
            "Discard only if you must",
            "Whoever can play a square has to. Whoever can't discards one of their choice, face down, and places "
            "nothing; the others see only its back. (That a shared lead forces a discard as a lack of walkers does "
            "is settled here.)",
            _RULEBOOK,
        ),
        Rule(
            "AG-P3.1",
            "Walk",
            "Each player moves two upright walkers of different colours, anybody's, each from its district to one "
            "that borders on it, and lays them down. A lying walker stays where it is until the turn ends.",
            _RULEBOOK,
        ),
        Rule(
            "AG-P3.2",
            "No shared lead by walking",
            "After both walks no district may have two or more players with the highest number of walkers. What the "
            "board looks like between the two does not matter (settled here); but the first walk must leave "
            "some second one that makes the pair legal.",
            _RULEBOOK,
        ),
        Rule(
            "AG-P3.3",
            "The last turn's walk",
            "In the last turn both walkers are of the mover's own colour.",
            _RULEBOOK,
        ),
        Rule(
            "AG-P3.4",
            "No way to walk",
            "Whoever has no legal pair of walks moves nothing.",
            _SETTLED,
        ),
        Rule(
            "AG-P4.1",
            "Draw a square",
            "As long as a pile has squares, each player draws the top one of the pile they choose.",
            _RULEBOOK,
        ),
        Rule(
            "AG-E1",
            "End of a turn",
            "The lying walkers stand up, and the holder of the Magic Fountain hands it to another player of their "
            "choice. After the last turn it stays where it is (settled here).",
            _RULEBOOK,
        ),
        Rule(
            "AG-F1",
            "Points",
            "When the last turn is over, whoever has most walkers in a district scores its points. A district "
            "without walkers scores for nobody.",
            _RULEBOOK,
        ),
        Rule(
            "AG-F2",
            "Equal points",
            "Of players with equal points, the one with walkers in more districts wins; one walker is enough for a "
            "district to count, whoever leads there.",
            _RULEBOOK,
        ),
        Rule("AG-F3", "Still equal", "Players who are equal in that too share the victory.", _SETTLED),
    )
}
