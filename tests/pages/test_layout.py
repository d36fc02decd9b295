"""Pages are thin: what they may import, and that every file of pages/ is a page."""

import ast
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
FILES = sorted([ROOT / "app.py", *(ROOT / "pages").rglob("*.py")])
PAGES = [path for path in FILES if path.parent.name == "pages"]


def imported(path: Path) -> set[str]:
    found: set[str] = set()
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            found.add(node.module or "")
    return found


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.name)
def test_the_surface_sees_streamlit_plotly_parts_and_the_root_of_the_pipeline(path: Path) -> None:
    for name in imported(path) - {"__future__"}:
        top = name.split(".")[0]
        allowed = top in {"streamlit", "plotly"} or name.startswith("pages.parts") or name == "pipeline"
        assert allowed or top in sys.stdlib_module_names, f"{path.name} imports {name}"


@pytest.mark.parametrize("path", PAGES, ids=lambda path: path.name)
def test_a_page_has_no_logic_of_its_own(path: Path) -> None:
    tree = ast.parse(path.read_text("utf-8"))
    forbidden = (ast.ClassDef, ast.Try, ast.AsyncFunctionDef, ast.BinOp, ast.For, ast.While, ast.Await)
    assert not [node for node in ast.walk(tree) if isinstance(node, forbidden)]
    assert ast.get_docstring(tree)


def test_navigation_lists_the_pages_in_order() -> None:
    from pages.parts import frame

    assert [frame._title(path) for path in PAGES][:2] == ["Query", "Timeline"]
    assert len(PAGES) == len(frame._files())
