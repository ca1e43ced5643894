"""The served OpenAPI document is true: its paths, parameters, schemas and limits are those of the service."""

import re

import pytest
from schema import misfits, resolved
from serving import models, service, serving  # noqa: F401

# A good value for each parameter and body of the document.
VALUES = {
    "q": "nor", "match": "substring", "limit": 5, "head": "Norway", "relation": "borders", "tail": "Sweden", "k": 3,
    "include_known": True, "histogram": 4, "most": 2, "entity": "Norway", "min_probability": 0.25,
    "type": "Europe", "only_gaps": True, "max_per_query": 2, "max_queries": 50, "reasons": True,
}
BODIES = {
    "/v1/predict": {"questions": [{"head": "Norway", "relation": "borders"}, {"relation": "borders", "tail": "Sweden"}, {"head": "nobody", "relation": "borders"}], "k": 2},
    "/v1/score": {"facts": [{"head": "Norway", "relation": "borders", "tail": "Sweden"}, {"head": "Norway", "relation": "borders", "tail": "nobody"}]},
}


@pytest.fixture(scope="module")
def document(service):
    return service.get("/openapi.json")


def operations(document):
    for path, methods in document["paths"].items():
        for method, operation in methods.items():
            yield path, method.upper(), operation


def parameters(document, operation):
    return [resolved(document, one) for one in operation.get("parameters", [])]


def query_of(document, path, operation):
    """All parameters at once; a question lacks one part."""
    names = [one["name"] for one in parameters(document, operation)]
    return {name: VALUES[name] for name in names if not (path == "/v1/predict" and name == "tail")}


def path_with(path, query):
    text = "&".join(f"{k}={str(v).lower() if isinstance(v, bool) else v}" for k, v in query.items())
    return f"{path}?{text}" if query else path


def check_response(document, operation, status, headers, content):
    assert str(status) in operation["responses"], f"{status} is not in the document"
    described = resolved(document, operation["responses"][str(status)])
    ((content_type, media),) = described["content"].items()
    assert headers["Content-Type"].startswith(content_type)
    if content_type == "application/json":
        assert misfits(document, media["schema"], content) == []


def test_every_path_answers_as_described(service, document):
    assert document["openapi"].startswith("3.0")
    for path, method, operation in operations(document):
        query = query_of(document, path, operation)
        status, headers, content = service.ask(method, path_with(path, query), BODIES.get(path) if method == "POST" else None)
        assert status == 200, (path, content)
        check_response(document, operation, status, headers, content)


def test_every_path_of_the_service_is_described(service, document):
    _, _, text = service.ask("GET", "/metrics")
    counted = set(re.findall(r'greenkgc_http_request_seconds_count\{endpoint="(/[^"]*)"\}', text.decode()))
    assert counted == set(document["paths"])
    for path in document["paths"]:
        for method in ("GET", "POST"):
            if method.lower() not in document["paths"][path] and path != "/":
                body = {} if method == "POST" else None
                service.fails(405, "wrong_method", method, path, body)


def test_parameters_are_as_described(service, document):
    for path, method, operation in operations(document):
        if method != "GET" or not path.startswith("/v1/"):
            continue
        service.fails(400, "bad_parameter", "GET", path, **query_of(document, path, operation), undescribed=1)
        for one in parameters(document, operation):
            assert one["in"] == "query"
            query = query_of(document, path, operation)
            name, schema = one["name"], one["schema"]
            if one.get("required"):
                rest = {key: value for key, value in query.items() if key != name}
                assert name in service.fails(400, "bad_parameter", "GET", path, **rest)
            for bound, beyond in (("minimum", -1), ("maximum", 1)):
                if bound not in schema:
                    continue
                assert service.get(path, **{**query, name: schema[bound]})
                for wrong in (schema[bound] + beyond, "9" * 30 if beyond > 0 else "-" + "9" * 18):
                    status, headers, content = service.ask("GET", path_with(path, {**query, name: wrong}))
                    assert status in (400, 422), (path, name, wrong)
                    check_response(document, operation, status, headers, content)
            if schema["type"] in ("integer", "number", "boolean") or "enum" in schema:
                status, headers, content = service.ask("GET", path_with(path, {**query, name: "x"}))
                assert status in (400, 422)
                check_response(document, operation, status, headers, content)
            if "default" in schema:
                rest = {key: value for key, value in query.items() if key != name}
                assert service.get(path, **rest) == service.get(path, **rest, **{name: schema["default"]})


def test_bodies_are_as_described(service, document):
    for path, body in BODIES.items():
        operation = document["paths"][path]["post"]
        schema = operation["requestBody"]["content"]["application/json"]["schema"]
        assert misfits(document, schema, body) == []
        ((name, listed),) = [(key, value) for key, value in body.items() if isinstance(value, list)]
        most = schema["properties"][name]["maxItems"]
        for wrong, expected in (
            ({}, 400),
            ({name: []}, 422),
            ({name: listed[:1] * (most + 1)}, 422),
            ({**body, "undescribed": 1}, 400),
            ({name: [*listed, {"undescribed": 1}]}, 400),
            ({name: [*listed, {"head": 3, "relation": "borders", "tail": "Sweden"}]}, 400),
            ({name: listed[0]}, 400),
            ({name: [[]]}, 400),
        ):
            assert misfits(document, schema, wrong) != []
            status, headers, content = service.ask("POST", path, wrong)
            assert status == expected, content
            check_response(document, operation, status, headers, content)
    for k in ("3", 3.5, True, -1, 10**30):
        assert service.ask("POST", "/v1/predict", {**BODIES["/v1/predict"], "k": k})[0] in (400, 422)


def test_limits_in_the_document_are_those_of_the_service(models):
    with serving(models / "one.gkgc", "--max-k=7", "--max-batch=2", "--max-queries=9") as small:
        document = small.get("/openapi.json")
        limits = {one["name"]: one["schema"] for path in ("/v1/predict", "/v1/entities", "/v1/complete") for one in parameters(document, document["paths"][path]["get"])}
        assert limits["max_queries"]["maximum"] == limits["max_queries"]["default"] == 9
        assert limits["k"]["maximum"] == limits["limit"]["maximum"] == limits["limit"]["default"] == 7
        assert document["paths"]["/v1/predict"]["post"]["requestBody"]["content"]["application/json"]["schema"]["properties"]["questions"]["maxItems"] == 2
        assert "1 to 7" in small.fails(422, "out_of_bounds", "GET", "/v1/predict", head="Norway", relation="borders", k=8)
        body = {"questions": [{"head": "Norway", "relation": "borders"}] * 3}
        assert "1 to 2 elements" in small.fails(422, "out_of_bounds", "POST", "/v1/predict", body)
        assert len(small.get("/v1/entities")["entities"]) == 7
