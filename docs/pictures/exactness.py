#!/usr/bin/env python3
"""Draws the pictures of docs/exactness.md beside itself: python3 docs/pictures/exactness.py"""

from fractions import Fraction
from math import frexp
from pathlib import Path

STYLE = """
    text { font-family: system-ui, "Segoe UI", Helvetica, Arial, sans-serif; font-size: 13px; fill: #1f2328 }
    .middle { text-anchor: middle } .end { text-anchor: end } .small { font-size: 11.5px } .soft { fill: #59636e }
    .strong { font-weight: 600 } .red { fill: #c0202c }
    .card { fill: #ffffff; stroke: #d1d9e0 }
    .a { fill: #2f6fe0; fill-opacity: .22; stroke: #2458b8; stroke-width: 1.6; stroke-linejoin: round }
    .b { fill: #e8930c; fill-opacity: .26; stroke: #a85f00; stroke-width: 1.6; stroke-linejoin: round }
    .solid-a { fill: #2f6fe0 } .solid-b { fill: #e8930c } .solid-0 { fill: #c0202c } .empty { fill: #e8ecf0 }
    .line { fill: none; stroke: #59636e; stroke-width: 1.3 } .dashed { stroke-dasharray: 4 3 }
    .hit { fill: #c0202c; stroke: #c0202c } .hit-area { fill: #c0202c; fill-opacity: .55; stroke: #c0202c }
    .cell { shape-rendering: crispEdges }
    .band { fill: #c0202c; fill-opacity: .13 }
    @media (prefers-color-scheme: dark) {
      text { fill: #e6edf3 } .soft { fill: #9aa4af } .red { fill: #ff7b7b }
      .card { fill: #10151c; stroke: #363e48 } .empty { fill: #232a33 } .line { stroke: #9aa4af }
      .a { fill: #5c9bff; stroke: #82b3ff } .b { fill: #f0a93a; stroke: #f5bf6a }
      .solid-a { fill: #5c9bff } .solid-b { fill: #f0a93a } .solid-0 { fill: #ff7b7b }
      .hit { fill: #ff7b7b; stroke: #ff7b7b } .hit-area { fill: #ff7b7b; stroke: #ff7b7b }
      .band { fill: #ff7b7b; fill-opacity: .17 }
    }"""


class Picture:
    def __init__(self, name, title, width, height):
        self.name, self.title, self.size, self.parts = name, title, (width, height), []
        self.rect(0.5, 0.5, width - 1, height - 1, "card", radius=8)

    def add(self, element):
        self.parts.append(element)

    def rect(self, x, y, width, height, kind, radius=0):
        rounding = f' rx="{radius}"' if radius else ""
        self.add(f'<rect x="{x:g}" y="{y:g}" width="{width:g}" height="{height:g}"{rounding} class="{kind}"/>')

    def text(self, x, y, content, kind=""):
        self.add(f'<text x="{x:g}" y="{y:g}" class="{kind}">{content}</text>')

    def polygon(self, points, kind):
        self.add(f'<polygon points="{" ".join(f"{x:g},{y:g}" for x, y in points)}" class="{kind}"/>')

    def line(self, p, q, kind, width=None):
        style = f' style="stroke-width: {width}"' if width else ""
        self.add(f'<line x1="{p[0]:g}" y1="{p[1]:g}" x2="{q[0]:g}" y2="{q[1]:g}" class="{kind}"{style}/>')

    def dot(self, p, kind="hit", radius=3.6):
        self.add(f'<circle cx="{p[0]:g}" cy="{p[1]:g}" r="{radius:g}" class="{kind}"/>')

    def save(self):
        width, height = self.size
        body = "\n  ".join(self.parts)
        text = (f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" '
                f'viewBox="0 0 {width} {height}" role="img">\n  <title>{self.title}</title>\n'
                f"  <style>{STYLE}\n  </style>\n  {body}\n</svg>\n")
        (Path(__file__).parent / f"exactness-{self.name}.svg").write_text(text)


def mix(p, q, t):
    return (p[0] + t * (q[0] - p[0]), p[1] + t * (q[1] - p[1]))


def side(a, b, c):
    return (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])


def clip(polygon, triangle):
    """The part of a polygon inside a triangle that turns clockwise on the screen."""
    for i in range(3):
        p, q = triangle[i], triangle[(i + 1) % 3]
        kept = []
        for k, here in enumerate(polygon):
            before = polygon[k - 1]
            s, t = side(p, q, before), side(p, q, here)
            if s * t < 0:
                kept.append(mix(before, here, s / (s - t)))
            if t >= 0:
                kept.append(here)
        polygon = kept
    return polygon


def crossing(p, q, r, s):
    t = side(r, s, p) / (side(r, s, p) - side(r, s, q))
    return mix(p, q, t)


