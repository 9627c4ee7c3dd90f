"""Draws how cost grows: reads the curves as JSON, writes one SVG.

plots.py FILE < CURVES
"""

import json
import sys

import matplotlib

matplotlib.use("svg")
import matplotlib.pyplot as plt  # noqa: E402

COLOURS = {
    "floor": "#999999",
    "librac": "#d62728",
    "GObject": "#1f77b4",
    "sigc++": "#2ca02c",
    "Boost.Signals2": "#9467bd",
}
NAMES = {"floor": "C loop"}
PANELS = [
    ("subscribers", "ns a delivery", "subscribers"),
    ("subscribe", "ns to subscribe + dispose", "other subscribers"),
    ("stages", "ns a send", "maps in a row"),
    ("replay", "ns a send into a replay subject", "values remembered"),
    ("schedule", "ns to schedule a timer", "timers"),
    ("cancel", "ns to cancel a timer", "timers"),
]


def points(curve):
    """name -> (x values, y values)."""
    found = {}
    for result in curve:
        for name, cell in result["cells"].items():
            xs, ys = found.setdefault(name, ([], []))
            xs.append(result["x"])
            ys.append(cell["ns"])
    return found


def draw(axes, curve, title, label):
    for name, (xs, ys) in points(curve).items():
        axes.plot(
            xs,
            ys,
            marker="o",
            markersize=3,
            linewidth=2 if name == "librac" else 1.2,
            color=COLOURS.get(name),
            label=NAMES.get(name, name),
        )
    if label != "maps in a row":
        axes.set_xscale("log")
        axes.set_yscale("log")
    axes.set_title(title, fontsize=10)
    axes.set_xlabel(label, fontsize=9)
    axes.tick_params(labelsize=8)
    axes.grid(True, which="major", linewidth=0.3)


def main(path):
    # The same figures make the same file, so that a diff means something.
    matplotlib.rcParams["svg.hashsalt"] = "librac"
    matplotlib.rcParams["svg.fonttype"] = "none"
    curves = json.load(sys.stdin)
    figure, grid = plt.subplots(3, 2, figsize=(9, 10))
    for axes, (name, title, label) in zip(grid.flat, PANELS):
        draw(axes, curves[name], title, label)
    handles, names = grid.flat[0].get_legend_handles_labels()
    figure.legend(
        handles, names, loc="upper center", ncol=len(names), fontsize=9, frameon=False
    )
    figure.tight_layout(rect=(0, 0, 1, 0.96))
    figure.savefig(path, metadata={"Date": None})


if __name__ == "__main__":
    main(sys.argv[1])
