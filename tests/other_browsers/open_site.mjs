// Opens every page of the built site in a browser that the daily tests do not use. Moves the
// figures by script and by keyboard, uses the search, and prints what is wrong.
//
//     node open_site.mjs installed         Firefox as installed, over WebDriver BiDi
//     node open_site.mjs firefox webkit    Playwright's own browsers
//
// `BROWSER_PATH` names another Firefox.

import { createReadStream, existsSync, readdirSync, readFileSync } from "node:fs";
import { createServer } from "node:http";
import { dirname, extname, join, relative } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";

const HERE = dirname(fileURLToPath(import.meta.url));
const SITE = join(HERE, "../../_build/html");
const TYPES = { ".html": "text/html", ".js": "text/javascript", ".css": "text/css", ".svg": "image/svg+xml", ".woff2": "font/woff2" };
const DESK = { width: 1280, height: 900 };
const PHONE = { width: 390, height: 844 };
const FIREFOX = ["/usr/bin/firefox-esr", "/usr/bin/firefox", "/Applications/Firefox.app/Contents/MacOS/firefox"];

// The scripts by which the daily tests read and move the figures of a page.
const FIGURES = ["displayed.js", "figures.js"].map((file) => readFileSync(join(HERE, "../browser", file), "utf8")).join("\n");

async function launched(name) {
  if (name !== "installed") return (await import("playwright-core"))[name].launch();
  const { launch } = await import("puppeteer-core");
  const executablePath = process.env.BROWSER_PATH ?? FIREFOX.find(existsSync);
  if (!executablePath) throw new Error("no Firefox is installed: on Debian, apt install firefox-esr");
  return launch({ browser: "firefox", executablePath });
}

// Playwright and Puppeteer name this function differently.
const resize = (page, size) => (page.setViewportSize ? page.setViewportSize(size) : page.setViewport(size));

function serve() {
  const server = createServer((request, response) => {
    const path = join(SITE, decodeURIComponent(new URL(request.url, "http://x").pathname));
    if (!existsSync(path)) return response.writeHead(404).end();
    response.setHeader("Content-Type", TYPES[extname(path)] ?? "application/octet-stream");
    return createReadStream(path).pipe(response);
  });
  return new Promise((done) => server.listen(0, "127.0.0.1", () => done(server)));
}

const pages = () => readdirSync(SITE, { recursive: true, withFileTypes: true })
  .filter(({ name }) => name.endsWith(".html") && name !== "index.html")
  .map((file) => relative(SITE, join(file.parentPath, file.name)))
  .sort();

// Runs in the page: waits until all figures have started and the fonts are loaded.
async function settled() {
  while (document.querySelector(".widget > script")) await new Promise((r) => setTimeout(r, 20));
  await document.fonts.ready;
  await new Promise(requestAnimationFrame);
}

const sideways = () => document.documentElement.scrollWidth - document.documentElement.clientWidth;

// Runs in the page: moves every control at random, then presses Undo until each figure is as
// it was. Returns what is wrong.
function moveAndUndo() {
  let seed = 1;
  const random = () => (seed = (seed * 16807) % 2147483647) / 2147483647;
  const moves = Array.from({ length: 30 }, () => [random(), random()]);
  const cards = [...document.querySelectorAll(".abh-card")];
  const undo = (card) => [...card.querySelectorAll("button")].find((button) => button.textContent === "Undo");
  const shown = (card) => card.querySelector(".abh-reading")?.textContent;
  const before = cards.map(shown);
  const wrong = figures.moveEvery(moves).map((what) => `moved: ${JSON.stringify(what)}`);
  cards.forEach((card, i) => {
    if (!undo(card)) return;
    const isMoved = shown(card) !== before[i];
    for (let press = 0; press < 500 && !undo(card).disabled; press += 1) undo(card).click();
    if (isMoved && shown(card) !== before[i]) wrong.push(`undone: ${card.getAttribute("aria-label")} does not say what it said at first`);
  });
  return wrong;
}

// Moves a slider and fills in a field with real keys. Returns what is wrong.
async function byKeyboard(page) {
  const slider = ".abh-control input[type=range]:enabled";
  if (!(await page.$(slider))) return [];
  const value = () => page.$eval(slider, (range) => range.value);
  await page.focus(slider);
  await page.keyboard.press("Home");
  const first = await value();
  await page.keyboard.press("ArrowRight");
  const wrong = (await value()) === first ? ["a slider does not follow the arrow keys"] : [];
  const field = ".abh-control .abh-typed input";
  await page.focus(field);
  const typed = await page.$eval(field, (input) => (input.select(), input.value));
  await page.keyboard.type("1");
  await page.keyboard.press("Enter");
  const now = await page.$eval(field, (input) => input.value);
  return now === "1" ? wrong : [...wrong, `a field takes no number: ${typed} became ${now}`];
}

async function search(page) {
  await page.focus("main input[name=q]");
  await page.keyboard.type("softmx");
  await page.keyboard.press("Enter");
  const found = await page.evaluate(() => document.activeElement.textContent);
  return found === "softmax" ? [] : [`the search for softmx went to ${found}`];
}

async function check(page, address, name) {
  await resize(page, DESK);
  await page.goto(address);
  await page.evaluate(settled);
  const wrong = [];
  for (const size of [DESK, PHONE]) {
    await resize(page, size);
    await page.evaluate(settled);
    const by = await page.evaluate(sideways);
    if (by > 0) wrong.push(`${by} pixels too wide at ${size.width}`);
  }
  await resize(page, DESK);
  await page.evaluate(FIGURES);
  wrong.push(...(await page.evaluate(moveAndUndo)), ...(await byKeyboard(page)));
  if (name === "search.html") wrong.push(...(await search(page)));
  return wrong;
}

async function openSite(name) {
  const browser = await launched(name);
  console.log(`${name}: ${await browser.version()}`);
  const server = await serve();
  const site = `http://127.0.0.1:${server.address().port}`;
  let failed = 0;
  const look = async (address, file) => {
    const page = await browser.newPage();
    const said = [];
    page.on("console", (message) => said.push(`console, ${message.type()}: ${message.text()}`));
    page.on("pageerror", (error) => said.push(`error: ${error.message}`));
    page.on("requestfailed", (request) => said.push(`not loaded: ${request.url()}`));
    page.on("request", (request) => /^(data|blob|file):/.test(request.url()) || request.url().startsWith(site) || said.push(`asked for ${request.url()}`));
    const wrong = await check(page, address, file).catch((error) => [`stopped: ${error.message}`]);
    await page.close();
    for (const what of [...said, ...wrong]) console.log(`  ${file}: ${what}`);
    failed += said.length + wrong.length;
  };
  const files = pages();
  for (const file of files) await look(`${site}/${file}`, file);
  await look(pathToFileURL(join(SITE, "intro.html")).href, "intro.html from disk");
  await browser.close();
  server.close();
  console.log(`  ${files.length} pages, ${failed} complaints`);
  return failed;
}

let failed = 0;
for (const name of process.argv.slice(2)) failed += await openSite(name);
process.exitCode = failed ? 1 : 0;
