#!/usr/bin/env bash
# Sends the explorer what its OpenAPI file allows and forbids, by Schemathesis, and reports every answer
# that the file does not describe.
#
#   tests/interop/api.sh [GAME]
#
# The Python environment is target/interop/api. TESUJI names a program that is built, EXAMPLES the number
# of requests for each operation (default 40).
set -euo pipefail
cd "$(dirname "$0")/../.."
here=tests/interop
environment=target/interop/api
game=${1:-ostle:3x3,pieces=2,losses=2}

[[ -x $environment/bin/python ]] || "${PYTHON:-python3}" -m venv "$environment"
"$environment/bin/pip" install --quiet --disable-pip-version-check -r "$here/requirements-api.txt"
tesuji=${TESUJI:-target/release/tesuji}
[[ -n ${TESUJI:-} ]] || cargo build --release --quiet

said=$(mktemp)
"$tesuji" explore "$game" >"$said" 2>&1 &
explorer=$!
trap 'kill "$explorer" 2>/dev/null; rm -f "$said"' EXIT
until grep -q 'http://' "$said"; do
  kill -0 "$explorer" 2>/dev/null || { cat "$said" >&2; exit 1; }
  sleep 0.2
done
address=$(grep -o 'http://[^ ]*' "$said" | head -1)
# It keeps what it found in the folder where it runs.
config=$PWD/$here/schemathesis.toml
cd target/interop
api/bin/schemathesis --config-file "$config" run "${address%/}/api/openapi.json" \
  --url "${address%/}" --max-examples "${EXAMPLES:-40}" --workers 1 --seed 1
