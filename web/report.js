// The report of a run: a view, a list of contacts and a timeline, kept together by one player.
import { bodyColour } from "./colours.js";
import { ContactList } from "./contact_list.js";
import { plural } from "./labels.js";
import { Player } from "./player.js";
import { readRun } from "./run_data.js";
import { Timeline, drawDensity, partOfWidth } from "./timeline.js";
import { View, hasWebGL } from "./view.js";

const byId = (id) => document.getElementById(id);
const run = readRun(document);
const colours = run.bodies.map((_, index) => bodyColour(index, run.bodies.length));
const reducedMotion = matchMedia("(prefers-reduced-motion: reduce)").matches;
const lastFrame = Math.max(0, run.frameCount - 1);
const player = new Player(run.frameCount, run.frameRate);
const timeline = new Timeline(byId("timeline"), run, colours, player);
const view = createView();
const contacts = new ContactList(byId("contacts"), byId("now-what"), run, colours, focus);
const beginnings = [...new Set(timeline.rows.flatMap((row) => row.met.map(([first]) => first)))].sort(
    (x, y) => x - y,
);

function createView() {
    if (run.frameCount === 0) {
        sayThereIsNoView("This run has no frames.");
        return null;
    }
    if (!hasWebGL()) {
        sayThereIsNoView(
            "This browser offers no WebGL, so the bodies cannot be drawn. The timeline and the list of contacts work all the same.",
        );
        return null;
    }
    const created = new View(byId("view"), run, colours, reducedMotion);
    const setTheme = () => created.setTheme(getComputedStyle(document.documentElement));
    setTheme();
    matchMedia("(prefers-color-scheme: dark)").addEventListener("change", setTheme);
    return created;
}

function sayThereIsNoView(reason) {
    byId("message").textContent = reason;
    byId("message").hidden = false;
    document.body.classList.add("no-view");
}

function describeRun() {
    byId("title").textContent = run.name;
    document.title = `${run.name} · impinge`;
    const faces = run.bodies.reduce((sum, body) => sum + body.mesh.triangles, 0);
    byId("summary").textContent = [
        plural(run.bodies.length, "body", "bodies"),
        plural(faces, "face", "faces"),
        plural(run.frameCount, "frame", "frames"),
        timeline.rows.length ? plural(timeline.rows.length, "pair meets", "pairs meet") : "nothing touches",
    ].join(" · ");
}

function showFrame() {
    const { frame, playing } = player;
    const pairs = run.contacts.inFrame(frame);
    view?.show(frame, pairs);
    contacts.show(pairs, playing);
    timeline.show(pairs);
    const seconds = (frame / run.frameRate).toFixed(2);
    byId("now").textContent = `Frame ${frame}`;
    byId("clock").textContent = `${frame} / ${lastFrame} · ${seconds} s`;
    byId("frame").value = frame;
    byId("frame").setAttribute("aria-valuetext", `Frame ${frame}, ${seconds} seconds`);
    document.documentElement.style.setProperty("--at", partOfWidth(frame, run.frameCount));
    document.body.classList.toggle("playing", playing);
    byId("play").setAttribute("aria-label", playing ? "Pause" : "Play");
    byId("previous").disabled = !beginnings.some((first) => first < frame);
    byId("next").disabled = !beginnings.some((first) => first > frame);
}

function focus(bodies) {
    view?.focus(bodies);
}

function showPreviousBeginning() {
    const frame = beginnings.findLast((first) => first < player.frame);
    if (frame !== undefined) player.jump(frame);
}

function showNextBeginning() {
    const frame = beginnings.find((first) => first > player.frame);
    if (frame !== undefined) player.jump(frame);
}

const TURN = Math.PI / 24;
const keys = {
    " ": () => player.toggle(),
    ArrowLeft: () => player.jump(player.frame - 1),
    ArrowRight: () => player.jump(player.frame + 1),
    Home: () => player.jump(0),
    End: () => player.jump(lastFrame),
    n: showNextBeginning,
    p: showPreviousBeginning,
    0: () => view?.fit(),
    "+": () => view?.zoom(0.85),
    "=": () => view?.zoom(0.85),
    "-": () => view?.zoom(1 / 0.85),
};
const shiftedKeys = {
    ArrowLeft: () => view?.turn(-TURN, 0),
    ArrowRight: () => view?.turn(TURN, 0),
    ArrowUp: () => view?.turn(0, -TURN),
    ArrowDown: () => view?.turn(0, TURN),
};

function listenToKeys() {
    addEventListener("keydown", (event) => {
        if (event.ctrlKey || event.metaKey || event.altKey || event.target.closest("select")) return;
        // Space and enter belong to the button that has the focus.
        if (event.key === " " && event.target.closest("button")) return;
        const action = (event.shiftKey && shiftedKeys[event.key]) || keys[event.key] || keys[event.key.toLowerCase()];
        if (!action) return;
        event.preventDefault();
        action();
    });
}

function listenToControls() {
    byId("play").addEventListener("click", () => player.toggle());
    byId("previous").addEventListener("click", showPreviousBeginning);
    byId("next").addEventListener("click", showNextBeginning);
    byId("fit").addEventListener("click", () => view?.fit());
    byId("speed").addEventListener("change", (event) => player.setSpeed(Number(event.target.value)));
    byId("frame").max = lastFrame;
    if (lastFrame > 0) byId("frame").style.setProperty("--frame-count", run.frameCount);
    byId("frame").addEventListener("input", (event) => player.jump(Number(event.target.value)));
    addEventListener("hashchange", showFrameOfAddress);
}

// report.html#frame=120 opens there.
function showFrameOfAddress() {
    const match = /^#frame=(\d+)$/.exec(location.hash);
    player.jump(match ? Number(match[1]) : player.frame);
}

// The name of the body under a mouse that rests.
function listenToView() {
    const canvas = byId("view");
    const tip = byId("body-name");
    let timer = 0;
    const hide = () => {
        clearTimeout(timer);
        tip.hidden = true;
    };
    canvas.addEventListener("pointermove", (event) => {
        hide();
        if (event.buttons || event.pointerType !== "mouse") return;
        timer = setTimeout(() => {
            const body = view.pick(event.offsetX, event.offsetY);
            if (body < 0) return;
            tip.textContent = run.bodies[body].name;
            tip.style.transform = `translate(${event.offsetX + 14}px, ${event.offsetY - 30}px)`;
            tip.hidden = false;
        }, 60);
    });
    for (const end of ["pointerleave", "pointerdown", "wheel"]) canvas.addEventListener(end, hide, { passive: true });
    canvas.addEventListener("pointerdown", () => byId("hint").classList.add("known"));
    canvas.addEventListener("webglcontextlost", () => sayThereIsNoView("The 3-D view was lost."));
    canvas.addEventListener("webglcontextrestored", () => location.reload());
}

describeRun();
drawDensity(byId("density"), run);
player.listen(showFrame);
listenToKeys();
listenToControls();
if (view) listenToView();
showFrameOfAddress();

// For tests, to look at and not to change.
window.impingeReport = Object.freeze({
    ready: true,
    hasView: view !== null,
    get frame() {
        return player.frame;
    },
    get playing() {
        return player.playing;
    },
    frameCount: run.frameCount,
    bodyNames: Object.freeze(run.bodies.map((body) => body.name)),
    touchingFaces: (body) => view?.touchingFaces(body) ?? null,
});
