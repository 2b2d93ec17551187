"""Whether a form or an answer has the names and values that the types of Stripe's library have."""

import re
import sys
import types
import typing

import stripe


def members(kind):
    """The members of a class of the library with their types, also of those it doesn't import."""
    names = {**vars(typing), **vars(stripe), "StripeContext": typing.Any}
    for base in reversed(kind.__mro__):
        names.update(vars(sys.modules[base.__module__]))
        # Names of nested classes are relative to the outer class.
        names.update({name: one for name, one in vars(base).items() if isinstance(one, type)})
    found = {}
    for base in reversed(kind.__mro__):
        for name, hint in vars(base).get("__annotations__", {}).items():
            found[name] = resolved(hint, names)
    return found


def resolved(hint, names):
    if isinstance(hint, typing.ForwardRef):
        hint = hint.__forward_arg__
    if isinstance(hint, str):
        try:
            return eval(hint, dict(names))
        except NameError:
            # A class that is imported only for type checkers.
            return typing.Any
    return hint


def unwrapped(hint, names):
    """A type without NotRequired and Optional; the alternatives of a union."""
    hint = resolved(hint, names)
    origin = typing.get_origin(hint)
    if getattr(origin, "__name__", getattr(origin, "_name", "")) in ("NotRequired", "Required"):
        return unwrapped(typing.get_args(hint)[0], names)
    if origin in (typing.Union, types.UnionType):
        parts = [one for part in typing.get_args(hint) for one in unwrapped(part, names)]
        # The library allows future values. The shop's requests must use present ones.
        closed = any(typing.get_origin(one) is typing.Literal for one in parts)
        return [one for one in parts if not (closed and one is str)]
    return [hint]


def wrong(value, hint, place, names):
    """What is wrong with a value of a form (texts, lists as objects of numbers) by a type; or None."""
    answers = [wrong_for(value, one, place, names) for one in unwrapped(hint, names)]
    return None if None in answers else answers[0]


def wrong_for(value, hint, place, names):
    origin, inner = typing.get_origin(hint), typing.get_args(hint)
    if hint is typing.Any:
        return None
    if getattr(origin, "__name__", getattr(origin, "_name", "")) == "Literal" or origin is typing.Literal:
        return None if value in inner else f"{place}: {value!r} is none of {inner[:8]}"
    if origin in (list, typing.List):
        values = value.values() if isinstance(value, dict) else value
        if not isinstance(values, (list, type({}.values()))):
            return f"{place}: no list"
        return first(wrong(one, inner[0], f"{place}[]", names) for one in values)
    if origin in (dict, typing.Dict, stripe._stripe_object.UntypedStripeObject):
        return None if isinstance(value, dict) else f"{place}: no object"
    if hint is int:
        return None if re.fullmatch(r"-?\d+", str(value)) else f"{place}: no whole number"
    if hint is bool:
        return None if value in (True, False, "true", "false") else f"{place}: no truth value"
    if hint is str:
        return None if isinstance(value, str) else f"{place}: no text"
    if hint is type(None):
        return None if value is None else f"{place}: not null"
    if isinstance(hint, type) and isinstance(value, dict):
        known = members(hint)
        names = {**names, **vars(sys.modules[hint.__module__])}
        for name, one in value.items():
            if name not in known:
                return f"{place}: {hint.__name__} has no {name}"
            fault = wrong(one, known[name], f"{place}.{name}", names)
            if fault:
                return fault
        return None
    return None if isinstance(hint, typing.TypeVar) else f"{place}: {value!r} is no {hint}"


def first(faults):
    return next((fault for fault in faults if fault), None)


def wrong_of(value, kind, place):
    return wrong(value, kind, place, {**vars(typing), **vars(stripe)})


def judge(value, kind, place):
    fault = wrong_of(value, kind, place)
    assert fault is None, fault
