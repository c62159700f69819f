#!/usr/bin/env python3
"""Draws the picture of docs/cluster.md beside itself: python3 docs/pictures/cluster.py"""

from pathlib import Path
from random import Random

INK, PALE = "#333", "#ccc"
RANKS = ["#4878a8", "#c8553d", "#5a9367", "#8e6c9f"]
TINTS = ["#dce7f2", "#f6ddd7", "#dceadf", "#e8e0ee"]
EDGE, CELLS, COUNT, SIDE = 256, 16, 120, 13
LEFT, TOP, RIGHT = 16, 34, 330


def hilbert(x, y):
    """The number of a cell along the curve."""
    d, s = 0, CELLS // 2
    while s:
        rx, ry = int(x & s > 0), int(y & s > 0)
        d += s * s * ((3 * rx) ^ ry)
        if not ry:
            if rx:
                x, y = CELLS - 1 - x, CELLS - 1 - y
            x, y = y, x
        s //= 2
    return d


def overlap(a, b):
    return all(abs(a[k] - b[k]) <= SIDE for k in (0, 1))


def scene():
    random = Random(3)
    boxes = []
    for i in range(COUNT):
        dense = i % 2
        boxes.append(tuple(random.uniform(0, (EDGE - SIDE) * (0.45 if dense else 1)) for _ in range(2)))
    cell = EDGE / CELLS
    boxes.sort(key=lambda b: hilbert(int((b[0] + SIDE / 2) // cell), int((b[1] + SIDE / 2) // cell)))
    return boxes


def owners(boxes):
    return [i * len(RANKS) // len(boxes) for i in range(len(boxes))]


def handler(r, s):
    r, s = min(r, s), max(r, s)
    return r if (r + s) % 2 == 0 else s


def draw():
    boxes = scene()
    owner = owners(boxes)
    pairs = [(a, b) for a in range(COUNT) for b in range(a + 1, COUNT) if overlap(boxes[a], boxes[b])]
    travels = {(a if handler(owner[a], owner[b]) == owner[b] else b)
               for a, b in pairs if owner[a] != owner[b]}
    cell = EDGE / CELLS
    out = []
    text = lambda x, y, s, size=11, anchor="start": out.append(
        f'<text x="{x}" y="{y}" font-size="{size}" text-anchor="{anchor}" fill="{INK}">{s}</text>')
    text(LEFT, 20, "each rank owns a stretch of a curve")
    path = sorted(((hilbert(x, y), x, y) for x in range(CELLS) for y in range(CELLS)))
    points = " ".join(f"{LEFT + (x + .5) * cell:.1f},{TOP + (y + .5) * cell:.1f}" for _, x, y in path)
    out.append(f'<rect x="{LEFT}" y="{TOP}" width="{EDGE}" height="{EDGE}" fill="none" stroke="{INK}"/>')
    out.append(f'<polyline points="{points}" fill="none" stroke="{PALE}"/>')
    for i, (x, y) in enumerate(boxes):
        colour = RANKS[owner[i]]
        fill = colour if i in travels else TINTS[owner[i]]
        out.append(f'<rect x="{LEFT + x:.1f}" y="{TOP + y:.1f}" width="{SIDE}" height="{SIDE}" fill="{fill}" '
                   f'fill-opacity="0.75" stroke="{colour}"/>')
    text(RIGHT, 20, "what each finds, and where it stands in the file")
    found = [[] for _ in RANKS]
    order = Random(5).sample(range(COUNT), COUNT)
    ranked = sorted((min(order[a], order[b]), max(order[a], order[b]), handler(owner[a], owner[b])
                     if owner[a] != owner[b] else owner[a]) for a, b in pairs)
    for place, (_, _, rank) in enumerate(ranked):
        found[rank].append(place)
    width, bar, bottom = 300, 22, TOP + EDGE - 34
    for rank, places in enumerate(found):
        y = TOP + 12 + 40 * rank
        length = width * len(places) / len(ranked)
        out.append(f'<rect x="{RIGHT}" y="{y}" width="{length:.1f}" height="{bar}" fill="{TINTS[rank]}" '
                   f'stroke="{RANKS[rank]}"/>')
        text(RIGHT + 6, y + 15, f"rank {rank}: {len(places)}")
        for k, place in enumerate(places):
            if k % 6:
                continue
            x = RIGHT + width * (place + .5) / len(ranked)
            out.append(f'<line x1="{RIGHT + length * (k + .5) / len(places):.1f}" y1="{y + bar}" '
                       f'x2="{x:.1f}" y2="{bottom}" stroke="{RANKS[rank]}" stroke-width="0.6" '
                       f'stroke-opacity="0.7"/>')
    for rank in range(len(RANKS)):
        x = RIGHT + width * rank / len(RANKS)
        out.append(f'<rect x="{x:.1f}" y="{bottom}" width="{width / len(RANKS)}" height="{bar}" '
                   f'fill="white" stroke="{RANKS[rank]}"/>')
        text(x + width / 8, bottom + 15, f"rank {rank} writes", 10, "middle")
    size = f'width="660" height="{TOP + EDGE + 14}" viewBox="0 0 660 {TOP + EDGE + 14}"'
    return (f'<svg xmlns="http://www.w3.org/2000/svg" {size} font-family="sans-serif">\n'
            '<rect width="100%" height="100%" fill="white"/>\n' + "\n".join(out) + "\n</svg>\n")


Path(__file__).with_suffix(".svg").write_text(draw())
