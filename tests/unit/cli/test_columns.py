"""Tables in a terminal: what must be copied stays whole, whatever the width."""

from __future__ import annotations

import io

import pytest
from rich.console import Console

from boardgamesbot.cli import audit, tables
from boardgamesbot.cli.columns import Column, table
from boardgamesbot.store.audit import Act

ROW = tables.Row(
    id="04hgqvxddt53sl",
    game="barcelona",
    status="playing",
    version=123,
    seats=["Ada Lovelace", "Greedy [greedy]", "Architect [architect]", "Somebody with a long name"],
    colours=["Blue", "Green", "White", "Orange"],
    turn=2,
    turn_is_bots=True,
    quiet_s=3_000,
    age_s=9_000,
    attempt=3,
)
ACT = Act(
    1_700_000_000_000, "operator", "seat 2 bot greedy", "04hgqvxddt53sl", "the player wrote that " * 5, 12, "done", 13
)


def drawn(columns: tuple[Column, ...], cells: tuple[str, ...], width: int) -> list[str]:
    out = io.StringIO()
    Console(file=out, width=width, highlight=False).print(table(columns, [cells], width))
    return out.getvalue().splitlines()


@pytest.mark.parametrize("width", [80, 100, 200])
@pytest.mark.parametrize(
    ("columns", "cells"), [(tables.COLUMNS, tables._cells(ROW)), (audit.COLUMNS, audit._cells(ACT))]
)
def test_ids_and_words_stay_whole(columns: tuple[Column, ...], cells: tuple[str, ...], width: int) -> None:
    lines = drawn(columns, cells, width)
    assert max(map(len, lines)) <= width
    assert set(lines[0].replace(",", "").split()) <= {
        word for c in columns for word in c.title.replace(",", "").split()
    }
    assert "04hgqvxddt53sl" in lines[1]
    words = {word for line in lines[1:] for word in line.split()}
    flowing = [cell for cell, column in zip(cells, columns, strict=True) if column.least]
    assert words >= {word for cell in flowing for word in cell.split()}, "nothing is broken within a word"


def test_what_matters_least_goes_first() -> None:
    assert drawn(tables.COLUMNS, tables._cells(ROW), 200)[0].split() == [column.title for column in tables.COLUMNS]
    assert drawn(tables.COLUMNS, tables._cells(ROW), 80)[0].split() == [
        "table",
        "game",
        "quiet",
        "age",
        "players",
    ]
    cells = " ".join(" ".join(drawn(tables.COLUMNS, tables._cells(ROW), 80)).split())
    assert "▶Architect" in cells, "whose turn it is can be seen without its column"
    columns = (Column("a"), Column("b", drop=1), Column("c", drop=2))
    assert drawn(columns, ("xxxxx", "yyyyy", "zzzzz"), 13)[0].split() == ["a", "b"]
    assert drawn(columns, ("xxxxx", "yyyyy", "zzzzz"), 19)[0].split() == ["a", "b", "c"]
    assert drawn((Column("a"),), ("[bold]",), 20)[1] == "[bold]"
