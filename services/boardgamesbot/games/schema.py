"""What the schemas of all rulesets share, and their faults in words that name the place."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from typing import Annotated, Any, TypeVar

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, ValidationError

from boardgamesbot.games.base import Malformed


class Strict(BaseModel):
    """An object of a ruleset: it has the fields that it has, each of the kind that it is."""

    model_config = ConfigDict(extra="forbid", frozen=True, strict=True)


def plain(text: str) -> str:
    """A name that can be printed, in a sentence and in brackets."""
    if not text.isprintable() or text != text.strip() or set(text) & set("[]\\"):
        raise ValueError("must be printable text without [, ] and \\, and no space at its ends")
    return text


Name = Annotated[str, Field(min_length=1, max_length=48), AfterValidator(plain)]

M = TypeVar("M", bound=BaseModel)


def parse(text: str) -> dict[str, Any]:
    """The object of a JSON document. Raises Malformed where it is none, or says a thing twice."""
    try:
        document = json.loads(text, object_pairs_hook=_once, parse_constant=_no_number)
        json.dumps(document, ensure_ascii=False).encode()
    except UnicodeEncodeError:
        raise Malformed("", "holds half a character: \\ud800 to \\udfff come in pairs") from None
    except RecursionError:
        raise Malformed("", "is nested too deeply") from None
    except ValueError as error:
        raise Malformed("", f"is not JSON: {error}") from None
    if not isinstance(document, dict):
        raise Malformed("", f"must be {_OBJECT}, not {shown(document)}")
    return document


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for key, value in pairs:
        if key in found:
            where = f" of {found['id']}" if isinstance(found.get("id"), str) else ""
            raise Malformed("", f"has {shown(key)} twice in one entry{where}")
        found[key] = value
    return found


def _no_number(name: str) -> float:
    raise ValueError(f"{name} is no number")


def validated(model: type[M], data: object) -> M:
    """Data as a model. Raises Malformed for the first fault, with its place."""
    try:
        return model.model_validate(data)
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
    raise Malformed(place([step for step in first["loc"] if step != "[key]"]), _reason(first)) from None


def place(steps: Sequence[str | int]) -> str:
    """`players.start.coins`, `actions[3].effect`."""
    words = [f"[{step}]" if isinstance(step, int) else f".{step}" for step in steps]
    return "".join(word if word.isprintable() else ascii(word) for word in words).lstrip(".")


def _reason(fault: Mapping[str, Any]) -> str:
    kind, limits = fault["type"], fault.get("ctx", {})
    if kind == "missing":
        return "is missing"
    if kind == "extra_forbidden":
        return "is not known here: is it misspelt?"
    words = _WORDS.get(kind)
    reason = words(limits) if words else str(fault["msg"])
    return f"{reason}, not {shown(fault['input'])}"


def _entries(number: int) -> str:
    return f"{number} entry" if number == 1 else f"{number} entries"


_OBJECT = "an object: {…}"
_WORDS: dict[str, Callable[[Mapping[str, Any]], str]] = {
    "value_error": lambda limits: str(limits["error"]),
    "int_type": lambda _: "must be a whole number",
    "int_from_float": lambda _: "must be a whole number",
    "int_parsing_size": lambda _: "must be a smaller number",
    "string_type": lambda _: "must be text",
    "string_unicode": lambda _: "must be text",
    "bool_type": lambda _: "must be true or false",
    "list_type": lambda _: "must be a list: […]",
    "dict_type": lambda _: f"must be {_OBJECT}",
    "model_type": lambda _: f"must be {_OBJECT}",
    "model_attributes_type": lambda _: f"must be {_OBJECT}",
    "greater_than_equal": lambda limits: f"must be at least {limits['ge']}",
    "less_than_equal": lambda limits: f"must be at most {limits['le']}",
    "too_short": lambda limits: f"must have at least {_entries(limits['min_length'])}",
    "too_long": lambda limits: f"must have at most {_entries(limits['max_length'])}",
    "string_too_short": lambda _: "must not be empty",
    "string_too_long": lambda limits: f"must have at most {limits['max_length']} characters",
    "string_pattern_mismatch": lambda _: "must be capital letters, digits and _, a letter first, at most 32",
    "enum": lambda limits: f"must be {limits['expected']}",
    "literal_error": lambda limits: f"must be {limits['expected']}",
}


def shown(value: object) -> str:
    """A value of a document, cut short."""
    if isinstance(value, list):
        return f"a list of {len(value)}"
    if isinstance(value, dict):
        return "an object"
    text = {None: "null", True: "true", False: "false"}.get(value) if value is None or isinstance(value, bool) else None
    text = text or repr(value)
    return text if len(text) <= 60 else f"{text[:57]}…"
