"""The rules of solo play against Gaudí in our own words: BA-G… his turn, BA-GA… his actions."""

from __future__ import annotations

from boardgamesbot.games.base import Rule, RuleSource

_RULEBOOK, _PRINTED, _SETTLED = RuleSource.RULEBOOK, RuleSource.PRINTED, RuleSource.SETTLED

TURN = (
    Rule(
        "BA-G1",
        "Solo: setting up",
        "One person plays against Gaudí, with the set-up of two players; the person goes first (settled here). Three "
        "Sagrada Família tiles of each level stay in the game, which ones chance says. Gaudí has all pieces of a "
        "player board but no coin, no cloth and no hand; his meeple starts at the crossing in the ruleset file "
        "(reconstructed). With the expansion his two dice show 4, 5 or 6 by the difficulty chosen, and keep it.",
        _RULEBOOK,
    ),
    Rule(
        "BA-G2",
        "Solo: Gaudí's resources",
        "Gaudí pays nothing and stores nothing. Each coin or cloth that he would gain is a resource, and turns at once "
        "into points: the harder the game, the more. That resources are where the difficulty lies, and how many points "
        "each is worth, are reconstructed; the points are in the ruleset file.",
        _PRINTED,
    ),
    Rule(
        "BA-G3",
        "Solo: cards and arrow order",
        "Each of Gaudí's eight cards has an arrow on its back and two actions on its front (which ones is "
        "reconstructed). During his turn the arrow on top of his deck counts, when the card of the turn is face up. "
        "Arrow order begins at that direction and goes on clockwise. The direction from one place to another is "
        "straight or diagonal according to whether it lies left or right, above or below, however far; a section's "
        "place is its middle, a site's the centre of its intersections. In one direction the higher place comes first, "
        "then the one further left; the place that it is measured from comes last. How it is measured is settled here.",
        _RULEBOOK,
    ),
    Rule(
        "BA-G4",
        "Solo: Gaudí's turn",
        "Gaudí turns up the top card of his deck and draws two citizens, moves his meeple, places the citizens, takes "
        "his action and constructs; the Cerdà check ends the turn. He decides nothing: all up to the check is one "
        "move, made for him and not by the other seat. If the card was the deck's last, all others are shuffled into "
        "a new deck before anything else. The order of card and citizens, and when the deck is shuffled, are settled "
        "here.",
        _PRINTED,
    ),
    Rule(
        "BA-G5",
        "Solo: where the meeple moves",
        "The meeple moves to a neighbouring intersection without citizens, diagonal ones included: to the one where "
        "his two citizens would let him construct the best building, on any site of the city, in the order level 3, "
        "level 2, corner, level 1, none; of equals to the first in arrow order. If no neighbour is empty it moves to "
        "the nearest empty intersection, which may be its own, a diagonal step counting as one; then by arrow order. "
        "These priorities are settled here.",
        _PRINTED,
    ),
    Rule(
        "BA-G6",
        "Solo: placing",
        "Gaudí places both citizens where his meeple is, the one of the higher class on top. He pays nothing on the "
        "diagonal and takes no actions of streets (both settled here). The owner's bonus of an Intersection is gained "
        "as between players, whoever places on whose.",
        _PRINTED,
    ),
    Rule(
        "BA-G7",
        "Solo: Gaudí's stacks",
        "Gaudí takes street tiles and markers from the leftmost stack that has any, and gains its reward when that "
        "empties it: a street's after the points of its run, a marker's before the row bonus.",
        _SETTLED,
    ),
    Rule(
        "BA-G8",
        "Solo: Gaudí's action",
        "He takes the first action of his card, or with the option `solo_actions: BOTH` both in order. All are free. "
        "For an action that he can't do he gains two resources, for each street tile that he can't place one, in "
        "place of the effect; the other action of the card does not stand in. The same holds where the effect is "
        "that of a reward. These numbers are reconstructed.",
        _PRINTED,
    ),
    Rule(
        "BA-G9",
        "Solo: Gaudí's Sagrada Família tiles",
        "Of the tiles left of a level he takes the one that names most points as they would be given now, and of "
        "equals the leftmost.",
        _SETTLED,
    ),
    Rule(
        "BA-G10",
        "Solo: what Gaudí constructs",
        "He constructs if any building can be built: level 3 before level 2, then a corner, then level 1. Of several "
        "sites he takes one that brings the row bonus, then one where the marker that he covers is the person's, then "
        "the one nearest to his meeple, measured from the nearest of its intersections, then by arrow order. The "
        "rewards, the row bonus and the points of the track are those of a player.",
        _SETTLED,
    ),
    Rule(
        "BA-G11",
        "Solo: which citizens Gaudí uses",
        "First one of the class that the building wants; then those whose row of the citizen track has most free "
        "spaces before the building, of equals working before middle before upper class. Of one class on several "
        "intersections he takes the higher one, then the one further left.",
        _SETTLED,
    ),
    Rule(
        "BA-G12",
        "Solo: Gaudí's Pedestrians",
        "After placing and before acting, each of the two actions on his card that an Amenities tile in the game shows "
        "moves the Pedestrian on that tile's side one step: on the right the one from Barcelona, on the left the one "
        "from Gràcia. Both actions count, whichever he takes, in the order of the card (settled here). His dice never "
        "change: no Amenities and no meeting bring him Joy.",
        _RULEBOOK,
    ),
    Rule(
        "BA-G13",
        "Solo: effects on Gaudí's Pedestrians",
        "An effect that moves a Pedestrian is carried out to its last step, and Joy is worth as many resources. One "
        "that moves either of the two moves the one farther along, of equals the one from Barcelona; where both move "
        "or a choice of order is left, the one from Barcelona comes first (these last are settled here).",
        _RULEBOOK,
    ),
    Rule(
        "BA-G14",
        "Solo: Gaudí's arrivals",
        "A Pedestrian of his that arrives brings the points of its Joy, a resource if that is 6, and then a hexagonal "
        "cobblestone if any is left; it goes back to its city with the same Joy, and walks on if it has steps left "
        "(the order is settled here).",
        _RULEBOOK,
    ),
    Rule(
        "BA-G15",
        "Solo: where Gaudí's hexagonal cobblestone goes",
        "On a free space of 4 points, or else of 3 points, or else any: the first round the middle violet cobblestone, "
        "clockwise from the arrow, then round the left one, then round the right one. Instead of what it covers he "
        "gains one resource. An arrow east begins southeast, one west northwest; that spaces of 4 and of 3 points are "
        "looked for round all three is settled here.",
        _RULEBOOK,
    ),
    Rule(
        "BA-G16",
        "Solo: no citizens, or nowhere to place them",
        "With fewer than two citizens in the bag he draws none: all Cerdà tiles not yet scored are scored, the game "
        "ends with his turn, and he only constructs. If no intersection is empty his two citizens leave the game, and "
        "he constructs without walking or acting.",
        _SETTLED,
    ),
    Rule(
        "BA-G17",
        "Solo: the end",
        "The game ends after a turn of Gaudí's, and he takes part in the final scoring as a player does, but gains "
        "nothing for Joy. The person wins with more points than he has; with equal points he wins.",
        _SETTLED,
    ),
)

