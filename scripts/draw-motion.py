"""make plots: draws what the detector of rest says of recordings, from the lines of binnacle-sim.

draw-motion.py journey SHEET HOPS TITLE OUT    a recording (its CSV) and `binnacle-sim motion --hops` of it
draw-motion.py curve CURVE OUT                 `binnacle-sim motion-score --curve`
"""

import csv
import gzip
import sys

import matplotlib

matplotlib.use("svg")
import matplotlib.pyplot as plot

# The same input gives the same file.
plot.rcParams.update({"svg.hashsalt": "binnacle", "svg.fonttype": "none", "font.size": 8,
                      "axes.spines.top": False, "axes.spines.right": False, "path.simplify_threshold": 0.4})
STILL, MOVING, LIMIT, SPEED, CREDIT = "#2a7f62", "#d9d4c7", "#b3402a", "#2b5c8a", "#7a5195"


def rows(path):
    opener = gzip.open if path.endswith(".gz") else open
    with opener(path, "rt") as lines:
        yield from csv.DictReader(line for line in lines if not line.startswith("#"))


def hops(path):
    """Columns of `--hops`; nothing is a gap in the line."""
    columns = [[] for _ in range(7)]
    with open(path) as lines:
        for fields in csv.reader(lines):
            for column, field in zip(columns, fields):
                column.append(float(field) if field else float("nan"))
    return columns


def runs(times, flags):
    """Where the flags hold, from when to when."""
    start = None
    for time, flag in zip(times, flags):
        if flag and start is None:
            start = time
        if not flag and start is not None:
            yield start, time
            start = None
    if start is not None:
        yield start, times[-1]


def band(axes, times, flags, low, color):
    for start, end in runs(times, flags):
        axes.axvspan(start / 60, end / 60, low, low + 0.4, color=color, linewidth=0)


def journey(sheet, hop_lines, title, out):
    end, still, _, steady, threshold, speed, credit = hops(hop_lines)
    minutes = [second / 60 for second in end]
    labels = [(float(row["t_s"]), row.get("label") or "") for row in rows(sheet)]
    times = [time for time, _ in labels]
    figure, panels = plot.subplots(
        4, 1, sharex=True, figsize=(8, 5.2), gridspec_kw={"height_ratios": [3, 2, 2, 1]})
    sway, speeds, credits, bands = panels
    sway.plot(minutes, steady, color="black", linewidth=0.6, label="steady sway")
    sway.plot(minutes, threshold, color=LIMIT, linewidth=0.9, label="threshold")
    sway.set_yscale("log")
    sway.set_ylim(0.2, 500)
    sway.set_ylabel("mg")
    sway.legend(loc="upper right", frameon=False, ncol=2)
    sway.set_title(title, loc="left")
    if all(one != one for one in speed):
        speeds.text(0.5, 0.5, "no receiver in this recording", transform=speeds.transAxes, ha="center")
    else:
        speeds.plot(minutes, speed, color=SPEED, linewidth=0.7)
    speeds.set_ylabel("m/s")
    credits.plot(minutes, credit, color=CREDIT, linewidth=0.8)
    credits.set_ylabel("credit, s")
    band(bands, times, [label == "1" for _, label in labels], 0.55, MOVING)
    band(bands, times, [label == "0" for _, label in labels], 0.55, STILL)
    band(bands, end, [flag == 0 for flag in still], 0.05, MOVING)
    band(bands, end, [flag == 1 for flag in still], 0.05, STILL)
    bands.set_yticks([0.25, 0.75], ["verdict", "truth"])
    bands.set_ylim(0, 1)
    bands.tick_params(axis="y", length=0)
    bands.set_xlabel("minutes (green: at rest)")
    save(figure, out)


def curve(table, out):
    figure, panels = plot.subplots(1, 2, sharey=True, figsize=(8, 3.4))
    found = list(rows(table))
    for axes, witnesses in zip(panels, ("both", "accelerometer")):
        line = [row for row in found if row["set"] == "freematics" and row["dwell_s"] == "5"
                and row["witnesses"] == witnesses]
        points = [(float(row["resume_50_s"]), float(row["false_resumes_per_h"])) for row in line]
        axes.plot(*zip(*points), "o-", color=SPEED, markersize=3, linewidth=0.8)
        for name, hops in (("default", 2), ("quiet", 6)):
            place = points[[int(row["active_hops"]) for row in line].index(hops)]
            axes.annotate(name, place, xytext=(6, 6), textcoords="offset points", color=SPEED)
        axes.axhline(2.6, color="black", linewidth=0.6, linestyle=":")
        axes.axvline(1.5, color="black", linewidth=0.6, linestyle=":")
        axes.set_xlabel("resume after a start, median, s")
        axes.set_title({"both": "accelerometer and receiver"}.get(witnesses, "accelerometer alone"), loc="left")
    panels[0].set_ylabel("false resumes per paused hour")
    save(figure, out)


def save(figure, out):
    figure.tight_layout()
    figure.savefig(out, metadata={"Date": None, "Creator": None})


def main():
    match sys.argv[1:]:
        case ["journey", sheet, hop_lines, title, out]:
            journey(sheet, hop_lines, title, out)
        case ["curve", table, out]:
            curve(table, out)
        case _:
            sys.exit(__doc__)


if __name__ == "__main__":
    main()
