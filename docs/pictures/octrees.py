#!/usr/bin/env python3
"""Draws the picture of docs/octrees.md beside itself: python3 docs/pictures/octrees.py"""

from fractions import Fraction
from math import cos, radians, sin
from pathlib import Path

INK, PALE, RED, FILL = "#333", "#ccc", "#d33", "#9bd"
CELLS, SIZE, GAP, TOP = 8, 20, 24, 30
EDGE = CELLS * SIZE

# In cells. Its left side lies on a line of the grid.
SOLID = [(2, 1), (Fraction(25, 4), Fraction(3, 2)), (Fraction(13, 2), Fraction(19, 4)),
         (Fraction(17, 4), Fraction(15, 4)), (Fraction(15, 4), Fraction(13, 2)), (2, 6)]
# The same, with its last side missing but for a part.
OPEN = SOLID + [(2, Fraction(5, 2))]


def sides(points, closed):
    return list(zip(points, points[1:] + points[:1] if closed else points[1:]))


def meets(side, x, y, strict):
    """Does a side meet the cell at x, y, without its boundary or with it?"""
    begin, end = Fraction(-10**9), Fraction(10**9)
    for axis, least in ((0, x), (1, y)):
        p, d = side[0][axis], side[1][axis] - side[0][axis]
        if d == 0:
            if not (least < p < least + 1 if strict else least <= p <= least + 1):
                return False
            continue
        a, b = sorted(((least - p) / Fraction(d), (least + 1 - p) / Fraction(d)))
        begin, end = max(begin, a), min(end, b)
    if strict:
        return begin < end and begin < 1 and end > 0
    return begin <= end and begin <= 1 and end >= 0


def is_inside(points, x, y):
    odd = False
    for (ax, ay), (bx, by) in sides(points, True):
        if (ay > y) != (by > y) and x < ax + Fraction(bx - ax) * (y - ay) / (by - ay):
            odd = not odd
    return odd


def solid_cells(rule):
    black = set()
    for x in range(CELLS):
        for y in range(CELLS):
            gray = any(meets(side, x, y, True) for side in sides(SOLID, True))
            center = is_inside(SOLID, x + Fraction(1, 2), y + Fraction(1, 2))
            touch = any(meets(side, x, y, False) for side in sides(SOLID, True))
            if {"outer": gray or center, "inner": center and not gray, "centre": center,
                    "touch": touch or center}[rule]:
                black.add((x, y))
    return black


def touched_cells(points):
    return {(x, y) for x in range(CELLS) for y in range(CELLS)
            if any(meets(side, x, y, False) for side in sides(points, False))}


def sealed_cells():
    wall = touched_cells(OPEN)
    reached, todo = set(), [(-1, -1)]
    while todo:
        cell = todo.pop()
        if cell in reached or cell in wall or not all(-1 <= c <= CELLS for c in cell):
            continue
        reached.add(cell)
        todo += [(cell[0] + dx, cell[1] + dy) for dx, dy in ((1, 0), (-1, 0), (0, 1), (0, -1))]
    return {(x, y) for x in range(CELLS) for y in range(CELLS) if (x, y) not in reached}


def turned():
    c, s = cos(radians(20)), sin(radians(20))
    corners = [(0, 0), (4, 0), (4, 4), (0, 4)]
    return [(Fraction(2.9 + c * x - s * y), Fraction(1.3 + s * x + c * y)) for x, y in corners]


def moved_cells(rule):
    points = turned()
    black = set()
    for x in range(CELLS):
        for y in range(CELLS):
            center = is_inside(points, x + Fraction(1, 2), y + Fraction(1, 2))
            gray = any(meets(side, x, y, True) for side in sides(points, True))
            if center or (rule == "overlap" and gray):
                black.add((x, y))
    return black


def panel(left, top, title, black, points, closed):
    def place(x, y):
        return f"{left + float(x) * SIZE:.1f},{top + EDGE - float(y) * SIZE:.1f}"
    parts = [f'<text x="{left + EDGE / 2}" y="{top - 8}" fill="{INK}" font-size="13" text-anchor="middle">{title}</text>']
    for x, y in sorted(black):
        parts.append(f'<rect x="{left + x * SIZE}" y="{top + (CELLS - 1 - y) * SIZE}" width="{SIZE}" height="{SIZE}" '
                     f'fill="{FILL}"/>')
    lines = [f"M{left + i * SIZE},{top} v{EDGE} M{left},{top + i * SIZE} h{EDGE}" for i in range(CELLS + 1)]
    parts.append(f'<path d="{" ".join(lines)}" stroke="{PALE}" fill="none"/>')
    outline = " L".join(place(x, y) for x, y in points)
    parts.append(f'<path d="M{outline}{"Z" if closed else ""}" fill="none" stroke="{RED}" stroke-width="2"/>')
    return parts


def main():
    solid = [(rule, solid_cells(rule), SOLID, True) for rule in ("outer", "inner", "centre", "touch")]
    other = [("sealed", sealed_cells(), OPEN, False), ("faces", touched_cells(OPEN), OPEN, False),
             ("moved: overlap", moved_cells("overlap"), turned(), True),
             ("moved: centre", moved_cells("centre"), turned(), True)]
    parts = []
    for row, panels in enumerate((solid, other)):
        for column, (title, black, points, closed) in enumerate(panels):
            parts += panel(GAP + column * (EDGE + GAP), TOP + row * (EDGE + GAP + TOP), title, black, points, closed)
    width, height = GAP + 4 * (EDGE + GAP), TOP + 2 * (EDGE + GAP) + TOP
    with open(Path(__file__).with_suffix(".svg"), "w", encoding="utf-8") as file:
        file.write(f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" '
                   f'height="{height}" font-family="sans-serif">\n<rect width="{width}" height="{height}" fill="#fff"/>\n')
        file.write("\n".join(parts) + "\n</svg>\n")


if __name__ == "__main__":
    main()
