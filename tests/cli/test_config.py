"""Reading the configuration: where from, what it may say, how mistakes are told."""

from __future__ import annotations

from pathlib import Path

import pytest

from autograd_hazards import config
from autograd_hazards.config import Config, ConfigError


def write(path: Path, text: str) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)
    return path


def test_without_a_file_everything_is_on() -> None:
    assert Config().enabled("AGH301")
    assert Config().enabled("AGH001")


def test_the_nearest_file_upwards_counts(tmp_path: Path) -> None:
    write(tmp_path / "pyproject.toml", '[tool.autograd-hazards]\nignore = ["AGH1"]\n')
    write(tmp_path / "a" / "autograd-hazards.toml", 'ignore = ["AGH2"]\n')
    write(tmp_path / "a" / "b" / "pyproject.toml", "[tool.other]\nx = 1\n")
    assert config.load(tmp_path / "a" / "b").ignore == ("AGH2",)
    assert config.load(tmp_path).ignore == ("AGH1",)


def test_an_explicit_file_replaces_the_search(tmp_path: Path) -> None:
    write(tmp_path / "autograd-hazards.toml", 'ignore = ["AGH2"]\n')
    other = write(tmp_path / "other.toml", 'select = ["AGH4"]\n')
    loaded = config.load(tmp_path, other)
    assert (loaded.select, loaded.ignore) == (("AGH4",), ())
    with pytest.raises(ConfigError, match="no such configuration file"):
        config.load(tmp_path, tmp_path / "missing.toml")


def test_all_settings(tmp_path: Path) -> None:
    path = write(
        tmp_path / "autograd-hazards.toml",
        """
        select = ["AGH3", "agh201"]
        extend-select = ["AGH4"]
        ignore = ["AGH301"]
        extend-ignore = ["AGH302"]
        extend-exclude = ["old"]
        respect-gitignore = false
        torch-version = "2.6"
        time-limit = 5
        cache-dir = "/tmp/x"
        [per-file-ignores]
        "tests/*" = ["AGH3"]
        [severity]
        AGH303 = "information"
        """,
    )
    loaded = config.load_file(path)
    assert loaded.select == ("AGH3", "AGH201")
    assert loaded.ignore == ("AGH301", "AGH302")
    assert loaded.exclude == (*config.DEFAULT_EXCLUDE, "old")
    assert not loaded.respect_gitignore
    assert (loaded.torch_version, loaded.time_limit, loaded.cache_dir) == ("2.6", 5.0, "/tmp/x")
    assert loaded.per_file_ignores == (("tests/*", ("AGH3",)),)
    assert loaded.severity_of("AGH303", "error") == "information"
    assert [code for code in ("AGH201", "AGH202", "AGH301", "AGH303", "AGH401") if loaded.enabled(code)] == [
        "AGH201",
        "AGH303",
        "AGH401",
    ]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ('selct = ["AGH3"]', "unknown setting 'selct'; did you mean 'select'"),
        ("torch_version = '2.1'", "did you mean 'torch-version'"),
        ("zzz = 1", "the settings are cache-dir, "),
        ('select = "AGH3"', "select must be a list of rule codes"),
        ('select = ["E501"]', "'E501' is no rule code"),
        ("select = [3]", "select must be a list of rule codes"),
        ('ignore = ["AGH3012"]', "'AGH3012' is no rule code"),
        ("torch-version = 2.6", "torch-version must be a version of torch in quotes"),
        ('torch-version = "new"', "torch-version must be a version of torch"),
        ("respect-gitignore = 1", "respect-gitignore must be true or false"),
        ('exclude = "x"', "exclude must be a list of strings"),
        ("time-limit = 0", "time-limit must be a number of seconds above 0"),
        ("time-limit = true", "time-limit must be a number of seconds above 0"),
        ("cache-dir = 3", "cache-dir must be a string"),
        ('severity = ["AGH3"]', "severity must be a table"),
        ('severity = {AGH3 = "fatal"}', "severity.AGH3 must be one of error, warning, information, off"),
        ("per-file-ignores = []", "per-file-ignores must be a table"),
        ('per-file-ignores = {"a.py" = "AGH3"}', "per-file-ignores.'a.py' must be a list of rule codes"),
        ("select = [", "is not valid TOML"),
    ],
)
def test_mistakes_are_told_with_their_file(tmp_path: Path, text: str, message: str) -> None:
    path = write(tmp_path / "autograd-hazards.toml", text)
    with pytest.raises(ConfigError) as caught:
        config.load_file(path)
    assert message in str(caught.value)
    assert str(path) in str(caught.value)


def test_a_broken_table_in_pyproject_is_a_mistake(tmp_path: Path) -> None:
    path = write(tmp_path / "pyproject.toml", "[tool]\nautograd-hazards = 1\n")
    with pytest.raises(ConfigError, match="must be a table"):
        config.load_file(path)


def test_the_command_lines_selection_beats_the_files_ignores() -> None:
    base = config.from_table({"select": ["AGH2"], "ignore": ["AGH301", "AGH4"]})
    chosen = config.override(base, select=("AGH3",))
    assert [code for code in ("AGH201", "AGH301", "AGH302") if chosen.enabled(code)] == ["AGH301", "AGH302"]
    both = config.override(base, select=("AGH3",), ignore=("AGH302",))
    assert [code for code in ("AGH301", "AGH302") if both.enabled(code)] == ["AGH301"]
    more = config.override(base, ignore=("AGH201",))
    assert [code for code in ("AGH201", "AGH202", "AGH301") if more.enabled(code)] == ["AGH202"]
