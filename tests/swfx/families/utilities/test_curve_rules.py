"""Curves that a centre states in a TOML file."""

from __future__ import annotations

from pathlib import Path

import pytest

from swfx import Header, InputError, UtilityFunction, Workload
from swfx.families.utilities import Given, Valuation, make_model

CURVES = """
[curves.cheap]
points = "0:1,1h:1,2h:0"
per = "processor-hour"

[curves.fixed]
points = "0:5,600:0"
per = "job"
"""

LOG = Workload.from_columns(
    submit=[0, 0, 0, 0],
    run=[60, 60, 60, 60],
    processors=[1, 2, 4, 8],
    requested_time=[3600, 7200, 1800, 3600],
    user=[1, 2, 3, 1],
    queue=[7, 7, 8, -1],
    job_name=[1, 2, 3, 1],
    comment=[1, 2, 3, -1],
    header=Header(
        (
            " User: 1 ann",
            " User: 2 bob",
            " JobName: 1 train-1",
            " JobName: 2 train-2",
            " JobName: 3 post",
            " Comment: 1 fixed",
            ' Comment: 2 "see ticket; curve=cheap"',
            " Comment: 3 curve=fast",
        )
    ),
)


def attached(text: str, folder: Path, log: Workload = LOG) -> tuple[Workload, list[str]]:
    path, said = folder / "own.toml", []
    path.write_text(text, "utf-8")
    valuation = Valuation.parse(f"curves:file={path}")
    return valuation.attach(log, 3, Given(say=said.append)).workload, said


def starts(text: str, folder: Path) -> list[float]:
    return attached(text, folder)[0].utility.start_values.tolist()


def test_values_are_of_the_job_or_of_the_processor_hours_that_it_requests(tmp_path):
    own, said = attached(
        f"default = 'cheap'\n{CURVES}\n[[rules]]\nuser = 3\ncurve = 'fixed'", tmp_path
    )

    assert own.utility[0] == UtilityFunction([0, 3600, 7200], [1, 1, 0])
    assert own.utility[1] == UtilityFunction([0, 3600, 7200], [4, 4, 0])
    assert own.utility[2] == UtilityFunction([0, 600], [5, 0])
    assert own.utility[3] == UtilityFunction([0, 3600, 7200], [8, 8, 0])
    assert said == []


@pytest.mark.parametrize(
    ("rules", "whose"),
    [
        ("user = 'ann'", [1, 0, 0, 1]),
        ("user = ['bob', 3]", [0, 1, 1, 0]),
        ("user = '3'", [0, 0, 1, 0]),
        ("user = 'ann'\nqueue = 7", [1, 0, 0, 0]),
        ("job_name = 'train-*'", [1, 1, 0, 1]),
        ("job_name = '*[!2]'", [1, 0, 1, 1]),
        ("comment = 'see *'", [0, 1, 0, 0]),
        ("comment = '*'", [1, 1, 1, 0]),
    ],
)
def test_a_rule_is_for_jobs_with_one_of_its_labels_of_every_kind(rules, whose, tmp_path):
    found = starts(f"{CURVES}\n[[rules]]\n{rules}\ncurve = 'fixed'", tmp_path)

    assert found == [5.0 * each for each in whose]


def test_the_first_rule_counts_and_jobs_of_none_have_the_default_or_no_curve(tmp_path):
    one = "[[rules]]\nuser = 'ann'\nqueue = 7\ncurve = 'fixed'"
    rules = f"{one}\n[[rules]]\nuser = 'ann'\ncurve = 'cheap'"

    assert starts(f"{CURVES}\n{rules}", tmp_path) == [5, 0, 0, 8]
    assert starts(f"default = 'fixed'\n{CURVES}\n{rules}", tmp_path) == [5, 5, 5, 8]


def test_a_label_may_name_the_curve(tmp_path):
    own, said = attached(
        f"{CURVES}\n[[rules]]\nqueue = [7, 8]\nnamed_by = 'comment'\n"
        "[[rules]]\nuser = 3\ncurve = 'fixed'",
        tmp_path,
    )

    assert own.utility.start_values.tolist() == [5, 4, 5, 0]
    [note] = said
    assert note.startswith("own.toml (sha256 ")
    assert note.endswith("rule 1: 1 job asks for 'fast', which is no curve")


def test_jobs_that_asked_for_no_time_are_told(tmp_path):
    unasked = LOG.replace(requested_time=[-1.0, 7200.0, -1.0, -1.0])
    own, said = attached(
        f"default = 'cheap'\n{CURVES}\n[[rules]]\nuser = 3\ncurve = 'fixed'", tmp_path, unasked
    )

    assert own.utility.start_values[0] == pytest.approx(60 / 3600)
    assert [note.partition("): ")[2][:29] for note in said] == ["2 jobs asked for no time: the"]


