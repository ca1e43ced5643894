"""Whether a value fits a schema of an OpenAPI 3.0 document: the part of the language that ours uses, and no more."""

KEYWORDS = {
    "type", "properties", "required", "additionalProperties", "items", "enum", "minimum", "maximum", "minItems", "maxItems",
    "minProperties", "nullable", "oneOf", "allOf", "description", "default",
}
TYPES = {
    "object": lambda value: isinstance(value, dict),
    "array": lambda value: isinstance(value, list),
    "string": lambda value: isinstance(value, str),
    "boolean": lambda value: isinstance(value, bool),
    "integer": lambda value: isinstance(value, int) and not isinstance(value, bool),
    "number": lambda value: isinstance(value, (int, float)) and not isinstance(value, bool),
}


def resolved(document, part):
    while "$ref" in part:
        target = document
        for name in part["$ref"].removeprefix("#/").split("/"):
            target = target[name]
        part = target
    return part


def misfits(document, schema, value, where="$"):
    """Sentences about what does not fit."""
    schema = resolved(document, schema)
    assert set(schema) <= KEYWORDS, f"{where}: the test does not know {set(schema) - KEYWORDS}"
    if value is None and schema.get("nullable"):
        return []
    if "oneOf" in schema:
        fitting = [one for one in schema["oneOf"] if not misfits(document, one, value, where)]
        return [] if len(fitting) == 1 else [f"{where}: fits {len(fitting)} of the alternatives"]
    found = [fault for one in schema.get("allOf", []) for fault in misfits(document, one, value, where)]
    if "type" in schema and not TYPES[schema["type"]](value):
        return [*found, f"{where}: {value!r} is not of type {schema['type']}"]
    if "enum" in schema and value not in schema["enum"]:
        found.append(f"{where}: {value!r} is none of {schema['enum']}")
    if TYPES["number"](value):
        if not schema.get("minimum", value) <= value <= schema.get("maximum", value):
            found.append(f"{where}: {value} is out of bounds")
    if isinstance(value, list):
        if not schema.get("minItems", 0) <= len(value) <= schema.get("maxItems", len(value)):
            found.append(f"{where}: has {len(value)} items")
        for i, item in enumerate(value):
            found += misfits(document, schema["items"], item, f"{where}[{i}]")
    if isinstance(value, dict) and schema.get("type") == "object":
        found += [f"{where}: {name} is missing" for name in schema.get("required", []) if name not in value]
        others = schema.get("additionalProperties", True)
        for name, item in value.items():
            if name in schema.get("properties", {}):
                found += misfits(document, schema["properties"][name], item, f"{where}.{name}")
            elif others is False:
                found.append(f"{where}: {name} is not in the schema")
            elif isinstance(others, dict):
                found += misfits(document, others, item, f"{where}.{name}")
    return found
