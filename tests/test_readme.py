"""Every line, command and number of the README is held by a test, here or where it is named."""

from __future__ import annotations

import re
import shlex
import warnings
from collections.abc import Callable
from pathlib import Path

import pytest

import experiments.command
from benchmarks.command import module_of
from benchmarks.measure import Settings
from benchmarks.report import read_rows
from benchmarks.speed import LINES, speed
from experiments.space import RECIPES
from hypersage_dgl.cli import main
from hypersage_dgl.cli.command import COMMANDS
from hypersage_dgl.data import load
from hypersage_dgl.data.benchmarks.files import BENCHMARKS

ROOT = Path(__file__).parents[1]
README = (ROOT / "README.md").read_text(encoding="utf-8")
RESULTS = ROOT / "benchmarks" / "results"

# Every line that stands there to be typed, and what runs it.
LINES_TO_TYPE = {
    "python3 -m venv .venv && . .venv/bin/activate && pip install .": "scripts/check_package.sh",
    "python3 -m venv .venv && .venv/bin/pip install . && .venv/bin/python "
    "examples/train_minibatch.py": "tests/test_examples.py::"
    "test_readme_shows_what_train_minibatch_prints",
    "python3 examples/train_minibatch.py --dataset dblp --epochs 8 --alpha 5 --eval both": (
        "tests/test_examples.py::test_eight_epochs_on_dblp_do_what_the_readme_shows"
    ),
    "hypersage train --incidences memberships.csv --nodes nodes.csv --label topic --out model": (
        "tests/test_readme.py::test_two_tables_give_a_model_a_page_and_predictions"
    ),
    "hypersage predict model --incidences memberships.csv --nodes nodes.csv --out topics.csv": (
        "tests/test_readme.py::test_two_tables_give_a_model_a_page_and_predictions"
    ),
    "python3 -m experiments table1 --quick --dataset citeseer": (
        "tests/test_readme.py::test_a_part_of_the_experiments_runs"
    ),
    "python3 -m experiments report": "tests/test_pictures.py::test_all_lines_of_the_gallery",
    'python3 -m venv .venv && .venv/bin/pip install -e ".[test]" && .venv/bin/python -m pytest': (
        ".ci/run"
    ),
}
# Commands within sentences.
WORDS_TO_TYPE = {
    "mkdocs build": "tests/test_site.py::"
    "test_the_site_is_built_strictly_and_works_without_a_server",
    # These two change the reader's machine; scripts/check_python.sh is how they were tried.
    "sudo apt install python3-venv libgomp1": "scripts/check_python.sh",
    "uv venv --seed --python 3.12": "scripts/check_python.sh",
    'pip install ".[viz]"': "scripts/check_package.sh",
    "python3 -m experiments table1 --column best --inits 1": "tests/test_readme_results.py::"
    "test_every_cell_is_the_mean_of_its_runs_and_the_best_is_bold",
}


def prose() -> str:
    """The sentences: no code, no table, no address, nothing between marks."""
    text = re.sub(r"<!-- speed.*?<!-- end of speed -->", "", README, flags=re.S)
    text = re.sub(r"```.*?```", "", text, flags=re.S)
    text = "\n".join(line for line in text.splitlines() if not line.startswith(("|", "    ")))
    return re.sub(r"\]\([^)]*\)|<[^>]*>", "]", text)


def is_of_defaults(seed: str, split: str) -> bool:
    """Whether the example has these defaults."""
    source = (ROOT / "examples" / "train_minibatch.py").read_text("utf-8")
    of = dict(re.findall(r'add\("--(seed|split)", type=int, default=(\d+)', source))
    return of == {"seed": seed, "split": split}


def python_is(first: str, last: str, none: str) -> bool:
    """Whether these are the first and last that pip takes, and the next that it does not."""
    setup = (ROOT / "setup.py").read_text("utf-8")
    return f'python_requires=">={first},<{none}"' in setup and int(last[2:]) + 1 == int(none[2:])


def claim(words: str, verdict: str) -> bool:
    """Whether the table of claims has these words in a row."""
    rows = page_of("reproduction").splitlines()
    return any(words in row and verdict in row for row in rows if row.startswith("| "))


