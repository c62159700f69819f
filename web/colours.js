// Colours of bodies: as many as needed, calm, alike in lightness, and away from the colour of contacts.

function toGamma(linear) {
    const part = Math.min(1, Math.max(0, linear));
    return part <= 0.0031308 ? 12.92 * part : 1.055 * part ** (1 / 2.4) - 0.055;
}

// Oklab with lightness, chroma, and hue in turns, as red, green and blue between 0 and 1.
function fromOklch(lightness, chroma, hue) {
    const a = chroma * Math.cos(2 * Math.PI * hue);
    const b = chroma * Math.sin(2 * Math.PI * hue);
    const l = (lightness + 0.3963377774 * a + 0.2158037573 * b) ** 3;
    const m = (lightness - 0.1055613458 * a - 0.0638541728 * b) ** 3;
    const s = (lightness - 0.0894841775 * a - 1.291485548 * b) ** 3;
    return [
        4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s,
        -1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s,
        -0.0041960863 * l - 0.7034186147 * m + 1.707614701 * s,
    ].map(toGamma);
}

// Hues in turns. Red and orange, from 0 to 0.15, belong to contacts.
const FEW_HUES = [0.68, 0.23, 0.44, 0.83, 0.54, 0.32, 0.94, 0.61];
const FIRST_HUE = 0.2;
const HUE_RANGE = 0.75;
const GOLDEN = 0.618033988749895; // multiples of it never come close to each other soon

export function bodyColour(index, count) {
    if (count <= FEW_HUES.length) return fromOklch(0.74, 0.08, FEW_HUES[index]);
    // With many bodies hues come close to each other, so that lightness has to help.
    return fromOklch([0.74, 0.81, 0.67][index % 3], 0.075, FIRST_HUE + HUE_RANGE * ((index * GOLDEN) % 1));
}

export function cssColour(rgb) {
    return `rgb(${rgb.map((part) => Math.round(255 * part)).join(" ")})`;
}
