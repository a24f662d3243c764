"""Writes docs/settings.md from the settings themselves: names, defaults, meanings, and which programs read them.

    python tools/settings_table.py [FILE]

Who reads what is found in the sources: a program reads a setting if a module it imports, however far down, takes it.
"""

from __future__ import annotations

import ast
import sys
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, fields
from functools import cache
from pathlib import Path

from boardgamesbot.runtime.settings import ENVIRONMENT_PREFIX, Settings

ROOT = Path(__file__).parents[1]
SOURCES = ROOT / "services"
PACKAGE = "boardgamesbot"
PAGE = ROOT / "docs" / "settings.md"

PROGRAMS: Mapping[str, str] = {
    "rules": "rules.server",
    "bots": "bots.server",
    "matchmaking": "matchmaking.server",
    "gateway": "gateway.server",
    "dispatcher": "bots.dispatcher",
    "worker": "bots.worker",
    "archivist": "rules.archivist",
}
"""The module that each program is; one that is not there is no program of this tree."""
EVERY_PROGRAM = {"log_level", "log_format", "ruleset"}
"""Taken care of before a program's own module is imported."""
KNOW_NONE = (f"{PACKAGE}.runtime.settings", f"{PACKAGE}.v1", f"{PACKAGE}.games", f"{PACKAGE}.players")
"""Modules that no setting is taken in, and the settings themselves."""
ELSEWHERE = {"start_seconds": "`bgb serve`", "gateway_address": "`bgb doctor`"}
"""Who reads what no program of its own does."""
BY_NAME = {
    "celery_broker_url": ("broker_url", "redis_url"),
    "_address": ("rules_address", "bots_address", "matchmaking_address"),
}
"""What is read by a name made of others."""

HEAD = """# Settings

<!-- Written by tools/settings_table.py from the texts in runtime/settings.py: edit those, then `make docs`. -->

Every program reads its settings from the environment, once, at its start; where there is a flag (`bgb rules --help`),
it wins. Instead of `BGB_NAME`, `BGB_NAME_FILE` may name a file that holds the value, as secrets of Docker and
Kubernetes do; both at once are refused. A value that makes no sense is refused at the start, by the setting's name.

`bgb settings` shows what a program started here would work with, keys and passwords masked, and names variables that
are no setting; `bgb settings --check` only says what is wrong, with exit status 1.

"""
FOOT = """
Besides: `BGB_DATA` is where `bgb serve` keeps the games, and `BGB_COMPILE=1` has a build compile the engines.
"""


@dataclass(frozen=True)
class Setting:
    """A row of the table."""

    name: str
    default: object
    meaning: str


def settings() -> Iterator[Setting]:
    """Every setting with the text that stands below it in the source. Raises SystemExit where there is none."""
    source = ast.parse((SOURCES / PACKAGE / "runtime" / "settings.py").read_text(encoding="utf-8"))
    (table,) = (node for node in source.body if isinstance(node, ast.ClassDef) and node.name == "Settings")
    meanings: dict[str, str] = {}
    for field, text in zip(table.body, table.body[1:], strict=False):
        if isinstance(field, ast.AnnAssign) and isinstance(field.target, ast.Name) and isinstance(text, ast.Expr):
            meanings[field.target.id] = " ".join(str(ast.literal_eval(text.value)).split())
    for one in fields(Settings):
        if one.name not in meanings:
            raise SystemExit(f"runtime/settings.py: {one.name} has no text below it")
        yield Setting(one.name, one.default, meanings[one.name])


def _file(module: str) -> Path | None:
    path = SOURCES.joinpath(*module.split("."))
    return next((file for file in (path.with_suffix(".py"), path / "__init__.py") if file.is_file()), None)


@cache
def _parsed(module: str) -> tuple[frozenset[str], frozenset[str]]:
    """What a module imports of ours, and the attributes it takes of anything that is called settings."""
    file = _file(module)
    assert file is not None
    imports, taken = set(), set()
    for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
        if isinstance(node, ast.ImportFrom) and (node.module or "").startswith(PACKAGE):
            imports |= {node.module or "", *(f"{node.module}.{alias.name}" for alias in node.names)}
        elif isinstance(node, ast.Attribute) and "settings" in ast.unparse(node.value).rpartition(".")[2]:
            taken |= {node.attr, *BY_NAME.get(node.attr, ())}
        elif isinstance(node, ast.Call) and ast.unparse(node).startswith("getattr(settings, f"):
            taken |= {name for ending in BY_NAME if ending in ast.unparse(node) for name in BY_NAME[ending]}
    return frozenset(name for name in imports if _file(name)), frozenset(taken)


def read_by(program: str) -> frozenset[str]:
    """The settings that a program may read; none if there is no such program."""
    first = f"{PACKAGE}.{PROGRAMS[program]}"
    if _file(first) is None:
        return frozenset()
    todo, seen, taken = [first], set[str](), set[str](EVERY_PROGRAM)
    while todo:
        module = todo.pop()
        if module not in seen and not module.startswith(KNOW_NONE):
            seen.add(module)
            imports, here = _parsed(module)
            todo += imports
            taken |= here
    return frozenset(taken)


def _shown(default: object) -> str:
    if default == "":
        return "none"
    return f"`{int(default) if isinstance(default, float) and default.is_integer() else default}`"


def page() -> str:
    """The document."""
    readers = {program: read_by(program) for program in PROGRAMS}
    there = [program for program, taken in readers.items() if taken]
    rows = ["| setting | default | read by | meaning |", "|---|---|---|---|"]
    for one in settings():
        programs = [program for program in there if one.name in readers[program]]
        by = "all" if programs == there else ", ".join(programs) or ELSEWHERE.get(one.name, "nobody")
        meaning = one.meaning.replace("|", "\\|")
        rows.append(f"| `{ENVIRONMENT_PREFIX}{one.name.upper()}` | {_shown(one.default)} | {by} | {meaning} |")
    return HEAD + "\n".join(rows) + "\n" + FOOT


if __name__ == "__main__":
    target = Path(sys.argv[1]) if len(sys.argv) > 1 else PAGE
    target.write_text(page(), encoding="utf-8")
