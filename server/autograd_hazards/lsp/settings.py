"""The client's settings (section ``autogradHazards``), and the configuration that they and the project's files make."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields, replace
from typing import Any

from autograd_hazards import config as configuration
from autograd_hazards.config import Config, ConfigError
from autograd_hazards.locales import LOCALES
from autograd_hazards.messages import say

SECTION = "autogradHazards"
HINT = "hint"


@dataclass(frozen=True, slots=True)
class Settings:
    """What the user chose in the editor. Selections replace those of the project's files, ``ignore`` adds to them."""

    enable: bool = True
    select: tuple[str, ...] = ()
    ignore: tuple[str, ...] = ()
    severity: tuple[tuple[str, str], ...] = ()
    torch_version: str | None = None
    unopened_files: bool = False
    inlay_hints: bool = False
    observed: bool = True
    locale: str = "auto"
    time_limit: float | None = None
    # Not a setting: the torch in the user's environment, which counts where nothing says another.
    installed_torch: str | None = None

    def severity_of(self, code: str, default: str) -> str:
        """The severity for findings of ``code``, ``hint`` included."""
        best, found = -1, default
        for prefix, severity in self.severity:
            if code.startswith(prefix) and len(prefix) > best:
                best, found = len(prefix), severity
        return found

    def apply_to(self, config: Config) -> Config:
        """The project's configuration with these settings over it."""
        config = configuration.override(
            config, select=self.select, ignore=self.ignore, torch_version=self.torch_version
        )
        if self.severity:
            chosen = tuple((code, "information" if level == HINT else level) for code, level in self.severity)
            config = replace(config, severity=(*(p for p in config.severity if p[0] not in dict(chosen)), *chosen))
        if config.torch_version is None and self.installed_torch is not None:
            config = replace(config, torch_version=self.installed_torch)
        if self.time_limit is not None:
            config = replace(config, time_limit=self.time_limit)
        return config


def read(value: Any) -> tuple[Settings, list[str]]:
    """The settings in a client's JSON, and a sentence about each that cannot be used (its default stands instead)."""
    if not isinstance(value, Mapping):
        return Settings(), []
    chosen: dict[str, Any] = {}
    troubles: list[str] = []
    for name, (where, reader) in _READERS.items():
        given = _at(value, where)
        if given is None:
            continue
        try:
            chosen[name] = reader(given, f"{SECTION}.{where}")
        except ConfigError as error:
            troubles.append(error.message)
    return Settings(**chosen), troubles


def _at(value: Any, where: str) -> Any:
    """The value at a dotted name, also when the client sends the dotted name itself as a key."""
    if isinstance(value, Mapping) and where in value:
        return value[where]
    for part in where.split("."):
        value = value.get(part) if isinstance(value, Mapping) else None
    return value


def _flag(value: Any, where: str) -> bool:
    if not isinstance(value, bool):
        raise ConfigError(say("{where} must be true or false, not {value}", where=where, value=repr(value)))
    return value


def _severities(value: Any, where: str) -> tuple[tuple[str, str], ...]:
    if not isinstance(value, Mapping):
        raise ConfigError(say("{where} must be a table from rule codes to severities", where=where))
    pairs = []
    for code, level in value.items():
        (selector,) = configuration.parse_selectors([code], where)
        if level not in (*configuration.SEVERITIES, HINT):
            raise configuration.none_of(f"{where}.{code}", (*configuration.SEVERITIES, HINT), level)
        pairs.append((selector, str(level)))
    return tuple(pairs)


def _version(value: Any, where: str) -> str | None:
    return None if value in ("auto", "") else configuration.parse_torch_version(value, where)


def _locale(value: Any, where: str) -> str:
    choices = (configuration.AUTO, *LOCALES)
    if not isinstance(value, str) or value.lower() not in choices:
        raise configuration.none_of(where, choices, value)
    return value.lower()


def _seconds(value: Any, where: str) -> float:
    if isinstance(value, bool) or not isinstance(value, (int, float)) or value <= 0:
        raise ConfigError(
            say("{where} must be a number of seconds above 0, not {value}", where=where, value=repr(value))
        )
    return float(value)


_READERS: dict[str, tuple[str, Any]] = {
    "enable": ("enable", _flag),
    "select": ("select", configuration.parse_selectors),
    "ignore": ("ignore", configuration.parse_selectors),
    "severity": ("severity", _severities),
    "torch_version": ("torchVersion", _version),
    "unopened_files": ("lint.unopenedFiles", _flag),
    "inlay_hints": ("inlayHints", _flag),
    "observed": ("observed", _flag),
    "locale": ("locale", _locale),
    "time_limit": ("timeLimit", _seconds),
}
assert {*_READERS, "installed_torch"} == {entry.name for entry in fields(Settings)}
