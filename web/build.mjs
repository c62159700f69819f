// Makes the page of `impinge run --html` from the sources beside this file:
//   node build.mjs FOLDER_WITH_NODE_MODULES OUTPUT_FOLDER
// writes head.html and tail.html, between which the program puts the data of a run.
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import path from "node:path";
import { fileURLToPath } from "node:url";

const [packages, output] = process.argv.slice(2).map((folder) => path.resolve(folder));
const source = path.dirname(fileURLToPath(import.meta.url));
const esbuild = createRequire(path.join(packages, "package.json"))("esbuild");

async function bundle(name, options) {
    const result = await esbuild.build({
        entryPoints: [path.join(source, name)],
        absWorkingDir: source,
        nodePaths: [path.join(packages, "node_modules")],
        bundle: true,
        minify: true,
        write: false,
        logLevel: "warning",
        ...options,
    });
    return result.outputFiles[0].text.trim();
}

// Pages carry three.js, so they carry its license: all of it, which its own comments only name.
const license = await readFile(path.join(packages, "node_modules/three/LICENSE"), "utf8");
const script = await bundle("report.js", {
    format: "iife",
    target: "es2022",
    legalComments: "none",
    banner: { js: `/*! With three.js, under this license:\n\n${license.trim()}\n*/` },
});
const style = await bundle("report.css", {});
const page = await readFile(path.join(source, "report.html"), "utf8");

// Functions as replacements, because text has meaning in "$&" and the like.
const [head, tail] = page
    .replace("<!-- style -->", () => `<style>${style}</style>`)
    .replace("<!-- script -->", () => `<script>${script}</script>`)
    .split("<!-- data -->\n");
await mkdir(output, { recursive: true });
await writeFile(path.join(output, "head.html"), head);
await writeFile(path.join(output, "tail.html"), tail);
