"""Compares bodies with the models of Cybersource's library."""

import re

import CyberSource.models as models


def strange(body, model):
    """The members of a body that a model of Cybersource's doesn't have, or has with another type."""
    cls = getattr(models, model, None)
    if cls is None:
        plain = {"str": str, "int": int, "bool": bool, "object": object}
        return [] if isinstance(body, plain.get(model, object)) else [model]
    if not isinstance(body, dict):
        return [model]
    kinds = {wire: cls.swagger_types[name] for name, wire in cls.attribute_map.items()}
    wrong = []
    for name, value in body.items():
        if name not in kinds:
            wrong.append(name)
            continue
        listed = re.fullmatch(r"list\[(.+)\]", kinds[name])
        values, kind = (value, listed.group(1)) if listed else ([value], kinds[name])
        wrong += [f"{name}.{one}" for each in values for one in strange(each, kind)]
    return wrong