def touching():
    picture = Picture("touching", "Eight ways in which two triangles nearly or just touch", 720, 400)

    def cell(index, name, touch):
        left, top = 12 + 176 * (index % 4), 10 + 193 * (index // 4)
        picture.text(left + 84, top + 158, name, "middle strong")
        verdict = ("touch", "middle red") if touch else ("apart", "middle soft")
        picture.text(left + 84, top + 176, *verdict)
        return lambda *points: [(left + x, top + y) for x, y in points]

    def pair(at, a, b):
        picture.polygon(at(*a), "a")
        picture.polygon(at(*b), "b")

    at = cell(0, "shared vertex", True)
    pair(at, [(18, 118), (84, 78), (38, 24)], [(84, 78), (150, 38), (138, 122)])
    picture.dot(at((84, 78))[0])

    at = cell(1, "edge on edge", True)
    line = [(20, 112), (116, 52)]
    contact = [mix(*line, 0.45), line[1]]
    pair(at, [line[0], line[1], (40, 22)], [contact[0], mix(*line, 1.36), (142, 128)])
    picture.line(*at(*contact), "hit", 4)

    at = cell(2, "vertex on face", True)
    pair(at, [(8, 108), (160, 118), (96, 62)], [(88, 96), (58, 14), (112, 20)])
    picture.dot(at((88, 96))[0])

    at = cell(3, "edge crosses edge", True)
    pair(at, [(14, 96), (128, 62), (58, 128)], [(56, 22), (98, 122), (152, 40)])
    picture.dot(at(crossing((14, 96), (128, 62), (56, 22), (98, 122)))[0])

    at = cell(4, "in one plane, overlapping", True)
    a, b = [(16, 34), (112, 22), (70, 126)], [(50, 84), (150, 40), (146, 124)]
    pair(at, a, b)
    picture.polygon(at(*clip(b, a)), "hit-area")

    at = cell(5, "in one plane, inside", True)
    a, b = [(14, 120), (84, 12), (154, 120)], [(62, 98), (84, 62), (108, 100)]
    pair(at, a, b)
    picture.polygon(at(*b), "hit-area")

    at = cell(6, "no area: a segment", True)
    face, ends = [(16, 104), (152, 116), (100, 44)], [(46, 16), (132, 138)]
    pierced = mix(*ends, 0.58)
    hidden_until = crossing(face[0], face[1], *ends)
    picture.polygon(at(*face), "a")
    picture.line(*at(ends[0], pierced), "b", 2.2)
    picture.line(*at(pierced, hidden_until), "b dashed", 1.4)
    picture.line(*at(hidden_until, ends[1]), "b", 2.2)
    for t in (0, 0.3, 1):
        picture.dot(at(mix(*ends, t))[0], "solid-b", 3.4)
    picture.dot(at(pierced)[0])

    at = cell(7, "one ulp apart", False)
    pair(at, [(8, 108), (160, 118), (96, 62)], [(88, 94), (44, 14), (98, 20)])
    x, y = at((142, 44))[0]
    picture.line(at((90, 94))[0], (x - 19, y + 17), "line")
    picture.add(f'<circle cx="{x}" cy="{y}" r="25" class="card"/>')
    picture.polygon([(x - 8, y - 20), (x + 8, y - 20), (x, y + 3)], "b")
    picture.line((x - 23, y + 10), (x + 23, y + 10), "a", 2)
    picture.add(f'<circle cx="{x}" cy="{y}" r="25" class="line"/>')
    picture.save()


def filter_band():
    picture = Picture("filter", "Which computed volumes tell the sign and which do not", 720, 214)
    zero, error, axis = 360, 84, 104
    picture.rect(zero - error, 40, 2 * error, 100, "band")
    picture.line((30, axis), (690, axis), "line")
    for x, label in ((zero - error, "−error"), (zero, "0"), (zero + error, "+error")):
        picture.line((x, axis - 6), (x, axis + 6), "line")
        picture.text(x, axis + 24, label, "middle")
    picture.text(zero, 29, "error = 49 u · X · Y · Z", "middle strong")
    picture.text(24, 29, "surely below the plane", "soft")
    picture.text(24, 46, "nearly all pairs end here", "small soft")
    picture.text(560, 29, "surely above the plane", "soft")
    picture.text(560, 46, "or here", "small soft")
    for x, kind in ((128, "solid-a"), (zero + 36, "solid-0"), (604, "solid-a")):
        y = 76
        picture.line((x - error, y), (x + error, y), "line")
        for end in (x - error, x + error):
            picture.line((end, y - 5), (end, y + 5), "line")
        picture.dot((x, y), kind, 5)
    picture.line((zero, 142), (zero, 166), "line")
    picture.polygon([(zero - 5, 164), (zero + 5, 164), (zero, 172)], "solid-0")
    picture.text(zero, 192, "between the marks the sign is taken again, in integers", "middle red")
    picture.save()


def intervals():
    picture = Picture("intervals", "Two triangles meet where their intervals on a common line do", 720, 276)

    def panel(left, shift, verdict, kind):
        line_y, base = 132, left + 28
        a = [(base + 62, 34), (base + 8, 192), (base + 146, 204)]
        b = [(base + 150 + shift, 214), (base + 78 + shift, 66), (base + 236 + shift, 50)]
        ends = ((left + 6, line_y), (left + 332, line_y))
        picture.polygon(a, "a")
        picture.polygon(b, "b")
        picture.line(*ends, "line dashed")
        spans = [[crossing(t[0], t[i], *ends)[0] for i in (1, 2)] for t in (a, b)]
        for span, offset, color in zip(spans, (-4, 4), "ab"):
            picture.line(*[(x, line_y + offset) for x in span], color, 4)
            for x in span:
                picture.line((x, line_y - 9), (x, line_y + 9), "line", 1.6)
        low, high = max(spans[0][0], spans[1][0]), min(spans[0][1], spans[1][1])
        if low <= high:
            picture.line((low, line_y), (high, line_y), "hit", 4)
        picture.text(a[0][0], a[0][1] - 8, "p", "middle soft")
        picture.text(b[0][0], b[0][1] + 17, "p", "middle soft")
        picture.text(left + 172, 260, verdict, kind)

    panel(8, -26, "the intervals meet: touch", "middle red")
    panel(366, 52, "they do not: apart", "middle soft")
    picture.save()


def computed_side(p, q, r, number):
    (px, py), (qx, qy), (rx, ry) = [[number(c) for c in point] for point in (p, q, r)]
    area = (qx - px) * (ry - py) - (qy - py) * (rx - px)
    return (area > 0) - (area < 0)


def sides():
    count, pixel = 44, 5
    extent = count * pixel
    picture = Picture("sides", "Sides of a line: in plain doubles and exactly", 720, extent + 96)
    kinds = {1: "solid-a", 0: "solid-0", -1: "solid-b"}
    for left, title, number in ((96, "plain doubles", float), (720 - 96 - extent, "exactly", Fraction)):
        picture.text(left + extent / 2, 30, title, "middle strong")
        for row in range(count):
            y = 0.5 + (count - 1 - row) * 2.0**-53
            signs = [computed_side((0.5 + i * 2.0**-53, y), (12.0, 12.0), (24.0, 24.0), number)
                     for i in range(count)]
            start = 0
            for i in range(1, count + 1):
                if i == count or signs[i] != signs[start]:
                    picture.rect(left + start * pixel, 42 + row * pixel, (i - start) * pixel, pixel,
                                 f"cell {kinds[signs[start]]}")
                    start = i
    x = 168
    for sign, label in ((1, "left of the line"), (0, "on it"), (-1, "right of it")):
        picture.rect(x, extent + 62, 12, 12, kinds[sign], 2)
        picture.text(x + 19, extent + 73, label)
        x += 62 + 7 * len(label)
    picture.save()


def grid():
    picture = Picture("grid", "Doubles on a common grid become integers of two words", 720, 212)
    values = (("1000", 1000.0), ("0.75", 0.75), ("0.1", 0.1), ("1e-6", 1e-6))
    left, cell, bits = 76, 4.9, 128
    low = min(exponent_of_last_bit(v) for _, v in values)
    for row, (label, value) in enumerate(values):
        y = 48 + 28 * row
        picture.text(left - 14, y + 13, label, "end soft")
        picture.rect(left, y, bits * cell, 17, "empty", 3)
        integer = int(Fraction(value) / Fraction(2) ** low)
        for i in range(bits):
            if integer >> (bits - 1 - i) & 1:
                picture.rect(left + i * cell + 0.5, y + 2, cell - 1, 13, "solid-a")
    middle = left + bits / 2 * cell
    picture.line((middle, 38), (middle, 162), "line dashed")
    picture.text(left + bits / 4 * cell, 28, "upper word: 64 bits", "middle strong")
    picture.text(left + bits * 3 / 4 * cell, 28, "lower word: 64 bits", "middle strong")
    end = left + bits * cell
    picture.text(end, 190, f"step of the grid: 2{superscript(low)}, the last bit set in 1e-6",
                 "end soft")
    picture.line((end - cell / 2, 158), (end - cell / 2, 174), "line")
    picture.save()


def exponent_of_last_bit(value):
    exponent = frexp(value)[1] - 53
    while Fraction(value) / Fraction(2) ** (exponent + 1) % 1 == 0:
        exponent += 1
    return exponent


def superscript(number):
    return str(number).translate(str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹"))


for draw in (touching, filter_band, intervals, sides, grid):
    draw()
