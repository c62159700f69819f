// Numbers with their words, and names of bodies with their colours.
import { cssColour } from "./colours.js";

export function plural(number, one, many) {
    return `${number.toLocaleString("en")} ${number === 1 ? one : many}`;
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
