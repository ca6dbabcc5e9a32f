#!/usr/bin/env sh
# with_node.sh WHAT COMMAND…: runs the command if Node 20 or newer and npm are there; else says that WHAT was left out,
# which is an error when NEED is set.
set -eu
what=$1
shift
if command -v npm >/dev/null && node -e 'process.exit(Number(process.versions.node.split(".")[0]) >= 20 ? 0 : 1)' 2>/dev/null; then
    exec "$@"
fi
echo "SKIPPED: $what, since Node 20 or newer is not installed." >&2
[ -z "${NEED:-}" ]
