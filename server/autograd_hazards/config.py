"""Configuration: which rules run, how severe they are, what is left out, which torch the program is for.

It is read from ``[tool.autograd-hazards]`` in pyproject.toml or from autograd-hazards.toml, whichever is nearest
upwards.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from pathlib import Path
from typing import Any

from autograd_hazards.locales import LOCALES
from autograd_hazards.messages import Text, UserError, joined, say

CONFIG_NAME = "autograd-hazards.toml"
TABLE = "autograd-hazards"
AUTO = "auto"
SEVERITIES = ("error", "warning", "information", "off")
# Folders that hold no code of the project. A name matches at any depth.
DEFAULT_EXCLUDE = (
    ".git",
    ".hg",
    ".svn",
    ".tox",
    ".nox",
    ".venv",
    "venv",
    ".eggs",
    ".mypy_cache",
    ".ruff_cache",
    ".pytest_cache",
    ".ipynb_checkpoints",
    "__pycache__",
    "__pypackages__",
    "node_modules",
    "site-packages",
    "build",
    "dist",
    ".autograd_hazards_cache",
)
_SELECTOR = re.compile(r"AGH[0-9]{0,3}")
_VERSION = re.compile(r"\d+\.\d+(\.\d+)?([.+a-z0-9-]*)")


class ConfigError(UserError):
    """The configuration, or an option on the command line, cannot be used. The text says what and where."""


@dataclass(frozen=True, slots=True)
class Config:
    """Settings of one run. Codes are whole (``AGH301``) or prefixes (``AGH3``); ``ALL`` is stored as ``AGH``.

    ``severity`` maps codes or prefixes to a severity, ``off`` included; ``per_file_ignores`` maps patterns to codes.
    ``locale`` is the language of reports for people, or ``auto``: the environment's. ``source`` is the file all this was
    read from, and relative patterns are relative to its folder.
    """

    select: tuple[str, ...] = ("AGH",)
    ignore: tuple[str, ...] = ()
    extend_select: tuple[str, ...] = ()
    exclude: tuple[str, ...] = DEFAULT_EXCLUDE
    respect_gitignore: bool = True
    torch_version: str | None = None
    per_file_ignores: tuple[tuple[str, tuple[str, ...]], ...] = ()
    severity: tuple[tuple[str, str], ...] = ()
    time_limit: float = 60.0
    cache_dir: str | None = None
    locale: str = AUTO
    source: Path | None = field(default=None, compare=False)

    def enabled(self, code: str) -> bool:
        """Whether findings of ``code`` are wanted at all. The longest selector that fits decides; at a tie, ignore."""
        if self.severity_of(code, "") == "off":
            return False
        wanted = max(_longest(self.select, code), _longest(self.extend_select, code))
        return wanted >= 0 and wanted > _longest(self.ignore, code)

    def severity_of(self, code: str, default: str) -> str:
        """The severity that findings of ``code`` have, where ``default`` is the one that the rule gave."""
        best, found = -1, default
        for prefix, severity in self.severity:
            if code.startswith(prefix) and len(prefix) > best:
                best, found = len(prefix), severity
        return found

    def fingerprint(self) -> str:
        """Text that differs whenever the findings before selection could differ (for the cache's key)."""
        return f"torch={self.torch_version};limit={self.time_limit}"


def _longest(prefixes: Iterable[str], code: str) -> int:
    return max((len(prefix) for prefix in prefixes if code.startswith(prefix)), default=-1)


def parse_selectors(value: object, where: str) -> tuple[str, ...]:
    """Turn a list of codes and prefixes into selectors. ``where`` names the setting in errors (ConfigError)."""
    if not isinstance(value, (list, tuple)) or not all(isinstance(item, str) for item in value):
        raise ConfigError(say('{where} must be a list of rule codes, such as ["AGH301", "AGH4"]', where=where))
    selectors = []
    for item in value:
        text = item.strip().upper()
        if text == "ALL":
            text = "AGH"
        if not _SELECTOR.fullmatch(text):
            raise ConfigError(
                say(
                    "{where}: {item!r} is no rule code; codes look like AGH301, prefixes like AGH3, or ALL",
                    where=where,
                    item=item,
                )
            )
        selectors.append(text)
    return tuple(selectors)


def parse_torch_version(value: object, where: str) -> str:
    """Check a version of torch such as ``2.6`` or ``2.13.0+cpu``; raises ConfigError for anything else."""
    if not isinstance(value, str) or not _VERSION.fullmatch(value):
        raise ConfigError(
            say(
                '{where} must be a version of torch in quotes, such as "2.6", not {value}',
                where=where,
                value=repr(value),
            )
        )
    return value


def _strings(value: object, where: str) -> tuple[str, ...]:
    if not isinstance(value, list) or not all(isinstance(item, str) for item in value):
        raise ConfigError(say("{where} must be a list of strings", where=where))
    return tuple(value)


def _boolean(value: object, where: str) -> bool:
    if not isinstance(value, bool):
        raise ConfigError(say("{where} must be true or false, not {value}", where=where, value=repr(value)))
    return value


def _string(value: object, where: str) -> str:
    if not isinstance(value, str):
        raise ConfigError(say("{where} must be a string, not {value}", where=where, value=repr(value)))
    return value


def _seconds(value: object, where: str) -> float:
    if isinstance(value, bool) or not isinstance(value, (int, float)) or value <= 0:
        raise ConfigError(
            say("{where} must be a number of seconds above 0, not {value}", where=where, value=repr(value))
        )
    return float(value)


def none_of(where: str, choices: Sequence[str], value: object) -> ConfigError:
    """The error for a ``value`` that is none of ``choices``."""
    listed = joined(choices, say(", "))
    return ConfigError(
        say("{where} must be one of {listed}, not {value}", where=where, listed=listed, value=repr(value))
    )


def _locale(value: object, where: str) -> str:
    if value not in (AUTO, *LOCALES):
        raise none_of(where, (AUTO, *LOCALES), value)
    return str(value)


def _severities(value: object, where: str) -> tuple[tuple[str, str], ...]:
    table = _table(value, say("{where} must be a table from rule codes to severities", where=where))
    pairs = []
    for code, severity in table.items():
        (selector,) = parse_selectors([code], where)
        if severity not in SEVERITIES:
            raise none_of(f"{where}.{code}", SEVERITIES, severity)
        pairs.append((selector, str(severity)))
    return tuple(pairs)


def _per_file(value: object, where: str) -> tuple[tuple[str, tuple[str, ...]], ...]:
    table = _table(value, say("{where} must be a table from file patterns to lists of rule codes", where=where))
    return tuple((pattern, parse_selectors(codes, f"{where}.{pattern!r}")) for pattern, codes in table.items())


def _table(value: object, otherwise: Text) -> Mapping[str, object]:
    if not isinstance(value, dict):
        raise ConfigError(otherwise)
    return value


# Every key that a configuration may have: how its value is read, and the field that it sets.
_KEYS: dict[str, tuple[str, Callable[[object, str], Any]]] = {
    "select": ("select", parse_selectors),
    "extend-select": ("extend_select", parse_selectors),
    "ignore": ("ignore", parse_selectors),
    "extend-ignore": ("ignore", parse_selectors),
    "exclude": ("exclude", _strings),
    "extend-exclude": ("exclude", _strings),
    "respect-gitignore": ("respect_gitignore", _boolean),
    "torch-version": ("torch_version", parse_torch_version),
    "per-file-ignores": ("per_file_ignores", _per_file),
    "severity": ("severity", _severities),
    "time-limit": ("time_limit", _seconds),
    "cache-dir": ("cache_dir", _string),
    "locale": ("locale", _locale),
}


def from_table(table: Mapping[str, object], source: Path | None = None) -> Config:
    """Build a configuration from a parsed TOML table. Unknown keys and ill-typed values raise ConfigError."""
    place = f"{source}: " if source else ""
    values: dict[str, Any] = {}
    # The extend- keys come last, so that they add to what the plain key set wherever they stand in the file.
    for key in sorted(table, key=lambda name: name.startswith("extend-")):
        if key not in _KEYS:
            raise ConfigError(_unknown(place, key))
        name, read = _KEYS[key]
        value = read(table[key], f"{place}{key}")
        if key in ("extend-ignore", "extend-exclude"):
            value = values.get(name, _default(name)) + value
        values[name] = value
    return Config(**values, source=source)


def _default(name: str) -> Any:
    return next(entry.default for entry in fields(Config) if entry.name == name)


def _unknown(place: str, key: str) -> Text:
    import difflib

    near = difflib.get_close_matches(key.replace("_", "-"), _KEYS, n=1)
    if near:
        return say("{place}unknown setting {key!r}; did you mean {near!r}?", place=place, key=key, near=near[0])
    listed = joined(sorted(_KEYS), say(", "))
    return say("{place}unknown setting {key!r}; the settings are {listed}", place=place, key=key, listed=listed)


def _read_toml(path: Path) -> dict[str, Any]:
    if sys.version_info >= (3, 11):
        import tomllib
    else:
        import tomli as tomllib
    try:
        document: dict[str, Any] = tomllib.loads(path.read_text(encoding="utf-8"))
        return document
    except OSError as error:
        raise ConfigError(say("{path}: cannot be read: {error}", path=path, error=error.strerror or error)) from error
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise ConfigError(say("{path}: is not valid TOML: {error}", path=path, error=error)) from error


def load_file(path: Path) -> Config:
    """Read one configuration file; of a pyproject.toml its ``[tool.autograd-hazards]``, absent or not."""
    document = _read_toml(path)
    if path.name == "pyproject.toml":
        tools = document.get("tool", {})
        document = tools.get(TABLE, {}) if isinstance(tools, dict) else {}
        if not isinstance(document, dict):
            raise ConfigError(say("{path}: {table} must be a table", path=path, table=f"tool.{TABLE}"))
    return from_table(document, path)


def _has_table(path: Path) -> bool:
    try:
        # A look at the text first: most pyproject.toml files have no table of ours, and parsing costs start-up time.
        if TABLE not in path.read_text(encoding="utf-8", errors="replace"):
            return False
    except OSError:
        return False
    tools = _read_toml(path).get("tool", {})
    return isinstance(tools, dict) and TABLE in tools


def find_config(start: Path) -> Path | None:
    """The configuration file nearest upwards from the folder ``start``, or None."""
    for folder in (start, *start.parents):
        own = folder / CONFIG_NAME
        if own.is_file():
            return own
        project = folder / "pyproject.toml"
        if project.is_file() and _has_table(project):
            return project
    return None


def load(start: Path, explicit: Path | None = None) -> Config:
    """The configuration for work that begins in the folder ``start``; ``explicit`` (``--config``) is read instead."""
    if explicit is not None:
        if not explicit.is_file():
            raise ConfigError(say("{path}: no such configuration file", path=explicit))
        return load_file(explicit)
    found = find_config(start)
    return load_file(found) if found else Config()


def override(
    config: Config,
    *,
    select: tuple[str, ...] = (),
    ignore: tuple[str, ...] = (),
    torch_version: str | None = None,
) -> Config:
    """``config`` with what the command line said: its selection replaces, its ignores add."""
    if select:
        # An explicit wish beats an ignore of the file that it covers, yet not one on the same command line.
        kept = tuple(code for code in config.ignore if not any(code.startswith(wish) for wish in select))
        config = replace(config, select=select, extend_select=(), ignore=kept)
    if ignore:
        config = replace(config, ignore=config.ignore + ignore)
    if torch_version is not None:
        config = replace(config, torch_version=torch_version)
    return config
