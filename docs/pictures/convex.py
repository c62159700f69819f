#!/usr/bin/env python3
"""Draws the picture of docs/convex.md beside itself: python3 docs/pictures/convex.py"""

from math import hypot
from pathlib import Path

WIDTH, HEIGHT, PANEL = 760, 300, 252

STYLE = """
    text { font-family: system-ui, "Segoe UI", Helvetica, Arial, sans-serif; font-size: 13px; fill: #1f2328 }
    .middle { text-anchor: middle } .soft { fill: #59636e } .strong { font-weight: 600 } .red { fill: #c0202c }
    .card { fill: #ffffff; stroke: #d1d9e0 }
    .a { fill: #2f6fe0; fill-opacity: .22; stroke: #2458b8; stroke-width: 1.6; stroke-linejoin: round }
    .b { fill: #e8930c; fill-opacity: .26; stroke: #a85f00; stroke-width: 1.6; stroke-linejoin: round }
    .all { fill: #59636e; fill-opacity: .12; stroke: #59636e; stroke-width: 1.3; stroke-linejoin: round }
    .line { stroke: #59636e; stroke-width: 1.3 } .dashed { stroke-dasharray: 4 3 }
    .proof { stroke: #c0202c; stroke-width: 2 } .arrow { fill: #c0202c } .grey { fill: #59636e }
    .band { fill: #c0202c; fill-opacity: .13 } .dot { fill: #1f2328 }
    @media (prefers-color-scheme: dark) {
      text { fill: #e6edf3 } .soft, .grey { fill: #9aa4af } .red, .arrow { fill: #ff7b7b }
      .card { fill: #10151c; stroke: #363e48 } .line { stroke: #9aa4af } .dot { fill: #e6edf3 }
      .a { fill: #5c9bff; stroke: #82b3ff } .b { fill: #f0a93a; stroke: #f5bf6a }
      .all { fill: #9aa4af; stroke: #9aa4af } .proof { stroke: #ff7b7b } .band { fill: #ff7b7b; fill-opacity: .17 }
    }"""

A = [(30, 150), (62, 96), (112, 100), (130, 142), (104, 196), (52, 200)]
B = [(144, 92), (152, 44), (196, 34), (224, 74), (206, 116), (168, 122)]


def add(p, q, times=1.0):
    return (p[0] + times * q[0], p[1] + times * q[1])


def dot(p, q):
    return p[0] * q[0] + p[1] * q[1]


def unit(p):
    return (p[0] / hypot(*p), p[1] / hypot(*p))


def across(p):
    return (-p[1], p[0])


def support(points, direction):
    return max(points, key=lambda p: dot(p, direction))


def hull(points):
    """Of points, counterclockwise (Andrew's monotone chain)."""
    points = sorted(set(points))
    ends = []
    for order in (points, points[::-1]):
        chain = []
        for p in order:
            while len(chain) > 1 and dot(across(add(chain[-1], chain[-2], -1)), add(p, chain[-1], -1)) <= 0:
                chain.pop()
            chain.append(p)
        ends += chain[:-1]
    return ends


parts = [f'<rect x="0.5" y="0.5" width="{WIDTH - 1}" height="{HEIGHT - 1}" rx="8" class="card"/>']


def polygon(points, kind):
    parts.append(f'<polygon points="{" ".join(f"{x:.1f},{y:.1f}" for x, y in points)}" class="{kind}"/>')


def line(p, q, kind):
    parts.append(f'<line x1="{p[0]:.1f}" y1="{p[1]:.1f}" x2="{q[0]:.1f}" y2="{q[1]:.1f}" class="{kind}"/>')


def circle(p, kind="dot"):
    parts.append(f'<circle cx="{p[0]:.1f}" cy="{p[1]:.1f}" r="3.4" class="{kind}"/>')


def text(x, y, content, kind=""):
    parts.append(f'<text x="{x:.1f}" y="{y:.1f}" class="{kind}">{content}</text>')


