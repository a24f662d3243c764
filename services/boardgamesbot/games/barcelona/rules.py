"""The rules of Barcelona and Passeig de Gràcia in our own words, by id. Refusals and tests name them.

Figures are in the ruleset file, each marked there with where it comes from; a text names one only where it is
attested, or says that it is reconstructed.
"""

from __future__ import annotations

from boardgamesbot.games.barcelona.gaudi.rules import ACTIONS as _GAUDIS_ACTIONS
from boardgamesbot.games.barcelona.gaudi.rules import TURN as _GAUDIS_TURN
from boardgamesbot.games.base import Rule, RuleSource

_RULEBOOK, _PRINTED, _SETTLED = RuleSource.RULEBOOK, RuleSource.PRINTED, RuleSource.SETTLED

_SET_UP = (
    Rule(
        "BA-S1",
        "Players and seats",
        "Two to four play, clockwise. Chance says who is the first player before anything else is dealt (that it "
        "comes before the rest is settled here).",
        _PRINTED,
    ),
    Rule(
        "BA-S2",
        "Action tiles",
        "Eleven Action tiles are dealt at random, one to each street: five vertical streets, five horizontal ones and "
        "the diagonal. With the option `actions: FIRST_GAME` they lie in a fixed layout instead, of which only the "
        "tram on the diagonal is attested; the rest is reconstructed.",
        _PRINTED,
    ),
    Rule(
        "BA-S3",
        "Citizen track and bag",
        "With two or three players some marked spaces of the citizen track are covered at the start, each by a "
        "citizen of its row's class; with four none is. All other citizens go into the bag. The length of the rows "
        "and which spaces are marked are in the ruleset file (reconstructed); the bag is shuffled once and then "
        "drawn in that order (settled here).",
        _PRINTED,
    ),
    Rule(
        "BA-S4",
        "Cerdà Scoring tiles and Modernisme tiles",
        "Three Cerdà Scoring tiles are drawn, one for each section of the citizen track. The three Modernisme tiles "
        "with the same criteria leave the game; the others are shuffled into a face-down stack, of which four are "
        "turned face up.",
        _PRINTED,
    ),
    Rule(
        "BA-S5",
        "Public Services",
        "Five types of Public Services are in the game, chosen at random. Each is a stack with the most expensive tile "
        "on top; with two players the cheapest tile of each stays in the box.",
        _PRINTED,
    ),
    Rule(
        "BA-S6",
        "Buildings, Building Bonus and Sagrada Família tiles",
        "The buildings lie in four supplies: levels 1, 2 and 3, and corners. Every row of blocks has a Building Bonus "
        "tile. The Sagrada Família tiles lie face up by level, all of them whatever the number of players (this last "
        "is settled here).",
        _PRINTED,
    ),
    Rule(
        "BA-S7",
        "Player boards and starting goods",
        "Everybody has ten narrow and five wide streets and their building markers in stacks, five Intersection "
        "tiles, passengers, a tram outside the city, and six cobblestones that cover part of the storage. Everybody "
        "starts with one coin and one cloth. The sizes of the stacks, the number of markers and passengers, and where "
        "the two tracks begin are in the ruleset file (reconstructed).",
        _PRINTED,
    ),
    Rule(
        "BA-S8",
        "Hands of two",
        "Everybody draws two citizens from the bag and keeps them hidden from the others, the first player first "
        "(the order is settled here).",
        _PRINTED,
    ),
)

_TURN = (
    Rule(
        "BA-T1",
        "Order of a turn",
        "A turn has four steps: place both citizens and take the actions there; construct a building; check the "
        "Cerdà scoring; draw two citizens. Then it is the next player's turn, clockwise.",
        _PRINTED,
    ),
    Rule(
        "BA-T2",
        "What is decided when",
        "One thing is decided at a time, and what it leads to is finished before anything else; so a move of another "
        "kind has to wait. A decision is put to the player only where there is a choice other than to stop. Stopping "
        "is possible instead of the next action, of a passenger and of its street's action, and for each piece or "
        "step that an effect allows; not for the first piece of an action just chosen, and not for gains, Joy, "
        "Sagrada Família tiles, stacks, hexagonal cobblestones, the order of parts, what is kept, or building. All of "
        "Gaudí's turn is one move instead, which only he makes.",
        _SETTLED,
    ),
)

