"""Panels in rows of at most three, and a legend where there is room."""

import pytest

from hypersage_dgl.drawing import add_legend, add_panels, canvas, panels_shape


@pytest.mark.parametrize("count", range(1, 13))
def test_there_is_room_for_all_and_no_row_is_empty(count):
    rows, columns = panels_shape(count)
    assert (rows - 1) * columns < count <= rows * columns
    assert columns <= 3


def test_panels_that_share_their_y_axis_have_labels_on_the_left_alone():
    with canvas(6, 4) as figure:
        made = add_panels(figure, 5, share_y=True)
    shown = [axes.yaxis.get_major_ticks()[0].label1.get_visible() for axes in made]
    assert shown == [True, False, False, True, False]
    made[0].set_ylim(0, 7)
    assert {axes.get_ylim() for axes in made} == {(0, 7)}


@pytest.mark.parametrize("count", [3, 5])
def test_the_legend_has_every_name_and_lies_on_no_panel(count):
    with canvas(7, 4) as figure:
        made = add_panels(figure, count)
        (line,) = made[0].plot([0, 1], [0, 1])
        add_legend(figure, {"one": line, "two": line})
    (legend,) = figure.legends
    assert [text.get_text() for text in legend.get_texts()] == ["one", "two"]
    box = legend.get_window_extent()
    assert not any(box.overlaps(axes.get_window_extent()) for axes in made)


def test_without_a_name_there_is_no_legend():
    with canvas(3, 2) as figure:
        add_panels(figure, 1)
        add_legend(figure, {})
    assert figure.legends == []
