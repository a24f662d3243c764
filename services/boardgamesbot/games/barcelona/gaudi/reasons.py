"""Which rule a choice of Gaudí's rests on."""

from __future__ import annotations

from collections.abc import Mapping

from boardgamesbot.games.barcelona.events import Matter

RULE_OF_MATTER: Mapping[Matter, str] = {
    Matter.MEEPLE: "BA-G5",
    Matter.SERVICE: "BA-GA1",
    Matter.MODERNISME: "BA-GA2",
    Matter.PROJECT: "BA-GA3",
    Matter.STREET: "BA-GA4",
    Matter.INTERSECTION: "BA-GA6",
    Matter.COBBLESTONE: "BA-GA7",
    Matter.PASSENGER: "BA-GA8",
    Matter.SAGRADA_TILE: "BA-G9",
    Matter.SITE: "BA-G10",
    Matter.CITIZEN: "BA-G11",
    Matter.PEDESTRIAN: "BA-G13",
    Matter.HEXAGON: "BA-G15",
    Matter.WIDE_STREET: "BA-GA5",
}
"""The rule with the priorities of each matter."""