_PLACING = (
    Rule(
        "BA-A1",
        "An empty intersection",
        "Both citizens of the hand are placed as one stack on an intersection without any citizen; as long as one "
        "remains it is blocked. Intersection tiles, trams and passengers do not matter (this last is settled here). "
        "Placing is mandatory.",
        _PRINTED,
    ),
    Rule(
        "BA-A2",
        "Which one on top",
        "The player decides which of the two citizens lies on top. Two citizens of one class leave nothing to decide.",
        _PRINTED,
    ),
    Rule(
        "BA-A3",
        "The diagonal's cost",
        "Placing on an intersection of the diagonal costs a coin; anywhere else it costs nothing. Who can't pay can't "
        "place there (this last is settled here).",
        _PRINTED,
    ),
    Rule(
        "BA-A4",
        "The diagonal for free",
        "If every empty intersection is on the diagonal and the player can't pay for it, they place there for free "
        "and may not take the diagonal's action this turn. With enough coins the cost is paid as usual.",
        _SETTLED,
    ),
    Rule(
        "BA-A5",
        "No empty intersection",
        "If no intersection is empty, both citizens of the hand leave the game and the turn goes on with building.",
        _SETTLED,
    ),
    Rule(
        "BA-A6",
        "The owner's bonus",
        "Whoever owns the Intersection tile of an intersection gains points when another player places citizens "
        "there, before that player's actions; nothing when they do so themselves. How many is in the ruleset file "
        "(reconstructed).",
        _PRINTED,
    ),
    Rule(
        "BA-A7",
        "Actions of the crossing streets",
        "Two streets cross at an intersection, three where the diagonal passes. The player may take the action of "
        "each of them once, in any order, or leave it out. One is finished with all it leads to before the next "
        "begins; an action taken through a passenger is extra and neither counts nor is counted (both settled here).",
        _PRINTED,
    ),
    Rule(
        "BA-A8",
        "An action must be possible",
        "An action can be chosen only if its first decision has a choice just then: a piece or tile in stock, a free "
        "place for it and what it costs. Those that gain coins, cloth or Cerdà steps, and the tram, are always "
        "possible. This is judged anew after each action.",
        _SETTLED,
    ),
)

_ACTIONS = (
    Rule("BA-K1", "Action: Coins", "Gain two coins.", _PRINTED),
    Rule("BA-K2", "Action: Cloth", "Gain three points and a cloth.", _PRINTED),
    Rule("BA-K3", "Action: Cerdà", "Go two steps forward on the Cerdà track.", _PRINTED),
    Rule("BA-K4", "Action: Narrow streets", "Build one or two narrow streets, one after the other.", _PRINTED),
    Rule("BA-K5", "Action: Wide street", "Build one wide street.", _PRINTED),
    Rule("BA-K6", "Action: Intersection", "Buy the leftmost Intersection tile and place it.", _PRINTED),
    Rule("BA-K7", "Action: Cobblestone", "Place the leftmost cobblestone of the storage on the Sidewalk.", _PRINTED),
    Rule(
        "BA-K8", "Action: Public Service", "Pay for the top tile of a stack of Public Services and build it.", _PRINTED
    ),
    Rule("BA-K9", "Action: Modernisme", "Take a Modernisme tile from the display into a free project space.", _PRINTED),
    Rule("BA-K10", "Action: Improve a project", "Pay to improve one project space.", _PRINTED),
    Rule("BA-K11", "Action: Tram", "Move the tram; then a passenger may be placed where it ends.", _PRINTED),
)

_RESOURCES = (
    Rule(
        "BA-R1",
        "Storage and what stays",
        "Each coin and each cloth takes a space of the storage, and each cobblestone placed opens one more. A gain is "
        "added whole; if it is too much the player chooses at once which coins and cloth fill the storage, and the "
        "rest is lost. That one may choose, and never keep fewer, is settled here; the number of spaces is in the "
        "ruleset file (reconstructed).",
        _PRINTED,
    ),
)

