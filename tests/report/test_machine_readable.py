"""JSON, GitHub and SARIF: fixed fields and escapes."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from autograd_hazards.findings import Edit, Finding, Fix, Place, Related
from autograd_hazards.report import github, sarif, statistics
from autograd_hazards.report import json as json_report
from autograd_hazards.report.style import Style


def finding(filename: str = "/p/train.py", message: str = "`h` is changed.") -> Finding:
    return Finding(
        "AGH301",
        "saved-tensor-modified",
        "error",
        Place(filename, 3, 1, 3, 7),
        message,
        "certain",
        Place("/p/train.py", 9, 1, 9, 20),
        (
            Related(Place("/p/net.py", 2, 9, 2, 20), "saved here", "saved"),
            Related(Place(filename, 3, 1, 3, 7), "changed"),
        ),
        (Fix("Clone first", "safe", (Edit(Place(filename, 3, 1, 3, 7), "h = h * 2"),)),),
    )


def test_json_has_exactly_the_agreed_fields() -> None:
    (data,) = json.loads(json_report.render([finding()]))
    url = data.pop("url")
    assert url == (Path(__file__).parents[2] / "docs" / "rules" / "AGH301.md").as_uri()
    assert data == {
        "code": "AGH301",
        "name": "saved-tensor-modified",
        "severity": "error",
        "filename": "/p/train.py",
        "location": {"row": 3, "column": 1},
        "end_location": {"row": 3, "column": 7},
        "message": "`h` is changed.",
        "certainty": "certain",
        "fails_at": {"filename": "/p/train.py", "row": 9},
        "related": [
            {"filename": "/p/net.py", "location": {"row": 2, "column": 9}, "message": "saved here"},
            {"filename": "/p/train.py", "location": {"row": 3, "column": 1}, "message": "changed"},
        ],
        "fixes": [
            {
                "title": "Clone first",
                "applicability": "safe",
                "edits": [
                    {
                        "filename": "/p/train.py",
                        "location": {"row": 3, "column": 1},
                        "end_location": {"row": 3, "column": 7},
                        "content": "h = h * 2",
                    }
                ],
            }
        ],
    }


def test_github_is_told_the_notebook_and_hears_of_the_cell_in_words() -> None:
    shown = github.render([finding("/p/a.ipynb:cell 4")])
    assert shown.startswith(
        "::error title=AGH301 saved-tensor-modified,file=/p/a.ipynb::cell 4, line 3: `h` is changed.%0A"
    )


def test_json_of_nothing_is_an_empty_list() -> None:
    assert json.loads(json_report.render([])) == []


def test_json_names_the_cell_of_a_notebook() -> None:
    (data,) = json.loads(json_report.render([finding("/p/a.ipynb:cell 4")]))
    assert (data["filename"], data["cell"]) == ("/p/a.ipynb", 4)
    assert data["related"][1]["cell"] == 4
    assert "cell" not in data["related"][0]


def test_github_escapes_and_tells_the_story(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.chdir(tmp_path)
    line = github.render([finding(str(tmp_path / "a,b:c.py"), "100% wrong")])
    assert line == (
        "::error title=AGH301 saved-tensor-modified,file=a%2Cb%3Ac.py,line=3,endLine=3,col=1,endColumn=7::"
        "100%25 wrong%0A1. /p/net.py:2: saved here%0A2. a,b:c.py:3: changed%0Atorch raises at /p/train.py:9\n"
    )


def test_sarif_has_rules_results_related_locations_and_a_flow(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.chdir(tmp_path)
    log = json.loads(sarif.render([finding(str(tmp_path / "a b.py"))], {"AGH301": "A tensor.\n\n## Why\nBecause."}))
    assert log["version"] == "2.1.0"
    (run,) = log["runs"]
    (rule,) = run["tool"]["driver"]["rules"]
    assert (rule["id"], rule["shortDescription"]["text"]) == ("AGH301", "A tensor.")
    assert rule["help"]["markdown"].endswith("Because.")
    (result,) = run["results"]
    assert (result["ruleId"], result["ruleIndex"], result["level"]) == ("AGH301", 0, "error")
    location = result["locations"][0]["physicalLocation"]
    assert location["artifactLocation"] == {"uri": "a%20b.py", "uriBaseId": "ROOT"}
    assert location["region"] == {"startLine": 3, "startColumn": 1, "endLine": 3, "endColumn": 7}
    assert [(r["id"], r["message"]["text"]) for r in result["relatedLocations"]] == [
        (1, "saved here"),
        (2, "changed"),
        (3, "torch raises here"),
    ]
    assert result["relatedLocations"][0]["physicalLocation"]["artifactLocation"] == {"uri": "file:///p/net.py"}
    steps = result["codeFlows"][0]["threadFlows"][0]["locations"]
    assert [step.get("kinds") for step in steps] == [["saved"], None, ["fails"]]
    (fix,) = result["fixes"]
    assert fix["artifactChanges"][0]["replacements"][0]["insertedContent"] == {"text": "h = h * 2"}


def test_statistics_put_the_most_frequent_rule_first() -> None:
    other = Finding("AGH201", "step-before-backward", "error", Place("a", 1, 1, 1, 2), "", "certain")
    shown = statistics.render([other, finding(), finding()], Style())
    assert shown == "2  AGH301  saved-tensor-modified\n1  AGH201  step-before-backward\n"
