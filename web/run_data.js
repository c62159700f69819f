// The data of a run, as apps/impinge/run_page_data.h lays it out.

function decodeBase64(text) {
    if (Uint8Array.fromBase64) return Uint8Array.fromBase64(text);
    const characters = atob(text);
    const bytes = new Uint8Array(characters.length);
    for (let i = 0; i < bytes.length; ++i) bytes[i] = characters.charCodeAt(i);
    return bytes;
}

class Reader {
    constructor(bytes) {
        this.bytes = bytes;
        this.at = 0;
    }

    // A view where the host is little-endian, as all browsers' hosts are.
    array(Type, count) {
        const array = new Type(this.bytes.buffer, this.bytes.byteOffset + this.at, count);
        this.at += (array.byteLength + 3) & ~3;
        return array;
    }

    varint() {
        let number = 0;
        for (let unit = 1; ; unit *= 128) {
            const byte = this.bytes[this.at++];
            number += (byte & 127) * unit;
            if (byte < 128) return number;
        }
    }
}

class NumberList {
    constructor() {
        this.numbers = new Uint32Array(1024);
        this.count = 0;
    }

    push(number) {
        if (this.count === this.numbers.length) {
            const longer = new Uint32Array(2 * this.count);
            longer.set(this.numbers);
            this.numbers = longer;
        }
        this.numbers[this.count++] = number;
    }
}

const PAIR_FIELDS = 7; // body a, body b, relations, faces of a: first, count, faces of b: first, count

export const TOUCH = 1;
export const A_INSIDE_B = 2;
export const B_INSIDE_A = 4;

// What touches in each frame. Flat arrays, because there may be millions of pairs.
class Contacts {
    constructor(reader, frameCount) {
        this.firstPair = new Uint32Array(frameCount + 1);
        const fields = new NumberList();
        const faces = new NumberList();
        for (let frame = 0; frame < frameCount; ++frame) {
            const pairs = reader.varint();
            this.firstPair[frame + 1] = this.firstPair[frame] + pairs;
            for (let i = 0; i < pairs; ++i) Contacts.readPair(reader, fields, faces);
        }
        this.fields = fields.numbers;
        this.faces = faces.numbers;
    }

    static readPair(reader, fields, faces) {
        for (let i = 0; i < 3; ++i) fields.push(reader.varint());
        for (let side = 0; side < 2; ++side) {
            const count = reader.varint();
            fields.push(faces.count);
            fields.push(count);
            for (let i = 0, face = 0; i < count; ++i) faces.push((face += reader.varint()));
        }
    }

    pair(index) {
        const [a, b, relations, firstA, countA, firstB, countB] = this.fields.subarray(
            index * PAIR_FIELDS,
            (index + 1) * PAIR_FIELDS,
        );
        return {
            a,
            b,
            relations,
            facesA: this.faces.subarray(firstA, firstA + countA),
            facesB: this.faces.subarray(firstB, firstB + countB),
        };
    }

    inFrame(frame) {
        const pairs = [];
        for (let i = this.firstPair[frame]; i < this.firstPair[frame + 1]; ++i) pairs.push(this.pair(i));
        return pairs;
    }
}

export function readRun(document) {
    const header = JSON.parse(document.getElementById("header").textContent);
    const numbers = document.getElementById("numbers");
    const reader = new Reader(decodeBase64(numbers.textContent));
    numbers.remove(); // megabytes that nobody needs twice
    const meshes = header.meshes.map(({ vertices, triangles }) => ({
        triangles,
        vertices: reader.array(Float32Array, 3 * vertices),
        indices: reader.array(Uint32Array, 3 * triangles),
    }));
    const poses = reader.array(Float32Array, 7 * header.bodies.length * header.frame_count);
    const bodies = header.bodies.map(({ name, mesh, deforms }) => ({ name, mesh: meshes[mesh], deforms }));
    for (const body of bodies) {
        if (!body.deforms) continue;
        body.half = reader.array(Float32Array, 3);
        body.shapes = reader.array(Uint16Array, body.mesh.vertices.length * header.frame_count);
    }
    return {
        name: header.scene,
        up: header.up,
        frameCount: header.frame_count,
        frameRate: header.frame_rate,
        bodies,
        pose: (frame, body) => poses.subarray(7 * (frame * bodies.length + body)),
        contacts: new Contacts(reader, header.frame_count),
    };
}
