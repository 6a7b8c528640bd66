#!/usr/bin/env bash
# The web page of a book and the explorer in a real browser, Debian's Chromium without a window.
# Installs what is missing: the browser from Debian, its driver with pip.
#   tests/browser/run.sh [folder for screenshots]
# With OSTLE_TABLE=FILE, the table of the published game, the explorer is shown Fig. 1B of
# the paper.
set -euo pipefail
cd "$(dirname "$0")/../.."

work=target/browser
mkdir -p "$work"
shots=${1:-$work}

chromium=${CHROMIUM:-$(command -v chromium || true)}
if [ -z "$chromium" ]; then
    as_root=()
    [ "$(id -u)" -eq 0 ] || as_root=(sudo)
    "${as_root[@]}" apt-get update -qq
    "${as_root[@]}" apt-get install -y -qq --no-install-recommends chromium
    chromium=$(command -v chromium)
fi

python=${PYTHON:-python3}
[ -x "$work/venv/bin/python" ] || "$python" -m venv "$work/venv"
"$work/venv/bin/pip" install --quiet --disable-pip-version-check -r tests/browser/requirements.txt

# The accessibility checker, if npm is there.
axe=$work/node_modules/axe-core/axe.min.js
if [ ! -f "$axe" ] && command -v npm > /dev/null; then
    npm install --silent --no-audit --no-fund --prefix "$work" axe-core@4
fi
[ -f "$axe" ] || axe=

tesuji=${TESUJI:-}
if [ -z "$tesuji" ]; then
    cargo build --release --quiet
    tesuji=target/release/tesuji
fi

CHROMIUM="$chromium" TESUJI="$tesuji" SHOTS="$shots" AXE="$axe" \
    "$work/venv/bin/pytest" --quiet -p no:cacheprovider tests/browser
