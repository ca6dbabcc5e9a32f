"""Code actions: fixes, suppressions, the rule's page. They are listed without their edits, which ``resolve`` adds."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import TYPE_CHECKING, Any

from lsprotocol import types

from autograd_hazards.findings import Edit, Fix
from autograd_hazards.locales import translate
from autograd_hazards.lsp import fix_all, suppress
from autograd_hazards.lsp.analyst import may_be_fixed
from autograd_hazards.lsp.edits import workspace_edit
from autograd_hazards.lsp.view import overlap
from autograd_hazards.messages import say

if TYPE_CHECKING:
    from autograd_hazards.lsp.server import HazardsServer

FIX_ALL = types.CodeActionKind.SourceFixAll.value + ".autograd-hazards"
ALL = say("Apply all safe fixes of Autograd Hazards")
QUICK = types.CodeActionKind.QuickFix.value


async def offered(ls: HazardsServer, params: types.CodeActionParams) -> list[types.CodeAction] | None:
    """What can be done in the range. Fixes are worked out here, since one that does not mend is not offered."""
    uri = params.text_document.uri
    report = await ls.report_of(uri)
    if report is None:
        return None
    only = params.context.only
    actions: list[types.CodeAction] = []
    if wanted(QUICK, only):
        for (finding, diagnostic), name in zip(report.shown(uri), report.shown_names(uri)):
            if not overlap(params.range, diagnostic.range):
                continue
            fixes: Sequence[Fix] = ()
            if may_be_fixed(finding):
                fixes = await ls.ask(partial(ls.analyst.fixes, report, name)) or ()
            for number, fix in enumerate(fixes):
                data = {"do": "fix", "uri": uri, "version": report.version, "id": name, "number": number}
                actions.append(_action(translate(fix.title, ls.locale), QUICK, diagnostic, data, preferred=number == 0))
            if ls.client_commands:
                actions += _commands(uri, name, finding.code, diagnostic, ls.locale)
            for scope in ("line", "file"):
                title = translate(suppress.title(finding.code, scope), ls.locale)
                data = {"do": scope, "uri": uri, "version": report.version, "id": name}
                actions.append(_action(title, QUICK, diagnostic, data))
    if wanted(FIX_ALL, only) and (only or any(map(may_be_fixed, report.findings))):
        data = {"do": "fixAll", "uri": uri, "version": report.version}
        actions.append(_action(translate(ALL, ls.locale), FIX_ALL, None, data))
    if not ls.resolves_edits:
        actions = [await resolved(ls, action) for action in actions]
        actions = [action for action in actions if action.edit is not None or action.command is not None]
    return actions


async def resolved(ls: HazardsServer, action: types.CodeAction) -> types.CodeAction:
    """The action with its edit; without one when the document has changed since."""
    data: Any = action.data
    if not isinstance(data, dict) or not {"do", "uri", "version"} <= data.keys():
        return action  # none of ours
    report = await ls.report_of(data["uri"])
    if report is None or report.version != data["version"]:
        return action
    edits: Sequence[Edit] = ()
    if data["do"] == "fix":
        fixes = await ls.ask(lambda: ls.analyst.fixes(report, data["id"])) or ()
        if data["number"] < len(fixes):
            edits = fixes[data["number"]].edits
    elif data["do"] == "fixAll":
        edits = await ls.ask(lambda: fix_all.edits(ls.analyst, report)) or ()
    else:
        finding = report.find(data["id"])
        if finding is not None:
            edits = await ls.ask(lambda: suppress.edits(ls.analyst, report, finding, data["do"])) or ()
    if edits:
        action.edit = workspace_edit(ls, report.view, edits)
    return action


def wanted(kind: str, only: Sequence[types.CodeActionKind | str] | None) -> bool:
    """Whether a kind of action is asked for; all are when the client does not say."""
    if not only:
        return True
    names = [str(getattr(name, "value", name)) for name in only]
    return any(not name or kind == name or kind.startswith(f"{name}.") for name in names)


def _action(
    title: str, kind: str, diagnostic: types.Diagnostic | None, data: dict[str, Any], preferred: bool = False
) -> types.CodeAction:
    return types.CodeAction(
        title,
        kind=kind,
        diagnostics=[diagnostic] if diagnostic is not None else None,
        is_preferred=True if preferred else None,
        data=data,
    )


def _commands(uri: str, name: str, code: str, diagnostic: types.Diagnostic, locale: str) -> list[types.CodeAction]:
    """What our own client can show."""
    made = []
    for title, command, arguments in (
        (say("Show what happened ({code})", code=code), "autogradHazards.showTimeline", [uri, name]),
        (say("About {code}", code=code), "autogradHazards.openRule", [code]),
    ):
        told = translate(title, locale)
        action = _action(told, QUICK, diagnostic, {})
        action.data = None
        action.command = types.Command(told, command, arguments=list(arguments))
        made.append(action)
    return made
