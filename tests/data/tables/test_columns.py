"""Columns become features whose names say where they come from."""

import numpy as np
import pytest

from hypersage_dgl.data.tables.columns import (
    as_text,
    column_features,
    is_blank,
    name_features,
    natural,
)

TABLE = {
    "age": ["40", "", "-1.5"],
    "colour": ["red", "blue", "red"],
    "zip": [10, 9, 10],
    "code": [[1, 0], None, [0.5, 2]],
    "text": ["A graph of graphs", "the graph, the graph", None],
}


def test_every_kind_of_column():
    names = name_features(TABLE, text=["text"], categories=["zip"])
    assert names == (
        *("age", "code[0]", "code[1]", "colour=blue", "colour=red", "text:graph"),
        *("zip=9", "zip=10"),
    )
    found = column_features(TABLE, names, "t").toarray()
    assert found.tolist() == [
        [40, 1, 0, 0, 1, 1, 0, 1],
        [0, 0, 0, 1, 0, 2, 1, 0],
        [-1.5, 0.5, 2, 0, 1, 0, 0, 1],
    ]


def test_names_find_their_columns_in_another_table():
    other = {"colour": ["green", "red"], "age": [1, 2], "more": ["x", "y"]}
    found = column_features(other, ("age", "colour=red"), "other").toarray()
    assert found.tolist() == [[1, 0], [2, 1]]
    with pytest.warns(UserWarning, match="1 of the 2 features are not in other"):
        column_features(other, ("age", "size"), "other")
    with pytest.raises(ValueError, match="other has none of the columns"):
        column_features(other, ("size=1",), "other")


def test_a_column_of_names_is_left_out_with_a_warning():
    said = "column 'title' has 3 different values in 3 cells .*, --category, --ignore"
    with pytest.warns(UserWarning, match=said):
        assert name_features({"title": ["a", "b", "c"]}) == ()
    with pytest.raises(ValueError, match="there is no column 'abstract'"):
        name_features(TABLE, text=["abstract"])


@pytest.mark.parametrize("cells", [["1,5", "2,5"], ["1,5", "1,5", "-2", "2,25", "2,25"]])
def test_decimal_commas_are_told(cells):
    with pytest.warns(UserWarning, match="column 'price' has decimal commas, as in 1,5, .* 1.5"):
        assert name_features({"price": cells}) == ()


@pytest.mark.parametrize("cells", [["40", "N/A", "40", "50", "50"], ["40", "50", "?"]])
def test_marks_of_missing_numbers_are_told(cells):
    with pytest.warns(UserWarning, match="column 'age' has '.*' beside numbers.*; leave a cell"):
        name_features({"age": cells})


@pytest.mark.parametrize("cells", [["10", "2A", "2A", "10"], ["none", "one", "none", "one"]])
def test_categories_are_not_taken_for_missing_numbers(cells, recwarn):
    assert len(name_features({"zip": cells})) == 2
    assert list(recwarn) == []


@pytest.mark.parametrize("cell", ["often", "nan", float("inf")])
def test_features_are_finite_numbers(cell):
    with pytest.raises(
        ValueError, match=r"column 'age' is .* in row 1; a feature must be a finite"
    ):
        column_features({"age": [1, cell]}, ("age",), "t")


def test_cells():
    assert all(map(is_blank, (None, "", "  ", float("nan"), np.float64("nan"))))
    assert not any(map(is_blank, (0, "0", [])))
    assert [as_text(cell) for cell in (3.0, 3, " 3 ", 0.5)] == ["3", "3", "3", "0.5"]
    assert sorted(["b", "10", "9", "a"], key=natural) == ["9", "10", "a", "b"]
