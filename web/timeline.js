// One row for each pair of bodies that ever meet, with bars over the frames in which they do.
import { A_INSIDE_B, B_INSIDE_A, TOUCH } from "./run_data.js";
import { pairLabel, relationWords } from "./labels.js";

const SVG = "http://www.w3.org/2000/svg";
const ROWS_AT_FIRST = 60;
const MOST_COLUMNS = 2000;
const THINNEST_BAR = 1 / 400; // of the width: a single frame among thousands can still be seen

// Runs of consecutive frames, as [first, last].
function addFrame(runs, frame) {
    const last = runs.at(-1);
    if (last && last[1] === frame - 1) last[1] = frame;
    else runs.push([frame, frame]);
}

// Each frame has its share of the width; what is drawn for it spans the share, a line for it is in its middle.
function frameBox(frameCount) {
    return `0 0 ${Math.max(1, frameCount)} 1`;
}

export function partOfWidth(frame, frameCount) {
    return (frame + 0.5) / Math.max(1, frameCount);
}

function rowKey({ a, b }) {
    return `${a} ${b}`;
}

export function collectRows({ contacts, frameCount }) {
    const rows = new Map();
    for (let frame = 0; frame < frameCount; ++frame)
        for (const { a, b, relations } of contacts.inFrame(frame)) {
            const key = rowKey({ a, b });
            if (!rows.has(key)) rows.set(key, { a, b, first: frame, touches: [], insides: [], met: [] });
            const row = rows.get(key);
            addFrame(row.met, frame);
            if (relations & TOUCH) addFrame(row.touches, frame);
            if (relations & (A_INSIDE_B | B_INSIDE_A)) addFrame(row.insides, frame);
        }
    return [...rows.values()].sort((x, y) => x.first - y.first || x.a - y.a || x.b - y.b);
}

// How many faces touch over time, as an area. Where frames are more than columns, the most of those that share one.
export function drawDensity(svg, { contacts, frameCount }) {
    const counts = new Array(Math.min(frameCount, MOST_COLUMNS)).fill(0);
    for (let frame = 0; frame < frameCount; ++frame) {
        const column = Math.floor((frame * counts.length) / frameCount);
        const faces = contacts
            .inFrame(frame)
            .reduce((sum, pair) => sum + pair.facesA.length + pair.facesB.length, 0);
        counts[column] = Math.max(counts[column], faces);
    }
    const highest = Math.max(1, ...counts);
    const width = frameCount / counts.length;
    const steps = counts.map(
        (count, column) => `V${(1 - count / highest).toFixed(4)}H${((column + 1) * width).toFixed(2)}`,
    );
    svg.setAttribute("viewBox", frameBox(frameCount));
    const area = document.createElementNS(SVG, "path");
    area.setAttribute("d", `M0 1${steps.join("")}V1Z`);
    svg.replaceChildren(area);
}

function drawBars(kind, runs, frameCount) {
    const thinnest = THINNEST_BAR * frameCount;
    const path = document.createElementNS(SVG, "path");
    path.setAttribute("class", kind);
    path.setAttribute(
        "d",
        runs
            .map(([first, last]) => {
                const width = Math.max(thinnest, last - first + 1);
                return `M${(first + last + 1 - width) / 2} 0h${width}v1h${-width}z`;
            })
            .join(""),
    );
    return path;
}

function describeRuns(runs) {
    const some = runs.slice(0, 8).map(([first, last]) => (first === last ? `${first}` : `${first} to ${last}`));
    return some.join(", ") + (runs.length > some.length ? " and more" : "");
}

export class Timeline {
    constructor(root, run, colours, player) {
        this.run = run;
        this.colours = colours;
        this.player = player;
        this.rows = collectRows(run);
        this.list = root.querySelector("#rows");
        this.more = root.querySelector("#more");
        this.tip = document.getElementById("strip-tip");
        this.ghost = root.querySelector("#ghost");
        this.root = root;
        this.elements = new Map(); // rows on the page, by pair
        this.meeting = []; // those of pairs that meet in the frame shown
        this.addRows(0, ROWS_AT_FIRST);
        if (this.rows.length === 0) this.list.textContent = "Nothing touches in any frame.";
        root.querySelector("#inside-legend").hidden = !this.rows.some((row) => row.insides.length);
        this.more.hidden = this.rows.length <= ROWS_AT_FIRST;
        this.more.textContent = `Show all ${this.rows.length.toLocaleString("en")} pairs`;
        this.more.addEventListener("click", () => {
            this.more.hidden = true;
            this.addRows(ROWS_AT_FIRST, this.rows.length);
        });
        this.listenToPointer();
    }

