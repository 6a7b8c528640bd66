#!/usr/bin/env bash
# The Python package in a fresh environment: installed as its page says, then tests, types, the program's
# answers about chess positions, the examples of the documentation, and the page itself.
#
#   src/python/tests/run.sh
#
# The environment is target/python, unless VENV names another folder. TESUJI names a program that is built.
set -euo pipefail
cd "$(dirname "$0")/../../.."
here=src/python
environment=${VENV:-target/python}

"${PYTHON:-python3}" -m venv --clear "$environment"
environment=$(cd "$environment" && pwd)
install() { "$environment/bin/pip" install --quiet --disable-pip-version-check "$@"; }
install "./$here"
install -r "$here/tests/requirements.txt"

# The command line of the program must not pay for Python.
if cargo tree --quiet --edges normal,build --prefix none | grep -q '^pyo3'; then
  echo "the program depends on pyo3" >&2
  exit 1
fi

"$environment/bin/mypy" --config-file "$here/pyproject.toml" "$here/package/tesuji_puzzles"
"$environment/bin/pytest" --quiet -p no:cacheprovider "$here/tests"
tesuji=${TESUJI:-target/release/tesuji}
[[ -n ${TESUJI:-} ]] || cargo build --release --quiet
"$environment/bin/python" tests/interop/chess_answers.py "$tesuji" chess:KQ-KR --ask python
if command -v java >/dev/null; then
  install -r tests/interop/requirements-spark.txt
  "$environment/bin/python" tests/interop/cluster.py
else
  echo "left out: games on Apache Spark, which needs Java" >&2
fi
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
here=$PWD/$here
cd "$work"
# The examples of the package that was installed, and those of the page.
"$environment/bin/pytest" --quiet -p no:cacheprovider --doctest-modules --pyargs tesuji_puzzles
"$environment/bin/python" -m doctest "$here/README.md"
