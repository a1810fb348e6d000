"""Colours that can be told apart."""

from hypersage_dgl.drawing import PALETTE
from hypersage_dgl.drawing.colours import CLASS_COLOURS, HYPEREDGE_COLOURS, class_style


def test_forty_eight_classes_look_different():
    assert len({class_style(number) for number in range(48)}) == 48


def test_no_colour_stands_for_two_things():
    assert len(set(PALETTE.values())) == len(PALETTE) == 8
    assert set(CLASS_COLOURS) == set(PALETTE.values())
    assert len(set(HYPEREDGE_COLOURS)) == len(HYPEREDGE_COLOURS)
    assert not set(HYPEREDGE_COLOURS) & set(CLASS_COLOURS)
