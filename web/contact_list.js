// What touches in the frame shown. A press on an entry fades all other bodies.
import { TOUCH } from "./run_data.js";
import { pairLabel, plural, relationWords } from "./labels.js";

const MOST_ENTRIES = 60;

// The names stand above, a first.
function describePair(pair) {
    const words = relationWords(pair.relations);
    if (!(pair.relations & TOUCH)) return words;
    return `${words} · ${pair.facesA.length.toLocaleString("en")} + ${plural(pair.facesB.length, "face", "faces")}`;
}

export class ContactList {
    constructor(list, status, run, colours, onFocus) {
        Object.assign(this, { list, status, run, colours, onFocus, pinned: null });
    }

    show(pairs, playing) {
        const touching = pairs.filter((pair) => pair.relations & TOUCH).length;
        const inside = pairs.length - touching;
        const text = [];
        if (touching) text.push(plural(touching, "pair touches", "pairs touch"));
        if (inside) text.push(`${plural(inside, "body", "bodies")} inside another`);
        // Whoever listens to the page instead of looking is told when playing ends, not thirty times a second.
        this.status.setAttribute("aria-live", playing ? "off" : "polite");
        this.status.textContent = text.join(", ") || "Nothing touches";
        this.update(pairs);
    }

    update(pairs) {
        const shown = pairs.slice(0, MOST_ENTRIES);
        while (this.list.children.length > shown.length) this.list.lastChild.remove();
        shown.forEach((pair, i) => this.setEntry(this.list.children[i] ?? this.list.appendChild(this.create()), pair));
        if (pairs.length > shown.length)
            this.list.lastChild.querySelector(".faces").textContent += `, and ${pairs.length - shown.length} pairs more`;
    }

    create() {
        const entry = document.createElement("li");
        const button = document.createElement("button");
        button.type = "button";
        button.title = "Fade all other bodies";
        const names = document.createElement("span");
        names.className = "pair";
        const faces = document.createElement("span");
        faces.className = "faces";
        button.append(names, faces);
        entry.append(button);
        button.addEventListener("click", () => this.pin(entry.key));
        return entry;
    }

    // Entries are kept while they stand for the same pair, so that focus and press survive a step in time.
    setEntry(entry, pair) {
        const key = `${pair.a} ${pair.b}`;
        const button = entry.firstChild;
        if (entry.key !== key) {
            entry.key = key;
            button.firstChild.replaceChildren(...pairLabel(pair, this.run, this.colours));
        }
        entry.classList.toggle("inside", !(pair.relations & TOUCH));
        button.lastChild.textContent = describePair(pair);
        button.setAttribute("aria-pressed", String(this.pinned === key));
    }

    pin(key) {
        this.pinned = this.pinned === key ? null : key;
        for (const entry of this.list.children)
            entry.firstChild.setAttribute("aria-pressed", String(this.pinned === entry.key));
        this.onFocus(this.pinned === null ? null : this.pinned.split(" ").map(Number));
    }
}
