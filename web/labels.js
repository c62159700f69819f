// Numbers with their words, names of bodies with their colours, and words for relations.
import { cssColour } from "./colours.js";
import { A_INSIDE_B, B_INSIDE_A, TOUCH } from "./run_data.js";

export function plural(number, one, many) {
    return `${number.toLocaleString("en")} ${number === 1 ? one : many}`;
}

const RELATIONS = [
    [TOUCH, "touch"],
    [A_INSIDE_B, "a_inside_b"],
    [B_INSIDE_A, "b_inside_a"],
];

// The words of the command's tables.
export function relationWords(relations) {
    return RELATIONS.filter(([flag]) => relations & flag)
        .map(([, word]) => word)
        .join("+");
}

function bodyLabel(body, run, colours) {
    const dot = document.createElement("i");
    dot.className = "dot";
    dot.style.background = cssColour(colours[body]);
    const name = document.createElement("span");
    name.className = "name";
    name.textContent = run.bodies[body].name;
    const label = document.createElement("span");
    label.className = "body";
    label.append(dot, name);
    return label;
}

export function pairLabel({ a, b }, run, colours) {
    return [bodyLabel(a, run, colours), bodyLabel(b, run, colours)];
}
