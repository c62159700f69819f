// Chromium from the PATH, without a network, and what its pages say.
import { accessSync, constants } from "node:fs";
import { createRequire } from "node:module";
import path from "node:path";

const SOFTWARE_WEBGL = ["--use-angle=swiftshader", "--enable-unsafe-swiftshader", "--ignore-gpu-blocklist"];

export function findBrowser() {
    for (const folder of process.env.PATH.split(path.delimiter))
        for (const name of ["chromium", "chromium-browser", "google-chrome"]) {
            const program = path.join(folder, name);
            try {
                accessSync(program, constants.X_OK);
                return program;
            } catch {
                // look further
            }
        }
    return null;
}

export class Browser {
    static async start(packages, executablePath, { webgl = true } = {}) {
        const { chromium } = createRequire(path.join(packages, "package.json"))("playwright-core");
        const args = webgl ? [...SOFTWARE_WEBGL] : ["--disable-3d-apis"];
        if (process.getuid() === 0) args.push("--no-sandbox");
        const browser = new Browser();
        browser.chromium = await chromium.launch({ executablePath, args });
        return browser;
    }

    // A page that is ready, with `complaints`: whatever it said on the console, threw, or asked the network for.
    async open(file, options = {}) {
        const context = await this.chromium.newContext({ viewport: { width: 1000, height: 640 }, ...options });
        await context.setOffline(true);
        await context.route(/^(?!file:|data:|blob:)/, (route) => route.abort());
        const page = await context.newPage();
        page.complaints = [];
        page.on("console", (message) => page.complaints.push(`${message.type()}: ${message.text()}`));
        page.on("pageerror", (error) => page.complaints.push(`thrown: ${error.stack}`));
        page.on("request", (request) => {
            if (!/^(file|data|blob):/.test(request.url())) page.complaints.push(`request: ${request.url()}`);
        });
        const start = performance.now();
        await page.goto(`file://${file}`);
        await page.waitForFunction(() => window.impingeReport?.ready);
        await drawn(page);
        page.loadSeconds = (performance.now() - start) / 1000;
        return page;
    }

    // How many pixels of a screenshot of `selector` there are, and how many of them each test takes.
    async countPixels(page, selector, tests) {
        const png = (await page.locator(selector).screenshot()).toString("base64");
        this.scratch ??= await this.chromium.newPage();
        return this.scratch.evaluate(
            async ([image, sources]) => {
                const picture = new Image();
                picture.src = `data:image/png;base64,${image}`;
                await picture.decode();
                const canvas = new OffscreenCanvas(picture.width, picture.height);
                const context = canvas.getContext("2d");
                context.drawImage(picture, 0, 0);
                const { data } = context.getImageData(0, 0, canvas.width, canvas.height);
                const counts = { all: data.length / 4 };
                for (const [name, source] of Object.entries(sources)) {
                    const test = new Function("r", "g", "b", `return ${source}`);
                    counts[name] = 0;
                    for (let i = 0; i < data.length; i += 4)
                        if (test(data[i], data[i + 1], data[i + 2])) ++counts[name];
                }
                return counts;
            },
            [png, tests],
        );
    }

    async stop() {
        await this.chromium.close();
    }
}

// Until what was asked for has reached the screen.
export async function drawn(page) {
    await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));
}