_STREETS = (
    Rule(
        "BA-ST1",
        "Where a street is built",
        "A street tile is taken from the top of one of the player's stacks of its kind and placed on any section "
        "that has none yet. The diagonal has no sections. That any section and any stack will do is settled here.",
        _PRINTED,
    ),
    Rule(
        "BA-ST2",
        "The run",
        "A new street tile scores for each tile of the unbroken straight run along its street that it is part of, "
        "itself included. Tiles of all players and of both kinds count, and the new one's kind says how many points "
        "each is worth (settled here; the points are in the ruleset file, reconstructed).",
        _PRINTED,
    ),
    Rule(
        "BA-ST3",
        "Order of a street",
        "First the section, then the stack, then what is printed on the section, then the points of the run, then "
        "the reward if that emptied the stack. A second tile of the same effect comes after all this and counts the "
        "first one.",
        _SETTLED,
    ),
)

_INTERSECTIONS = (
    Rule(
        "BA-I1",
        "Intersection tiles",
        "The leftmost Intersection tile of the player board is bought for the cloth printed under it and placed on an "
        "intersection without one; citizens there do not matter (this last is settled here). An effect may make it "
        "free. The cost of each is in the ruleset file (reconstructed).",
        _PRINTED,
    ),
    Rule(
        "BA-I2",
        "Visible benefits",
        "Placing it gives what is printed on each adjoining section that no street tile covers. Points and Cerdà "
        "steps come first, then all coins and cloth as one gain (settled here).",
        _PRINTED,
    ),
)

_TRAM = (
    Rule(
        "BA-TR1",
        "Moving the tram",
        "A tram goes up to two steps from section to section where they share an intersection; sections joined by "
        "the player's own street tiles count as one step. Its first step into the city is onto a section of one of "
        "the four outer streets (reconstructed). Trams do not block each other. Only where it ends is decided, and "
        "it may end where it was.",
        _PRINTED,
    ),
    Rule(
        "BA-TR2",
        "Passengers",
        "After the tram has moved, the player may place a passenger where it stands, if nobody's is there and the "
        "cost can be paid. The number of passengers and the cost in cloth are in the ruleset file (reconstructed).",
        _PRINTED,
    ),
    Rule(
        "BA-TR3",
        "The own street once more",
        "A passenger placed on a street tile of its owner's scores the points of that tile's run again, but not what "
        "is printed there (the latter is settled here).",
        _PRINTED,
    ),
    Rule(
        "BA-TR4",
        "The passenger's street",
        "Placing a passenger lets the player take the action at the end of that section's street, paying for it as "
        "usual, provided that it is possible. It may be one already taken or still to come this turn; that changes "
        "nothing for those (settled here).",
        _PRINTED,
    ),
    Rule(
        "BA-TR5",
        "A free tram",
        "A free tram waives the cost of that one passenger only. What follows from it, another tram included, is "
        "paid for.",
        _SETTLED,
    ),
)

_SIDE_BOARD = (
    Rule(
        "BA-C1",
        "Cobblestones",
        "The leftmost cobblestone is placed for free on an empty space of the Sidewalk beside the printed cobblestone "
        "or one placed before, not diagonally. It opens its storage space first and then gives what it covers (this "
        "order is settled here).",
        _PRINTED,
    ),
    Rule(
        "BA-P1",
        "The cost of a Public Service",
        "The top tile of a stack is built for its coins, three, two or one, and brings ten, six or three points, and "
        "two Cerdà steps.",
        _RULEBOOK,
    ),
    Rule(
        "BA-P2",
        "One of each type",
        "A player builds at most one Public Service of each type.",
        _SETTLED,
    ),
    Rule(
        "BA-P3",
        "What a Public Service does",
        "After its points and steps a Public Service does at once what its type says. Plain gains happen; pieces and "
        "steps may be declined; two parts are done in the order the player chooses where that can matter, one "
        "finished before the other begins (settled here). What each type does is in the ruleset file, partly "
        "reconstructed.",
        _PRINTED,
    ),
    Rule(
        "BA-M1",
        "Taking a Modernisme tile",
        "The player puts one of the tiles shown into an empty project space of their choice, and the display is "
        "filled up from the stack at once. It costs nothing; that and the number of project spaces are reconstructed.",
        _PRINTED,
    ),
    Rule(
        "BA-M2",
        "Improving a project space",
        "For cloth the marker of a project space moves to its top, whether or not a tile lies there; each space once. "
        "The cost depends on how many the player has improved before, those for free included, and is in the ruleset "
        "file (reconstructed).",
        _PRINTED,
    ),
    Rule(
        "BA-M3",
        "What Modernisme is worth",
        "At the end each Modernisme tile scores its criterion, as a Cerdà Scoring tile does, times the factor of its "
        "space, which is higher if improved. The factors are in the ruleset file (reconstructed).",
        _PRINTED,
    ),
)

