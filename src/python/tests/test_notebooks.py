"""The form of the notebooks; ``pytest --nbmake notebooks`` runs them."""

import json
import re
from pathlib import Path

import pytest

NOTEBOOKS = sorted((Path(__file__).parents[3] / "notebooks").glob("*.ipynb"))


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_a_notebook_has_a_kernel_and_the_outputs_of_a_clean_run(path: Path) -> None:
    notebook = json.loads(path.read_text())
    assert notebook["metadata"]["kernelspec"]["name"] == "python3"
    code = [cell for cell in notebook["cells"] if cell["cell_type"] == "code"]
    assert [cell["execution_count"] for cell in code] == list(range(1, len(code) + 1))
    for cell in code:
        for output in cell["outputs"]:
            assert output["output_type"] != "error" and output.get("name") != "stderr"
            # Addresses of objects differ from run to run.
            assert not re.search(r" at 0x[0-9a-f]{6,}", json.dumps(output))


def test_the_page_lists_every_notebook() -> None:
    page = (NOTEBOOKS[0].parent / "README.md").read_text()
    assert set(re.findall(r"\]\(([\w-]+\.ipynb)\)", page)) == {path.name for path in NOTEBOOKS}
