#!/usr/bin/env python3
"""Draws the picture of docs/continuous.md beside itself: python3 docs/pictures/continuous.py"""

from math import cos, radians, sin
from pathlib import Path

INK, PALE, RED, BLUE = "#333", "#bbb", "#d33", "#36c"


def text(x, y, words, colour=INK, size=13):
    return f'<text x="{x}" y="{y}" fill="{colour}" font-size="{size}" text-anchor="middle">{words}</text>'


def bullet(x, colour, dash=""):
    return (f'<rect x="{x}" y="85" width="46" height="16" fill="{colour}" fill-opacity=".25" stroke="{colour}" '
            f'stroke-dasharray="{dash}"/>')


def rod(cx, cy, length, degrees, colour, dash=""):
    x, y = cx + length * cos(radians(degrees)), cy - length * sin(radians(degrees))
    return (f'<line x1="{cx}" y1="{cy}" x2="{x:.1f}" y2="{y:.1f}" stroke="{colour}" stroke-width="4" '
            f'stroke-linecap="round" stroke-dasharray="{dash}"/>')


def wall_panel():
    return [f'<rect x="150" y="30" width="8" height="120" fill="{PALE}" stroke="{INK}"/>',
            bullet(20, BLUE), bullet(104, RED), bullet(236, BLUE),
            f'<line x1="70" y1="93" x2="100" y2="93" stroke="{INK}" stroke-dasharray="3 3"/>',
            f'<line x1="160" y1="93" x2="232" y2="93" stroke="{INK}" stroke-dasharray="3 3"/>',
            text(43, 122, "time 0"), text(112, 75, "first contact", RED), text(259, 122, "time 1"),
            text(150, 175, "frames alone see no contact")]


def rod_panel():
    cx, cy, length = 400, 140, 100
    x0, y0 = cx + length, cy
    x1, y1 = cx, cy - length
    return [rod(cx, cy, length, 0, BLUE), rod(cx, cy, length, 90, BLUE), rod(cx, cy, length, 38, RED),
            f'<path d="M{x0},{y0} A{length},{length} 0 0 0 {x1},{y1}" fill="none" stroke="{RED}" '
            f'stroke-dasharray="3 3"/>',
            f'<line x1="{x0}" y1="{y0}" x2="{x1}" y2="{y1}" stroke="{INK}" stroke-dasharray="3 3"/>',
            f'<circle cx="484" cy="74" r="7" fill="{PALE}" stroke="{INK}"/>',
            text(520, 68, "a post", INK), text(440, 162, "a rigid path reaches it,", RED),
            text(440, 178, "a straight one passes by")]


def main():
    parts = wall_panel() + rod_panel()
    with open(Path(__file__).with_suffix(".svg"), "w", encoding="utf-8") as file:
        file.write('<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 580 190" width="580" height="190" '
                   'font-family="sans-serif">\n<rect width="580" height="190" fill="#fff"/>\n')
        file.write("\n".join(parts) + "\n</svg>\n")


if __name__ == "__main__":
    main()
