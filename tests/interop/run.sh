#!/usr/bin/env bash
# Solves a small game, exports all of its states, and has the filters of this folder find the same
# rows in the program itself, DuckDB and Polars; with --spark in Apache Spark too (Java 17 or later), which
# then solves and mines games on two executors, one of which is killed. Then Anki imports a deck of finds, python-chess reads endings, and engine and HTTP API say what probe says.
#
#   tests/interop/run.sh [--spark] [GAME]
#
# What was found goes to standard output, all else to standard error. Data go to target/interop/, and
# so does the Python environment, unless VENV names another folder. TESUJI names a program that is built.
set -euo pipefail
cd "$(dirname "$0")/../.."
here=tests/interop
work=target/interop

spark=()
if [[ ${1:-} == --spark ]]; then
  spark=(--spark)
  shift
fi
game=${1:-ostle:4x4,pieces=3,losses=2}

environment=${VENV:-$work/venv}
[[ -x $environment/bin/python ]] || "${PYTHON:-python3}" -m venv "$environment"
install() { "$environment/bin/pip" install --quiet --disable-pip-version-check -r "$1" >&2; }
install "$here/requirements.txt"
[[ ${#spark[@]} -eq 0 ]] || install "$here/requirements-spark.txt"

tesuji=${TESUJI:-target/release/tesuji}
[[ -n ${TESUJI:-} ]] || cargo build --release --quiet
filters=("$here"/filters/*.toml)

run() { printf '$ %s\n' "${*/#$tesuji/tesuji}"; "$@"; printf '\n'; }
run "$tesuji" solve "$game" --force --output "$work/table.tsj"
run "$tesuji" export "$game" --table "$work/table.tsj" --board --force --output "$work/states"
run "$tesuji" export "$game" --table "$work/table.tsj" --moves --sample 10 --force --output "$work/moves"
run "$tesuji" mine "$game" --table "$work/table.tsj" "${filters[@]/#/--filter=}" \
  --limit 1 --draw 0 --force --output "$work/finds" | tee "$work/mined.txt"
printf '$ python %s\n' "$here/compare.py $work/states ${filters[*]} --mined $work/mined.txt ${spark[*]}"
"$environment/bin/python" "$here/compare.py" "$work/states" "${filters[@]}" \
  --mined "$work/mined.txt" "${spark[@]}"

if [[ ${#spark[@]} -gt 0 ]]; then
  "$environment/bin/pip" install --quiet --disable-pip-version-check ./src/python >&2
  "$environment/bin/python" "$here/cluster.py" --page notebooks/cluster/README.md >&2
  "$environment/bin/python" "$here/cluster.py" --executors 2 --kill >&2
fi

# A deck of cards, in Anki itself.
"$tesuji" mine "$game" --table "$work/table.tsj" --filter "$here/filters/only-winning-move.toml" \
  --limit 20 --draw 0 --force --output "$work/cards" >&2
"$environment/bin/python" "$here/deck.py" "$tesuji" "$work/cards/only-winning-move/puzzles.csv" >&2

# Chess programs: games and positions of puzzles.
"$tesuji" mine chess:KP-K --filter underpromotion --filter mutual-zugzwang --filter stalemate-trap \
  --draw 0 --force --output "$work/chess" >&2
for filter in underpromotion mutual-zugzwang stalemate-trap; do
  for kind in pgn epd; do
    "$tesuji" export --puzzles "$work/chess/$filter/puzzles.csv" --force --output "$work/chess/$filter.$kind" >&2
  done
done
"$environment/bin/python" "$here/chess_programs.py" --pgn "$work"/chess/*.pgn --epd "$work"/chess/*.epd >&2

# All that answer about positions. The tests of the Python package ask that about the same ones.
"$environment/bin/python" "$here/chess_answers.py" "$tesuji" chess:KQ-KR --ask engine http >&2
