"""A session of a notebook, run without a browser."""

import pathlib

import pytest

nbformat = pytest.importorskip("nbformat")
nbclient = pytest.importorskip("nbclient")
pytest.importorskip("ipykernel")

PLOT = pathlib.Path(__file__).resolve().parents[3] / "examples-python" / "live_plot.ipynb"
CELLS = [
    "import librac as rac; s = rac.Subject().named('keys'); heard = []",
    "s.debounce(0.01).subscribe(heard.append)\ns.send_many(['a', 'b'])",
    # The kernel's loop serves it.
    "import asyncio\nwhile not heard: await asyncio.sleep(0.01)\nprint(heard)",
    "print(await rac.interval(0.01).take(3))",
    "print(rac.interval(0.01).take(2).wait(timeout=30))",  # a cell may wait, too
    "rac.of(1, 2).marble(0.2)",
    "s.map(str).take(2)",
    "async def f():\n    return 3\nprint([n async for n in rac.from_(f())])",
    "late = rac.timer(0.01).subscribe(lambda n: 1 / n)\nawait asyncio.sleep(0.2)",
]


def test_a_session():
    book = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(cell) for cell in CELLS])
    nbclient.NotebookClient(book, timeout=60, kernel_name="python3").execute()
    printed = ["".join(o.get("text", "") for o in cell.outputs) for cell in book.cells]
    unhandled = printed.pop()
    assert unhandled.startswith("librac: nobody handles this error of timer, at 0\n")
    assert unhandled.endswith("ZeroDivisionError: division by zero\n")
    assert [text for text in printed if text] == ["['b']\n", "2\n", "1\n", "[3]\n"]
    shown = [
        output["data"]
        for cell in book.cells
        for output in cell.outputs
        if output["output_type"] == "execute_result"
    ]
    diagram = next(each for each in shown if "image/svg+xml" in each or "<svg" in str(each))
    assert "12|" in diagram["text/plain"]
    signal = shown[-1]
    assert "keys" in signal["text/html"] and "take" in signal["text/html"]


def test_a_live_plot():
    pytest.importorskip("matplotlib")
    book = nbformat.read(PLOT, as_version=4)
    nbclient.NotebookClient(book, timeout=60, kernel_name="python3").execute()
    figure, last = book.cells[-2].outputs, book.cells[-1].outputs
    assert any("image/png" in output.get("data", {}) for output in figure)
    assert "".join(output.get("text", "") for output in last) == "drawn\n"
