"""yelp is read as AllSet reads it; a file of another form is refused."""

from __future__ import annotations

import sys

import pytest

from hypersage_dgl.data import load
from hypersage_dgl.hypergraphs import incidences

YELP = {
    "latlong": "lat,long\n1.5,-2\n3,4\n5,6.25\n",
    "locations": "city_int,zip,state_int\n2,85001,1\n1,85002,2\n2,85003,2\n",
    "name": 'name\n"Joe\'s Café, the Best"\nThe Burger Place\nCafe Place Place\n',
    "business_stars": "business_stars\n9\n4\n9\n",
    "incidence_H": "node,he,val\n1,1,1\n3,1,1\n2,2,1\n3,2,1\n",
}


def yelp(folder, **changed):
    """Files of three restaurants and two visitors."""
    place = folder / "yelp"
    place.mkdir()
    for part, text in {**YELP, **changed}.items():
        (place / f"yelp_restaurant_{part}.csv").write_text(text, encoding="utf-8")
    return folder


def test_yelp(tmp_path):
    pytest.importorskip("sklearn")
    data = load("yelp", data_dir=yelp(tmp_path))
    assert data.labels.tolist() == [1, 0, 1]
    nodes, hyperedges = incidences(data.graph)
    assert sorted(zip(nodes.tolist(), hyperedges.tolist())) == [(0, 0), (1, 1), (2, 0), (2, 1)]
    # Latitude, longitude; states 1 and 2; cities 1 and 2; best, burger, cafe, joe, place.
    assert data.feat.to_dense().tolist() == [
        [1.5, -2, 1, 0, 0, 1, 1, 0, 1, 1, 0],
        [3, 4, 0, 1, 1, 0, 0, 1, 0, 0, 1],
        [5, 6.25, 0, 1, 0, 1, 0, 0, 1, 0, 2],
    ]


@pytest.mark.parametrize(
    ("part", "text"),
    [
        ("latlong", "lat,long\n1,2\n3,4\n"),
        ("latlong", "lat\n1\n2\n3\n"),
        ("locations", "city_int,zip\n2,1\n1,2\n2,3\n"),
        ("locations", "city_int,zip,state_int\n2,1,0\n1,2,2\n2,3,2\n"),
        ("locations", "city_int,zip,state_int\n2,1,1\n9000000000,2,2\n2,3,2\n"),
        ("name", 'name\n"Joe\n'),
        ("business_stars", "business_stars\nmany\n4\n9\n"),
        ("incidence_H", "node,he,val\n0,1,1\n"),
        ("incidence_H", "node,he,val\n4,1,1\n"),
        ("incidence_H", "node,he,val\n1,x,1\n"),
        ("incidence_H", ""),
    ],
)
def test_damaged_yelp_is_refused(tmp_path, part, text):
    pytest.importorskip("sklearn")
    with pytest.raises(ValueError, match=r"the files of yelp in .* are not as AllSet has"):
        load("yelp", data_dir=yelp(tmp_path, **{part: text}))


def test_yelp_without_scikit_learn(tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, "sklearn.feature_extraction.text", None)
    with pytest.raises(ImportError, match=r"hypersage-dgl\[scores\]"):
        load("yelp", data_dir=yelp(tmp_path))