_TRACKS = (
    Rule(
        "BA-SF1",
        "The Sagrada Família track",
        "Steps on this track are made all at once; then each threshold reached or passed gives a Sagrada Família tile "
        "of its level, from low to high. Steps beyond the end are lost (the details are settled here; the thresholds "
        "are in the ruleset file, reconstructed).",
        _PRINTED,
    ),
    Rule(
        "BA-SF2",
        "Sagrada Família tiles",
        "The player takes any tile left of the level reached and gets its reward at once.",
        _PRINTED,
    ),
    Rule(
        "BA-SF3",
        "No tile left",
        "If no tile of the level is left, points in the ruleset file are gained instead (reconstructed). With the "
        "tiles in the box it never happens to two to four players.",
        _SETTLED,
    ),
    Rule(
        "BA-CT1",
        "The Cerdà track",
        "The place on the Cerdà track is the player's multiplier in Cerdà scorings, four at most. Steps beyond either "
        "end are lost (settled here; the length of the track is in the ruleset file, reconstructed).",
        _PRINTED,
    ),
)

_BUILDING = (
    Rule(
        "BA-B1",
        "Building is mandatory",
        "After the actions the player constructs exactly one building if any can be built anywhere, and none "
        "otherwise. Kind, site and citizens are their choice.",
        _PRINTED,
    ),
    Rule(
        "BA-B2",
        "Sites and citizens",
        "Levels 1 to 3 go on whole blocks, corner buildings on the two corners of a block that the diagonal cuts. Such "
        "a block never takes another building; they are D1-E2, C2-D3, B3-C4 and A4-B5 (which way the diagonal runs is "
        "reconstructed). Only the top citizens of the intersections at the site's corners count, one of each: four "
        "round a block; round a corner three, the two on the diagonal and the one on its side. Level 1 takes two of "
        "them; level 2 two, one of them middle class at least; level 3 three, one of them upper class at least; a "
        "corner building two (the corner building's is reconstructed). Exactly so many are used.",
        _PRINTED,
    ),
    Rule(
        "BA-B3",
        "Upgrading",
        "A building may be built over one of a lower level, anybody's, and levels may be skipped; the new marker lies "
        "on the old ones. Corner buildings can't be built over (this last is settled here).",
        _PRINTED,
    ),
    Rule(
        "BA-B4",
        "Tile and marker in stock",
        "The building's tile must be in the supply and a building marker on the player's board.",
        _SETTLED,
    ),
    Rule(
        "BA-B5",
        "Order of a building's rewards",
        "The used citizens leave the board. Then come the tile's points, its Cerdà steps and its Sagrada Família "
        "steps with all they lead to, and a corner's coin or cloth; then the marker is taken from a stack of the "
        "player's choice, and the reward if that empties it; then the row bonus; then the citizens go to the track "
        "and its points are scored. The order and the rewards but those of level 3 are settled here.",
        _PRINTED,
    ),
    Rule(
        "BA-B6",
        "The row bonus",
        "The first building in a row of blocks gains its Building Bonus tile: five points.",
        _PRINTED,
    ),
    Rule(
        "BA-B7",
        "Citizens to the track",
        "Each citizen used goes to the leftmost free space of its class's row on the citizen track.",
        _PRINTED,
    ),
    Rule(
        "BA-B8",
        "Points of the track",
        "When they lie there, the builder gains the lowest number still visible on any of the three rows. The numbers "
        "are in the ruleset file (reconstructed), and so is what a full track gives: its last number.",
        _PRINTED,
    ),
    Rule(
        "BA-B9",
        "A full row",
        "A citizen whose row is full leaves the game.",
        _SETTLED,
    ),
)