    addRows(from, to) {
        const added = document.createDocumentFragment();
        for (const row of this.rows.slice(from, to)) added.append(this.createRow(row));
        this.list.append(added);
    }

    createRow(row) {
        const element = document.createElement("div");
        element.className = "row";
        const button = document.createElement("button");
        button.type = "button";
        button.className = "pair";
        button.append(...pairLabel(row, this.run, this.colours));
        const parts = [];
        if (row.touches.length) parts.push(`touch in frames ${describeRuns(row.touches)}`);
        if (row.insides.length) parts.push(`a_inside_b or b_inside_a in frames ${describeRuns(row.insides)}`);
        const names = `${this.run.bodies[row.a].name} and ${this.run.bodies[row.b].name}`;
        button.setAttribute("aria-label", `${names} ${parts.join("; ")}. Show where they meet next.`);
        button.title = "Show where they meet next";
        button.addEventListener("click", () => this.showNextMeeting(row));
        const strip = document.createElement("div");
        strip.className = "strip";
        const svg = document.createElementNS(SVG, "svg");
        svg.setAttribute("viewBox", frameBox(this.run.frameCount));
        svg.setAttribute("preserveAspectRatio", "none");
        svg.setAttribute("aria-hidden", "true");
        svg.append(
            drawBars("inside", row.insides, this.run.frameCount),
            drawBars("touch", row.touches, this.run.frameCount),
        );
        strip.append(svg);
        strip.row = row;
        element.append(button, strip);
        this.elements.set(rowKey(row), element);
        return element;
    }

    // Which rows stand out: those of the pairs that meet now.
    show(pairs) {
        for (const element of this.meeting) element.classList.remove("meeting");
        this.meeting = pairs.map((pair) => this.elements.get(rowKey(pair))).filter(Boolean);
        for (const element of this.meeting) element.classList.add("meeting");
    }

    showNextMeeting(row) {
        const next = row.met.find(([first]) => first > this.player.frame) ?? row.met[0];
        this.player.jump(next[0]);
    }

    frameAt(strip, clientX) {
        const { left, width } = strip.getBoundingClientRect();
        const frame = Math.floor(((clientX - left) / width) * this.run.frameCount);
        return Math.max(0, Math.min(this.run.frameCount - 1, frame));
    }

    listenToPointer() {
        let held = null;
        this.list.addEventListener("pointerdown", (event) => {
            held = event.button === 0 ? event.target.closest(".strip") : null;
            if (held) this.player.jump(this.frameAt(held, event.clientX));
        });
        addEventListener("pointermove", (event) => {
            if (held) this.player.jump(this.frameAt(held, event.clientX));
            const strip = held ?? event.target.closest?.(".strip");
            if (strip && event.pointerType === "mouse") this.hover(strip, event);
            else this.endHover();
        });
        for (const end of ["pointerup", "pointercancel"]) addEventListener(end, () => (held = null));
        this.list.addEventListener("pointerleave", () => held || this.endHover());
    }

    hover(strip, event) {
        const frame = this.frameAt(strip, event.clientX);
        const { a, b } = strip.row;
        const pair = this.run.contacts.inFrame(frame).find((other) => other.a === a && other.b === b);
        const what = !pair
            ? "apart"
            : pair.relations & TOUCH
              ? `${pair.facesA.length} + ${pair.facesB.length} faces touch`
              : relationWords(pair.relations);
        this.tip.textContent = `Frame ${frame} · ${what}`;
        this.tip.hidden = false;
        const x = Math.min(event.clientX + 14, innerWidth - this.tip.offsetWidth - 8);
        this.tip.style.transform = `translate(${x}px, ${event.clientY - this.tip.offsetHeight - 12}px)`;
        this.root.style.setProperty("--ghost", partOfWidth(frame, this.run.frameCount));
        this.ghost.hidden = false;
    }

    endHover() {
        this.tip.hidden = true;
        this.ghost.hidden = true;
    }
}