# Every number of the sentences with the words around it, and what it is held against.
NUMBERS: dict[str, Callable[..., bool]] = {
    r"With Python (3\.\d+) to (3\.\d+) ": lambda a, b: python_is(a, b, "3.13"),
    r"no DGL for Python (3\.13)": lambda v: python_is("3.10", "3.12", v),
    r"uv venv --seed --python (3\.\d+)": lambda v: python_is("3.10", v, "3.13"),
    r"`sudo apt install python3-venv libgomp(1)`": lambda v: f"libgomp{v}" in page_of("start"),
    r"\((26,476) Debian packages": lambda n: f"{load('debian').num_nodes:,}" == n,
    r"\(seed (\d), split (\d), 2 CPU cores; the seconds are": is_of_defaults,
    r"\(split (\d), seed (\d), 2 CPU cores; the seconds are": lambda a, b: is_of_defaults(b, a),
    r"At fan-out -(1) the two agree": lambda n: n == "1",
    r"`[^`]*--alpha (\d)[^`]*`": lambda n: n == "5",
    r"the best of (\d+) recipes": lambda n: int(n) == RECIPES,
    r"(\d+) given splits, one random init": lambda n: int(n) == len(load("debian").splits),
    # tests/test_readme_results.py takes this table, and one initialisation.
    r"python3 -m experiments table(1) --column best --inits (1)`, 2 CPU cores": lambda a, b: (
        a == b == "1"
    ),
    r"paper's own settings p = (1) reaches": lambda n: claim("HyperSAGE (p=1) 88.3", "HGNN 88.1"),
    r"Licence: Apache-(2\.0)": lambda v: f"Version {v}" in (ROOT / "LICENSE").read_text("utf-8"),
}


def page_of(name: str) -> str:
    return (ROOT / "docs" / f"{name}.md").read_text("utf-8")


def test_every_number_of_the_sentences_is_held():
    text = prose()
    for pattern, holds in NUMBERS.items():
        found = re.search(pattern, text)
        if found is None:
            continue
        assert holds(*found.groups()), found[0]
        text = text.replace(found[0], "")
    left = [line for line in text.splitlines() if re.search(r"\d", line)]
    assert left == [], "say in NUMBERS what these are held against"
    assert len(BENCHMARKS) == 5
    assert "and four other benchmarks are downloaded" in README


def test_every_command_is_held():
    typed = [line.strip() for line in README.splitlines() if line.startswith("    ")]
    typed = [line.partition("  #")[0].strip() for line in typed if line]
    blocks = re.sub(r"```.*?```", "", README, flags=re.S)
    typed = [line for line in typed if line in blocks]
    assert sorted(typed) == sorted(LINES_TO_TYPE)
    starts = r"`((?:pip|python3?|uv|sudo|mkdocs|hypersage) [^`]+)`"
    inline = set(re.findall(starts, re.sub(r"<!-- speed.*?of speed -->", "", blocks, flags=re.S)))
    # The list of sub-commands has a test of its own.
    assert inline - {"hypersage train"} == set(WORDS_TO_TYPE)
    for where in {*LINES_TO_TYPE.values(), *WORDS_TO_TYPE.values()}:
        path, _, name = where.partition("::")
        assert (
            f"def {name}(" in (ROOT / path).read_text("utf-8") if name else (ROOT / path).exists()
        )


def test_every_sub_command_that_is_named_exists():
    sentence = README[README.index("The command `hypersage` does") :].partition("\n")[0]
    named = re.findall(r"`(?:hypersage )?([a-z]+)`", sentence)[1:]
    known = [each.__name__.rpartition(".")[2] for each in COMMANDS]
    assert named == [name for name in known if name not in ("partition", "launch")]
    assert named[0] == "train"