ACTIONS = (
    Rule(
        "BA-GA1",
        "Gaudí's action: Public Service",
        "He builds the Public Service with most points on its top tile, of the types that he lacks, and of equals the "
        "leftmost. He gains points, Cerdà steps and effect as a player does.",
        _SETTLED,
    ),
    Rule(
        "BA-GA2",
        "Gaudí's action: Modernisme",
        "He takes the tile shown whose criterion would be worth most to him if he had it already, without the factor "
        "of its space, and of equals the leftmost. It goes into his leftmost free project space. Without a free space "
        "or a tile shown he can't.",
        _SETTLED,
    ),
    Rule(
        "BA-GA3",
        "Gaudí's action: Improve a project",
        "He improves the leftmost project space that is not improved, those with a tile before empty ones. Of an "
        "effect that improves two, each that he can't do counts as an action that he can't do.",
        _SETTLED,
    ),
    Rule(
        "BA-GA4",
        "Gaudí's action: Narrow streets",
        "He builds two narrow streets, one after the other, each on the free section where its run scores most; of "
        "equals where the icon is Cerdà steps, then coins or cloth, then points; then nearest to his meeple, measured "
        "from the nearer of the section's ends; then by arrow order.",
        _SETTLED,
    ),
    Rule(
        "BA-GA5",
        "Gaudí's action: Wide street",
        "He builds one wide street, by the same priorities as a narrow one.",
        _SETTLED,
    ),
    Rule(
        "BA-GA6",
        "Gaudí's action: Intersection",
        "He places an Intersection tile where his meeple stands, or on the nearest intersection without one, then by "
        "arrow order. He gains the benefits in sight around it, coins and cloth as resources.",
        _SETTLED,
    ),
    Rule(
        "BA-GA7",
        "Gaudí's action: Cobblestone",
        "He places a cobblestone where it covers, in this order: a walk of a Pedestrian; streets; Sagrada Família "
        "steps; two resources, Cerdà steps or Joy; one of them; points. Of equals he takes the space nearest to the "
        "printed cobblestone, a diagonal step counting as one, then by arrow order from there. Where the expansion's "
        "icons rank is its rulebook's, the rest is settled here.",
        _RULEBOOK,
    ),
    Rule(
        "BA-GA8",
        "Gaudí's action: Tram",
        "He never has a tram in the city. He places a passenger on a section without one: nearest to his meeple, "
        "measured from the nearer of the section's ends; of equals on his own street tile with the best run, then on "
        "another's street tile, then on a bare section; then by arrow order. On his own street tile its run scores "
        "again; in place of the street's action he gains one resource (reconstructed, as are the priorities).",
        _PRINTED,
    ),
    Rule(
        "BA-GA9",
        "Gaudí's choice of streets",
        "Where an effect is two narrow streets or a wide one, he builds the wide one if he has any left.",
        _SETTLED,
    ),
)
