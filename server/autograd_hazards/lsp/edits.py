"""Our edits as workspace edits."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from lsprotocol import types

from autograd_hazards.findings import Edit
from autograd_hazards.lsp.view import View

if TYPE_CHECKING:
    from autograd_hazards.lsp.server import HazardsServer


def workspace_edit(ls: HazardsServer, view: View, edits: Sequence[Edit]) -> types.WorkspaceEdit:
    """The edits by document, with the versions that they are meant for where the client can take those."""
    by_uri: dict[str, list[types.TextEdit]] = {}
    for edit in edits:
        by_uri.setdefault(view.uri(edit.place.filename), []).append(
            types.TextEdit(view.range(edit.place), edit.content)
        )
    if not ls.takes_document_changes:
        return types.WorkspaceEdit(changes=by_uri)
    changes = []
    for uri, mine in by_uri.items():
        document = ls.documents.document(uri)
        version = document.version if document is not None else None
        changes.append(types.TextDocumentEdit(types.OptionalVersionedTextDocumentIdentifier(uri, version), list(mine)))
    return types.WorkspaceEdit(document_changes=list(changes))