def test_snippets_run_one_after_the_other(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    snippets = re.findall(r"```python\n(.*?)```", README, re.S)
    assert len(snippets) == 3
    names = {}
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", message="Dataloader CPU affinity")
        for snippet in snippets:
            exec(compile(snippet, "README.md", "exec"), names)
    assert names["logits"].shape == (3, 4)
    assert 0 < float(names["new"].probability) <= 1
    printed = capsys.readouterr().out.splitlines()
    assert printed[:2] == re.findall(r"# (torch\.Size.*)", "".join(snippets))
    assert printed[2] == printed[1]


def test_two_tables_give_a_model_a_page_and_predictions(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    page = page_of("own-data")
    for name, content in re.findall(r"`(\w+\.csv)`[^\n]*\n\n```csv\n(.*?)```", page, re.S):
        # The README's tables have a column `topic`.
        Path(name).write_text(content.replace("shelf,", "topic,"))
    section = README[README.index("## Your own data") : README.index("## Results")]
    lines = re.findall(r"^    (hypersage .*)$", section, re.M)
    assert len(lines) == 2
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for line in lines:
            assert main(shlex.split(line)[1:]) == 0, capsys.readouterr().err
    assert Path("model/report.html").exists()
    assert len(Path("topics.csv").read_text().splitlines()) == 9


@pytest.mark.exhaustive
@pytest.mark.real_data
def test_a_part_of_the_experiments_runs(tmp_path, capsys):
    (line,) = re.findall(r"^    python3 -m (experiments table1 .*?)  ", README, re.M)
    out = ["--out", str(tmp_path)]
    assert experiments.command.main([*shlex.split(line)[1:], *out, "--processes", "1"]) == 0
    assert any(path.stat().st_size for path in tmp_path.rglob("table1*.gz"))


def test_the_order_is_what_install_run_use_results_speed_contribute():
    assert re.findall(r"^## (.*)$", README, re.M) == [
        *("Install", "Run", "Use in a DGL project", "Full graph against minibatch"),
        *("Your own data", "Results", "Speed", "Contribute"),
    ]
    assert len(README.split()) < 1600
    assert re.findall(r'<img src="docs/figures/(\w+)\.svg"', README) == ["whois", "fano"]
    assert "![" not in README


def test_the_words_about_the_results_are_those_of_its_table():
    rows = [line for line in README.splitlines() if line.startswith("|")]
    head = next(i for i, line in enumerate(rows) if "cora-coauthorship" in line)
    names = [cell.strip() for cell in rows[head].split("|")[2:-1]]
    ours = rows[head + 2].replace("**", "").split("|")
    others = [row.replace("**", "").split("|") for row in rows[head + 3 : head + 9]]
    leads = {}
    for i, name in enumerate(names, start=2):
        means = [float(row[i].split("±")[0]) for row in others]
        leads[name] = round(float(ours[i].split("±")[0]) - max(means), 1)
    assert (
        "leads on cora-coauthorship, is level with HGNN on pubmed, and is behind on the" in README
    )
    assert leads.pop("cora-coauthorship") >= 0.5
    assert abs(leads.pop("pubmed")) < 0.5
    assert len(leads) == 3
    assert max(leads.values()) < 0
    assert claim("DBLP: +0.2 (HyperSAGE (p=1) 88.3, HGNN 88.1)", "partly")


def test_the_speed_is_that_of_the_committed_rows():
    rows = [row for path in sorted(RESULTS.glob("*.jsonl")) for row in read_rows(path)]
    shown = README.split("<!-- speed: made by python -m benchmarks report -->")[1]
    made = speed(rows)
    assert shown.split("<!-- end of speed -->")[0].strip() == made, (
        "run python -m benchmarks report"
    )
    assert "| ratio |" in made


@pytest.mark.parametrize("line", LINES, ids=lambda line: line.words)
def test_every_line_of_the_speed_is_a_case_of_a_benchmark(line):
    settings = Settings("dblp", None, False)
    found = {each.name: each for each in module_of(line.benchmark).comparisons(settings)}
    cases = {case.name: case.is_reference for case in found[line.comparison].cases}
    assert cases[line.case] is False
    assert True in cases.values()


def test_links_lead_somewhere():
    links = re.findall(r"\]\((?!https?:)([^)#]+)", README)
    assert links
    assert [link for link in links if not (ROOT / link).exists()] == []
