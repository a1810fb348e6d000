"""The schema checker against an independent implementation of JSON Schema."""

import fastjsonschema
import pytest
from convert.hif_documents import BAD, SMALL
from hypothesis import given, settings
from hypothesis import strategies as st

from hypersage_dgl._utils import check_schema
from hypersage_dgl.convert.hif import hif_schema

THEIRS = fastjsonschema.compile(dict(hif_schema()))
ANY = st.sampled_from([None, True, 0, 1.0, 1.5, -2, "", "head", "asc", [], {}, [1], {"a": 1}])
KEYS = ["node", "edge", "weight", "direction", "attrs", "other"]
RECORD = ANY | st.dictionaries(st.sampled_from(KEYS), ANY | st.sampled_from(["x", 3]), max_size=5)
GOOD_RECORD = st.fixed_dictionaries(
    {"node": st.sampled_from(["a", 1]), "edge": st.sampled_from(["x", 2])},
    optional={"weight": st.just(2.5), "direction": st.just("tail"), "attrs": st.just({"k": 1})},
)
SECTION = ANY | st.lists(GOOD_RECORD | RECORD, max_size=3)
DOCUMENT = st.dictionaries(
    st.sampled_from(["incidences", "nodes", "edges", "metadata", "network-type", "other"]), SECTION
) | st.fixed_dictionaries({"incidences": st.lists(GOOD_RECORD | RECORD, max_size=3)})


def accepts(validate, document):
    try:
        validate(document)
    except (ValueError, fastjsonschema.JsonSchemaValueException):
        return False
    return True


@settings(max_examples=300)
@given(ANY | DOCUMENT)
def test_same_verdict_as_fastjsonschema(document):
    assert accepts(lambda d: check_schema(d, hif_schema()), document) == accepts(THEIRS, document)


def test_same_verdict_on_every_bad_document():
    for document, _ in BAD:
        assert accepts(lambda d: check_schema(d, hif_schema()), document) == accepts(
            THEIRS, document
        )
    assert accepts(THEIRS, SMALL)
    assert accepts(lambda d: check_schema(d, hif_schema()), SMALL)


def test_the_shipped_schema_uses_only_what_the_checker_knows():
    known = {"$schema", "title", "$comment", "type", "enum", "required", "properties"}
    known |= {"additionalProperties", "items"}

    def keywords(schema):
        yield from schema
        for inner in schema.get("properties", {}).values():
            yield from keywords(inner)
        if "items" in schema:
            yield from keywords(schema["items"])

    assert set(keywords(hif_schema())) == known


# Verdicts of the published schema, HIF 0.1.0, on what its own test files hold.
@pytest.mark.parametrize(
    ("document", "is_good"),
    [
        ({"incidences": []}, True),
        ({"incidences": [], "nodes": [], "edges": [], "metadata": {}}, True),
        ({"incidences": [], "nodes": [{"node": 42}]}, True),
        ({"incidences": [], "edges": [{"edge": 3, "attrs": {"weight": 2.0}}]}, True),
        ({"incidences": [{"edge": "abcd", "node": 42, "weight": -2}]}, True),
        ({"incidences": [{"edge": 1, "node": 2}], "network-type": "directed"}, True),
        ({"incidences": [], "nodes": [{"node": "n"}, {"node": "n"}]}, True),
        ({"incidences": [], "nodes": [{"node": 1.23}]}, False),
        ({"incidences": [], "edges": [{"edge": 3, "test": 1}]}, False),
        ({"incidences": [], "edges": [{"attrs": {}}]}, False),
        ({"incidences": [], "metadata": [0, 1, 2]}, False),
        ({"incidences": [{"edge": "abcd", "node": 42, "direction": "side"}]}, False),
        ({"incidences": [{"edge": "abcd", "node": 42, "weight": "hello"}]}, False),
        ({"incidences": [], "network-type": "badnt"}, False),
        ({}, False),
    ],
)
def test_verdicts_of_the_standard(document, is_good):
    assert accepts(lambda d: check_schema(d, hif_schema()), document) == is_good