def arrow(start, direction, length, name, kind="proof", head="arrow"):
    end = add(start, direction, length)
    side = across(direction)
    base = add(end, direction, -9)
    line(start, base, kind)
    polygon([end, add(base, side, 4.5), add(base, side, -4.5)], head)
    text(*add(add(end, direction, 10), (-4, 5)), name, "strong red" if head == "arrow" else "soft")


def panel(number, title, below):
    left = 2 + PANEL * number
    text(left + PANEL / 2, 28, title, "middle strong")
    for i, words in enumerate(below):
        text(left + PANEL / 2, 266 + 18 * i, words, "middle soft")
    return lambda points: [add(p, (left, 20)) for p in points]


def bodies(place, shift=(0, 0)):
    a, b = place(A), place([add(p, shift) for p in B])
    polygon(a, "a")
    polygon(b, "b")
    text(*add(a[0], (38, 6)), "A", "strong")
    text(*add(b[2], (-16, 44)), "B", "strong")
    return a, b


def apart():
    place = panel(0, "apart", ["All of B is farther along S than all of A:", "S is the proof."])
    s = unit((1, -0.75))
    a, b = place(A), place(B)
    p, q = support(a, s), support(b, (-s[0], -s[1]))
    edge = across(s)
    polygon([add(p, edge, 70), add(p, edge, -62), add(add(p, s, dot(add(q, p, -1), s)), edge, -62),
             add(add(p, s, dot(add(q, p, -1), s)), edge, 70)], "band")
    bodies(place)
    line(add(p, edge, 70), add(p, edge, -62), "line dashed")
    line(add(q, edge, 60), add(q, edge, -72), "line dashed")
    circle(p)
    circle(q)
    arrow(place([(150, 212)])[0], s, 52, "S")


def mirror():
    place = panel(1, "the next guess", ["S fails at its support vertices p and q;", "mirrored at right angles to pq it works."])
    a, b = bodies(place)
    s = unit((0.55, 1))
    p, q = support(a, s), support(b, (-s[0], -s[1]))
    r = unit(add(q, p, -1))
    middle = add(p, add(q, p, -1), 0.5)
    mirrored = add(s, r, -2 * dot(s, r))
    assert dot(support(a, mirrored), mirrored) < min(dot(v, mirrored) for v in b)
    line(p, q, "line")
    line(add(middle, across(r), 62), add(middle, across(r), -52), "line dashed")
    circle(p)
    circle(q)
    text(*add(p, (-4, 18)), "p")
    text(*add(q, (0, -9)), "q")
    foot = place([(182, 168)])[0]
    arrow(foot, s, 34, "S", "line", "grey")
    arrow(foot, mirrored, 44, "S′")


def touching():
    place = panel(2, "touching", ["Differences b − a of vertices that have", "the origin between them: the proof."])
    shift = (-58, 44)
    b = [add(p, shift) for p in B]
    differences = hull([add(q, p, -1) for p in A for q in b])
    origin = (118, 122)
    at = [place([add(origin, d, 0.72)])[0] for d in differences]
    polygon(at, "all")
    best = [at[i] for i in (0, 4, 8)]
    for i in range(3):
        line(best[i], best[(i + 1) % 3], "proof")
        circle(best[i], "arrow")
    circle(place([origin])[0])
    text(*add(place([origin])[0], (7, 4)), "0", "strong")
    text(*add(at[0], (8, -84)), "B − A", "soft")


apart()
mirror()
touching()
body = "\n  ".join(parts)
(Path(__file__).parent / "convex.svg").write_text(
    f'<svg xmlns="http://www.w3.org/2000/svg" width="{WIDTH}" height="{HEIGHT}" viewBox="0 0 {WIDTH} {HEIGHT}" '
    f'role="img">\n  <title>Proofs that two convex bodies are apart, or touch</title>\n'
    f"  <style>{STYLE}\n  </style>\n  {body}\n</svg>\n")
