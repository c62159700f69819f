#!/usr/bin/env python3
"""Draws docs/pictures/architecture.svg: the way of the data through a detect, and who owns what."""
import os

STYLE = """
    text { font-family: system-ui, "Segoe UI", Helvetica, Arial, sans-serif; font-size: 13px; fill: #1f2328 }
    .middle { text-anchor: middle } .small { font-size: 11.5px } .soft { fill: #59636e } .strong { font-weight: 600 }
    .card { fill: #ffffff; stroke: #d1d9e0 } .stage { fill: #ddebff; stroke: #2458b8 }
    .memory { fill: #fff1d6; stroke: #a85f00 } .caller { fill: #f6f8fa; stroke: #8b949e }
    .arrow { fill: none; stroke: #59636e; stroke-width: 1.5 } .uses { stroke-dasharray: 4 3 } .head { fill: #59636e }
    @media (prefers-color-scheme: dark) {
      text { fill: #e6edf3 } .soft { fill: #9aa4af }
      .card { fill: #10151c; stroke: #363e48 } .stage { fill: #172a4a; stroke: #82b3ff }
      .memory { fill: #3a2a10; stroke: #f5bf6a } .caller { fill: #171d26; stroke: #6e7681 }
      .arrow { stroke: #9aa4af } .head { fill: #9aa4af }
    }
"""

parts = []


def box(x, y, width, height, kind, title, lines=()):
    parts.append(f'<rect x="{x}" y="{y}" width="{width}" height="{height}" rx="6" class="{kind}"/>')
    parts.append(f'<text x="{x + width / 2}" y="{y + 19}" class="middle strong">{title}</text>')
    for i, line in enumerate(lines):
        parts.append(f'<text x="{x + width / 2}" y="{y + 37 + 15 * i}" class="middle small soft">{line}</text>')


def arrow(x0, y0, x1, y1, kind=""):
    parts.append(f'<path d="M{x0},{y0} L{x1},{y1}" class="arrow {kind}" marker-end="url(#head)"/>')


def label(x, y, text):
    parts.append(f'<text x="{x}" y="{y}" class="middle small soft">{text}</text>')


STAGES = [
    ("bounds", ["broad_stage.c", "object/body.c"]),
    ("broad", ["broad_stage.c", "broad/"]),
    ("object", ["object_stage.c", "table of filters"]),
    ("feature", ["face_pair.c", "exact verdicts"]),
    ("answer", ["answer.c", "report_lists.c"]),
]
FLOWS = ["boxes", "body pairs", "candidates", "verdicts"]

for i, (title, lines) in enumerate(STAGES):
    x = 20 + 176 * i
    box(x, 96, 104, 74, "stage", title, lines)
    if i + 1 < len(STAGES):
        arrow(x + 104, 133, x + 174, 133)
        label(x + 140, 126, FLOWS[i])

box(20, 20, 224, 46, "caller", "bodies that have changed", ["shape, pose, motion count"])
arrow(72, 66, 72, 94)
box(604, 20, 224, 46, "caller", "imp_Report", ["valid until the next detect"])
arrow(776, 94, 776, 68)
label(424, 40, "margin, interval and budget go with every stage")
label(424, 57, "imp_DetectDef picks the filters")

box(20, 226, 284, 62, "memory", "imp_World", ["slots, bodies, ignored pairs", "boxes and order of the last search"])
box(324, 226, 212, 62, "memory", "filters' memory", ["block pairs, items, scratch", "kept from detect to detect"])
box(556, 226, 272, 62, "memory", "the last answer", ["results and faces of all pairs", "taken over where bodies are at rest"])
for x in (72, 248):
    arrow(x, 224, x, 172, "uses")
arrow(424, 224, 424, 172, "uses")
arrow(766, 224, 766, 172, "uses")
arrow(786, 172, 786, 224, "uses")

box(20, 318, 390, 46, "memory", "shapes: imp_Mesh, imp_Convex", ["immutable, counted; blocks and topology on first use"])
box(430, 318, 398, 46, "memory", "imp_Context", ["allocator, threads, scratch arena, last error"])
arrow(162, 316, 162, 290, "uses")
arrow(480, 316, 480, 290, "uses")

here = os.path.dirname(os.path.abspath(__file__))
with open(os.path.join(here, "architecture.svg"), "w", encoding="utf-8") as out:
    out.write('<svg xmlns="http://www.w3.org/2000/svg" width="848" height="384" viewBox="0 0 848 384" role="img">\n')
    out.write("  <title>The way of the data through a detect, and who owns what</title>\n")
    out.write(f"  <style>{STYLE}  </style>\n")
    out.write('  <defs><marker id="head" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="7" markerHeight="7" '
              'orient="auto"><path d="M0,0 L8,4 L0,8 z" class="head"/></marker></defs>\n')
    out.write('  <rect x="0.5" y="0.5" width="847" height="383" rx="8" class="card"/>\n  ')
    out.write("\n  ".join(parts))
    out.write("\n</svg>\n")