_CERDA = (
    Rule(
        "BA-CS1",
        "When a Cerdà tile is scored",
        "Each turn, after the building step, every section of the citizen track that a row has filled for the first "
        "time is scored. Two may be scored in one turn, in order (settled here).",
        _PRINTED,
    ),
    Rule(
        "BA-CS2",
        "Value times multiplier",
        "Every player gains the value of the section's Cerdà Scoring tile for themselves times their own Cerdà "
        "multiplier. No marker moves.",
        _PRINTED,
    ),
    Rule(
        "BA-CS3",
        "The criteria",
        "A tile is worth so many points for each thing it counts: markers at the bottom, blocks with a corner "
        "building, blocks in the longest line and so on. Criteria and points are in the ruleset file; most are "
        "reconstructed.",
        _PRINTED,
    ),
    Rule(
        "BA-CS4",
        "Blocks, lines and rows of one's own",
        "A block is a player's if a marker of theirs lies in it, at any height and in either corner. Two corner "
        "buildings in one block count once. A line is straight, along a row or a column of blocks, without a gap. A "
        "marker alone on a building counts as one at the bottom.",
        _SETTLED,
    ),
)

_DRAWING = (
    Rule(
        "BA-D1",
        "Draw two citizens",
        "At the end of a turn the player draws two citizens from the bag and shows them to nobody.",
        _PRINTED,
    ),
    Rule(
        "BA-D2",
        "An empty bag",
        "With fewer than two citizens in the bag nothing is drawn. If the third Cerdà scoring has not happened, all "
        "tiles not yet scored are scored now, in order, and the game ends with this round.",
        _SETTLED,
    ),
)

_END = (
    Rule(
        "BA-E1",
        "The end",
        "After the third Cerdà scoring play goes on until everybody has had the same number of turns. Those turns "
        "are as usual, without another Cerdà scoring; then there are no more moves.",
        _PRINTED,
    ),
    Rule(
        "BA-E2",
        "Final scoring",
        "Everybody adds points for cobblestones and passengers placed, their Modernisme tiles and, with the expansion, "
        "the Joy on the street. All are counted in the same final position, and coins and cloth left over are worth "
        "nothing (both settled here); the points are in the ruleset file (reconstructed).",
        _PRINTED,
    ),
    Rule(
        "BA-E3",
        "Ties",
        "Most points win. Of players with equal points, the one with more coins and cloth together wins; if that is "
        "equal too they share the victory.",
        _SETTLED,
    ),
)