def test_labels_that_no_job_has_are_told(tmp_path):
    _, said = attached(
        f"{CURVES}\n[[rules]]\nuser = ['anna', 'bob']\ncurve = 'fixed'\n"
        "[[rules]]\naccount = 'bio'\ncurve = 'fixed'",
        tmp_path,
    )

    assert [note.partition("): ")[2] for note in said] == [
        "rule 1: no job has the user 'anna'",
        "rule 2: no job has a label of the kind 'account'",
    ]


def test_jobs_may_keep_their_own_curves(tmp_path):
    own = attached(f"default = 'fixed'\n{CURVES}", tmp_path)[0]
    text = f"keep = true\ndefault = 'cheap'\n{CURVES}"
    half = own.replace(
        utility=own.utility.take([0, 1]).stacked(
            [own.utility.take([0, 1]), type(own.utility).empty(2)]
        )
    )

    kept, _ = attached(text, tmp_path, half)

    assert kept.utility.start_values.tolist() == [5, 5, 2, 8]
    [line] = kept.header.all("UtilityModel")
    assert "cheap 2 jobs, fixed 0 jobs; kept 2 jobs: own.toml (sha256 " in line


def test_a_curve_may_be_a_model_which_draws_as_ever(tmp_path):
    text = f"default = 'cheap'\n{CURVES}\n[curves.drawn]\nmodel = 'factor=3,base=wait'\n"
    waited = LOG.replace(wait=[5.0, 5.0, 5.0, 5.0])
    unused, _ = attached(text, tmp_path, waited)
    used, _ = attached(f"{text}[[rules]]\nuser = 2\ncurve = 'drawn'", tmp_path, waited)
    alone = Valuation.parse("factor=3,base=wait").attach(waited, 3).workload

    assert "seed" not in unused.header.get("UtilityModel")
    assert "; drawn is LEE 2.6: factor=3,base=wait" in used.header.get("UtilityModel")
    assert "; seed 3; " in used.header.get("UtilityModel")
    assert used.utility[1] == alone.utility[1]
    assert used.utility[0] == unused.utility[0]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("default = 'a'", r"own\.toml:1: curves is missing; add \[curves.NAME\] with points"),
        (
            f"default = 'chep'{CURVES}",
            r"own\.toml:1: field default: 'chep' is not known; did you mean",
        ),
        (
            f"{CURVES}[[rules]]\nuser='a'\ncurve='fast'",
            r"own\.toml:11: field rules\[0\]\.curve: 'fast' is",
        ),
        (
            f"{CURVES}[[rules]]\nuser='a'",
            r"own\.toml:9: field rules\[0\]: does not say which curve; give",
        ),
        (
            f"{CURVES}[[rules]]\ncurve='fixed'",
            r"field rules\[0\]: says of no job that it fits; name user,",
        ),
        (
            f"{CURVES}[[rules]]\nacount='a'\ncurve='fixed'",
            r"'acount' is not known; did you mean 'account'",
        ),
        (f"{CURVES}[[rules]]\nuser=-1\ncurve='fixed'", r"rules\[0\]\.user: -1 is out of range"),
        (f"{CURVES}[[rules]]\nnamed_by='coment'", r"'coment' is not known; did you mean 'comment'"),
        (
            "[curves.a]\npoints = '0:1,1h:2'\nper = 'job'",
            r"own\.toml:2: field curves.a.points: .*increase",
        ),
        (
            "[curves.a]\npoints = '0:1,1h:0'",
            r"own\.toml:1: field curves.a: does not say of what its",
        ),
        ("[curves.a]\npoints = '0:1,1h:0'\nper = 'hour'", r"curves.a.per: 'hour' is not known"),
        (
            "[curves.a]\nmodel = 'diurnl:at=9'",
            r"own\.toml:2: field curves.a.model: unknown utility model",
        ),
        ("[curves.a]\nmodel = 'none'\nper = 'job'", r"curves.a.per: says nothing beside a model"),
        ("[curves.a]\nper = 'job'", r"curves.a: is no curve; give points ="),
    ],
)
def test_refusals(text, message, tmp_path):
    with pytest.raises(InputError, match=message):
        attached(text, tmp_path)


def test_a_file_must_be_named():
    with pytest.raises(InputError, match="curves: field file: must be given; write curves:file="):
        make_model("curves:")
