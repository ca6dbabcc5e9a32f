"""Tests read English, whatever the language of the person who runs them."""

from __future__ import annotations

import os

for _name in ("LC_ALL", "LC_MESSAGES", "LANG", "LANGUAGE"):
    if os.environ.get(_name, "").lower().startswith("zh"):
        os.environ[_name] = "C.UTF-8" if _name != "LANGUAGE" else "en"

# Servers that tests start keep nothing, least of all in the folder of the person who runs them.
os.environ["AUTOGRAD_HAZARDS_CACHE"] = ""