_EXPANSION = (
    Rule(
        "BA-PG1",
        "What the expansion swaps and adds",
        "Three Action tiles take the place of three others; two Cerdà Scoring and two Modernisme tiles join theirs, "
        "and one Sagrada Família tile each level. Exactly one of the five stacks of Public Services is one of the "
        "expansion's; which base stack it replaces is drawn by chance (settled here).",
        _RULEBOOK,
    ),
    Rule(
        "BA-PG2",
        "Setting up the Passeig de Gràcia",
        "Six of the eight Amenities tiles are drawn, three for each side of the street. Each player has two "
        "Pedestrians, dice that start in Barcelona and in Gràcia with a Joy of 1. One violet cobblestone of each "
        "letter is drawn: A lies left, B in the middle, C right (which letter lies where is settled here).",
        _RULEBOOK,
    ),
    Rule(
        "BA-PG3",
        "Dice of the third and fourth player",
        "Counted from the first player, the third one has a die that starts on 2, and in a game of four the last has "
        "both on 2. The third player chooses the die as the first decision of the game, when hands are dealt "
        "(settled here).",
        _RULEBOOK,
    ),
    Rule(
        "BA-PG4",
        "Walking",
        "A Pedestrian walks up to as many steps as an effect says, one decision each; only one's own can be moved. "
        "The street has three spaces, and the fourth step arrives in the other city. Where an effect moves one of "
        "the two, its steps are not split (settled here).",
        _RULEBOOK,
    ),
    Rule(
        "BA-PG5",
        "Amenities",
        "After each step onto the street the Amenities tile beside the Pedestrian is checked: right of the one from "
        "Barcelona, left of the one from Gràcia. If its player has done what it shows at least once at the first "
        "step, twice at the second, three times at the third, the Pedestrian's Joy rises by one; narrow streets "
        "count two for one.",
        _RULEBOOK,
    ),
    Rule(
        "BA-PG6",
        "Meeting",
        "When both Pedestrians of a player come to stand on the same space of the street, the Joy of both rises by "
        "one, after the Amenities check. In the cities they do not meet.",
        _RULEBOOK,
    ),
    Rule(
        "BA-PG7",
        "Joy",
        "Joy never exceeds 6. Joy for any one Pedestrian goes to one of the player's own, wherever it is, that has "
        "less than that; it can't be declined, and is lost if both have the most (these last are settled here).",
        _RULEBOOK,
    ),
    Rule(
        "BA-PG8",
        "Points on arrival",
        "A Pedestrian that arrives brings points by its Joy, from 3 at Joy 1 to 15 at Joy 6; those between are in the "
        "ruleset file (reconstructed).",
        _RULEBOOK,
    ),
    Rule(
        "BA-PG9",
        "A hexagonal cobblestone",
        "If a Pedestrian arrives with a Joy of 4 or more, its player places a hexagonal cobblestone from the supply "
        "after the points, as long as there are any.",
        _RULEBOOK,
    ),
    Rule(
        "BA-PG10",
        "Placing a hexagonal cobblestone",
        "It goes on an empty hexagonal space and gives what it covers as many times as the condition of one violet "
        "cobblestone beside that space is met, maybe none at all. Beside two, the player chooses one. What the "
        "spaces give is in the ruleset file (reconstructed).",
        _RULEBOOK,
    ),
    Rule(
        "BA-PG11",
        "A coin or a cloth",
        "A Pedestrian that arrives with a Joy of 6 also brings a coin or a cloth, as its player likes, after the "
        "hexagonal cobblestone (the order is settled here).",
        _RULEBOOK,
    ),
    Rule(
        "BA-PG12",
        "Going back",
        "After its rewards a Pedestrian goes back to the city it started from, with a Joy of 1. Steps that are left "
        "may then be walked from there.",
        _RULEBOOK,
    ),
    Rule(
        "BA-PG13",
        "Joy at the end",
        "In the final scoring a player gains the Joy of each Pedestrian that is on the street, not in the city it "
        "starts from.",
        _RULEBOOK,
    ),
    Rule(
        "BA-PG14",
        "The Sidewalk overlay",
        "With the expansion the Sidewalk has other benefits, walks and Joy among them. Which lies where is in the "
        "ruleset file (reconstructed).",
        _RULEBOOK,
    ),
    Rule(
        "BA-PG15",
        "The expansion's Public Services",
        "Parc Güell moves both Pedestrians up to two steps each. Fàbrica Casaramona gives the one from Barcelona two "
        "Joy and a step, Palau de la Música Catalana the one from Gràcia, in either order. With Parc Güell one makes "
        "all its steps before the other (settled here).",
        _RULEBOOK,
    ),
    Rule(
        "BA-PG16",
        "The expansion's Sagrada Família tiles",
        "There is one for each level, with Joy or walks besides points. What each gives is in the ruleset file "
        "(reconstructed).",
        _RULEBOOK,
    ),
    Rule(
        "BA-PG17",
        "The expansion's Cerdà and Modernisme tiles",
        "One counts the current Joy of the player's Barcelona Pedestrian, the other that of the Gràcia one, two points "
        "each.",
        _RULEBOOK,
    ),
    Rule(
        "BA-PG18",
        "The expansion's Action tiles",
        "The three tiles take the place of Coins, Cloth and Cerdà, which follows from what the Amenities need. One "
        "gains a coin and walks with the Barcelona Pedestrian, one a cloth and walks with the Gràcia one, one makes "
        "Cerdà steps and then gives Joy to any one. Their effects are reconstructed; the first two do their parts in "
        "either order.",
        _SETTLED,
    ),
)

_BASE = (
    *_SET_UP,
    *_TURN,
    *_PLACING,
    *_ACTIONS,
    *_RESOURCES,
    *_STREETS,
    *_INTERSECTIONS,
    *_TRAM,
    *_SIDE_BOARD,
    *_TRACKS,
    *_BUILDING,
    *_CERDA,
    *_DRAWING,
    *_END,
)
_SOLO = (*_GAUDIS_TURN, *_GAUDIS_ACTIONS)

RULES: dict[str, Rule] = {rule.id: rule for rule in (*_BASE, *_EXPANSION, *_SOLO)}


def rules_with(*, expansion: bool, solo: bool) -> tuple[Rule, ...]:
    """The rules of the game with these parts: Passeig de Gràcia, and Gaudí."""
    return (*_BASE, *(_EXPANSION if expansion else ()), *(_SOLO if solo else ()))
