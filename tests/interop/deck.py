"""Imports a deck into Anki twice: nothing is doubled, and what was changed is updated.

    deck.py TESUJI PUZZLES.csv
"""

import csv
import subprocess
import sys
import tempfile
from pathlib import Path

from anki.collection import Collection, ImportAnkiPackageOptions, ImportAnkiPackageRequest
from anki.import_export_pb2 import IMPORT_ANKI_PACKAGE_UPDATE_CONDITION_ALWAYS as ALWAYS


def deck(tesuji: str, rows: list[dict[str, str]], path: Path) -> Path:
    """A deck of some puzzles."""
    table = path.with_suffix(".csv")
    with table.open("w", newline="") as file:
        writer = csv.DictWriter(file, list(rows[0]))
        writer.writeheader()
        writer.writerows(rows)
    subprocess.run([tesuji, "export", "--puzzles", table, "-o", path], check=True, stdout=subprocess.DEVNULL)
    return path


def imported(collection: Collection, path: Path) -> tuple[int, int]:
    """How many notes an import adds and updates."""
    options = ImportAnkiPackageOptions(update_notes=ALWAYS, update_notetypes=ALWAYS)
    log = collection.import_anki_package(ImportAnkiPackageRequest(package_path=str(path), options=options)).log
    assert not log.conflicting, log.conflicting
    return len(log.new), len(log.updated)


def main() -> None:
    tesuji, puzzles = sys.argv[1:]
    with open(puzzles, newline="") as file:
        rows = [row | {"title": "", "comments": ""} for row in csv.DictReader(file)]
    with tempfile.TemporaryDirectory() as folder:
        here = Path(folder)
        first = deck(tesuji, rows, here / "first.apkg")
        rows[0] |= {"title": "First of all", "comments": "seen in May"}
        second = deck(tesuji, rows, here / "second.apkg")
        collection = Collection(str(here / "collection.anki2"))
        assert imported(collection, first) == (len(rows), 0)
        card = collection.get_card(collection.find_cards(f"Id:{rows[0]['puzzle_id']}")[0])
        before = {note: collection.get_note(note).fields for note in collection.find_notes("")}
        added, _ = imported(collection, second)
        after = {note: collection.get_note(note).fields for note in collection.find_notes("")}
        changed = [note for note in before if before[note] != after[note]]
        assert added == 0 and before.keys() == after.keys() and changed == [card.nid]
        card.load()
        note = card.note()
        assert (note["Title"], note["More"]) == ("First of all", "comments: seen in May")
        # Front and back are filled, and show what they should.
        front, back = card.question(), card.answer()
        assert note["Picture"] in front and note["Stipulation"] in front and "First of all" in front
        assert note["Solution"] and note["Solution"] not in front and note["Solution"] in back
        assert note.note_type()["name"] == "tesuji problem"
        assert collection.decks.name(card.did).startswith("tesuji::")
        tags = {tag.split("::")[0] for tag in collection.tags.all()}
        assert {"stars", "plies"} <= tags, tags
        media = collection.media.check()
        assert not media.missing and not media.unused, media
        assert len(list(Path(collection.media.dir()).iterdir())) == len(rows)
        fixed, ok = collection.fix_integrity()
        assert ok, fixed
        collection.close()
    print(f"Anki: {len(rows)} notes, imported twice; one changed, none doubled")


if __name__ == "__main__":
    main()
