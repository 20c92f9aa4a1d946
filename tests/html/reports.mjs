// SPDX-License-Identifier: Apache-2.0
// Opens every kind of report in a real browser with the network off.
//
// usage: node reports.mjs INTERVALE BROWSER NODE_MODULES VEGA_MODULES [KEEP [NAME...]]
//
// Reports are made by the tool in a folder of its own; KEEP: a folder to leave
// them and their pictures in, to be looked at, or -; NAME: only these reports, or
// those that are large, which are left out otherwise.
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import fs from 'node:fs';
import { createRequire } from 'node:module';
import os from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';

import { collections, reports } from './cases.mjs';
import { specifications } from './specification.mjs';

const [toolPath, browserPath, modules, vegaModules, kept, ...only] = process.argv.slice(2);
const keep = kept === '-' ? undefined : kept;
const tool = path.resolve(toolPath);
if (!fs.existsSync(browserPath)) {
  console.log('no browser of the Chromium family is here: tools/setup.sh test installs one');
  process.exit(1);
}
const { chromium } = createRequire(`${path.resolve(modules)}/`)('playwright-core');
const axe = fs.readFileSync(createRequire(`${path.resolve(modules)}/`).resolve('axe-core'), 'utf8');
const scratch = keep ? null : fs.mkdtempSync(path.join(os.tmpdir(), 'intervale-html-'));
const folder = scratch ?? path.resolve(keep);
fs.mkdirSync(folder, { recursive: true });
const MOST_BYTES = 5e6;

async function run(...args) {
  try {
    return (await promisify(execFile)(tool, args, { cwd: folder, maxBuffer: 1 << 28 })).stdout;
  } catch (problem) {
    throw new Error(`intervale ${args.join(' ')}: ${problem.stderr}`);
  }
}

async function download(page, button) {
  const [saved] = await Promise.all([page.waitForEvent('download'), button.click()]);
  const bytes = fs.readFileSync(await saved.path());
  await saved.delete();
  return { name: saved.suggestedFilename(), bytes };
}

// ---------------------------------------------------------------- the checks

// What is drawn: shapes of data, not of axes and legends.
async function checkCharts(page, report) {
  const found = await page.evaluate(() => [...document.querySelectorAll('.chart')].map((chart) => {
    const canvas = chart.querySelector('canvas');
    let marks = chart.querySelectorAll('.role-mark path[d], .role-mark line').length;
    if (canvas) {
      const { data } = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height);
      for (let i = 0; i < data.length; i += 4)
        marks += data[i + 3] > 0 && data[i] + data[i + 1] + data[i + 2] < 700;
    }
    return { marks, label: chart.getAttribute('aria-label'),
      caption: chart.closest('figure').querySelector('figcaption').textContent,
      values: document.getElementById(chart.getAttribute('aria-details')) !== null };
  }));
  assert.equal(found.length, report.charts, 'how many charts');
  found.forEach(({ marks, label, caption, values }, i) => {
    assert.ok(marks >= (report.marks?.[i] ?? 1), `chart ${i} has ${marks} marks`);
    assert.ok(label, `chart ${i} says nothing to a reader`);
    assert.ok(caption.startsWith(label), `chart ${i} is not explained`);
    assert.ok(values, `chart ${i} has no table`);
  });
}

async function checkAccess(page) {
  await page.evaluate(axe);
  const { violations } = await page.evaluate(() => window.axe.run(document, { runOnly:
    ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'] }));
  assert.deepEqual(violations.map((v) => [v.id, v.nodes.map((n) => n.html).slice(0, 3)]), [], 'axe-core');
}

async function checkSaving(page) {
  const tools = page.locator('.tools').first();
  const svg = (await download(page, tools.getByText('Save SVG'))).bytes.toString('utf8');
  assert.match(svg, /^<svg /);
  assert.doesNotMatch(svg, /<script|<img|<foreignObject/i);
  const png = await download(page, tools.getByText('Save PNG'));
  assert.equal(png.bytes.subarray(1, 4).toString('latin1'), 'PNG');
  const spec = await download(page, tools.getByText('Save Vega-Lite'));
  assert.ok(JSON.parse(spec.bytes).layer.length > 0);
}

// Another page of a chart is another picture.
async function checkChoice(page) {
  const select = page.locator('.chart select').first();
  if (await select.count() === 0) return;
  const shapes = () => [...document.querySelector('.chart select').closest('.chart')
    .querySelectorAll('.role-mark path[d]')].slice(0, 50)
    .map((shape) => shape.getAttribute('d') + shape.getAttribute('transform')).join(' ');
  const before = await page.evaluate(shapes);
  await select.selectOption({ index: 1 });
  await page.waitForTimeout(20);
  for (let tries = 0; tries < 100 && await page.evaluate(shapes) === before; tries++)
    await page.waitForTimeout(50);
  const after = await page.evaluate(shapes);
  assert.ok(after !== '' && after !== before,'another page is the same picture');
}

// What is saved is what the tool writes.
async function checkSaved(page, report) {
  const sections = page.locator('section.table');
  const count = report.all ? await sections.count() : 1;
  for (let i = 0; i < count; i++) {
    const section = sections.nth(i);
    await section.evaluate((e) => e.querySelectorAll('details').forEach((d) => { d.open = true; }));
    const name = await section.locator('h3').textContent();
    const csv = await download(page, section.locator('.csv'));
    if (report.own?.includes(name)) continue;
    assert.equal(csv.bytes.toString('utf8'),
      await run(...report.args, '--format', 'csv', '--table', name, '--quiet'), `table ${name}`);
  }
}

// A click by hand on the first table, then every table by its last number.
async function checkSorting(page, most) {
  const first = page.locator('section.table').first().locator('th:visible').first();
  const before = await first.getAttribute('aria-sort');
  await first.locator('button').click();
  assert.match(await first.getAttribute('aria-sort'), /^(a|de)scending$/);
  assert.notEqual(await first.getAttribute('aria-sort'), before);
  const wrong = await page.evaluate((rows) => {
    const found = [];
    document.querySelectorAll('section.table').forEach((section) => {
      const heads = [...section.querySelectorAll('th')];
      const at = heads.findLastIndex((th) => th.className === 'n');
      const size = Number(/\d+/.exec(section.querySelector('.csv').textContent)[0]);
      if (at < 0 || size > rows) return;
      const name = section.querySelector('h3').textContent;
      for (const direction of ['descending', 'ascending']) {
        heads[at].querySelector('button').click();
        if (heads[at].getAttribute('aria-sort') !== direction) found.push(`${name}: not ${direction}`);
        const shown = [...section.querySelector('tbody').rows]
          .map((row) => row.cells[at].textContent).filter((text) => text !== '–').map(Number);
        const sign = direction === 'ascending' ? 1 : -1;
        if (shown.some((x, i) => i > 0 && sign * (x - shown[i - 1]) < 0))
          found.push(`${name}: not sorted ${direction}`);
      }
      const more = section.querySelector('.more button');
      if (!more) return;
      const before = section.querySelector('tbody').rows.length;
      more.click();
      if (section.querySelector('tbody').rows.length <= before) found.push(`${name}: no more rows`);
    });
    return found;
  }, most);
  assert.deepEqual(wrong, []);
}

// Rows that the script writes are those that stood there before it.
async function checkRounding(page) {
  const same = await page.evaluate(() => {
    const texts = (body) => [...body.rows].map((row) =>
      [...row.cells].map((c) => c.textContent).join('|')).sort();
    const differing = [];
    document.querySelectorAll('section.table').forEach((section) => {
      if (section.querySelector('.more')) return; // other rows would be shown
      const body = section.querySelector('tbody');
      const before = texts(body);
      section.querySelector('th button').click();
      const after = texts(body);
      before.forEach((row, i) => { if (row !== after[i]) differing.push([row, after[i]]); });
    });
    return differing;
  });
  assert.deepEqual(same, []);
}

async function checkLayout(page) {
  assert.ok(await page.evaluate(() => document.documentElement.scrollWidth
    - document.documentElement.clientWidth) <= 0, 'wider than the screen');
}

async function checkColours(page, name) {
  const paper = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
  const picture = async (kind) => {
    if (keep) await page.screenshot({ path: path.join(folder, `${name}${kind}.png`), fullPage: true });
  };
  const light = await paper();
  await picture('');
  await page.emulateMedia({ colorScheme: 'dark' });
  const dark = await paper();
  await picture('.dark');
  await page.emulateMedia({ colorScheme: 'dark', media: 'print' });
  const printed = await paper();
  assert.equal(await page.locator('.tools:visible').count(), 0, 'buttons on paper');
  await picture('.print');
  await page.emulateMedia({ colorScheme: 'light', media: 'screen' });
  assert.equal(light, 'rgb(255, 255, 255)');
  assert.equal(printed, light, 'paper is white');
  assert.notEqual(dark, light, 'a dark screen');
}

// Nothing of the report's text became anything but text.
async function checkInert(page) {
  assert.deepEqual(await page.evaluate(() => [document.scripts.length, window.harmed,
    document.querySelectorAll('img, iframe, object, main svg:not(.marks)').length]),
  [2, undefined, 0]);
}

// -------------------------------------------------------------------- the run

// The page of a report: its size, and the same as a specification and a picture.
async function make(name) {
  const { args, title = [], charts, heavy, saves } = reports[name];
  const html = await run(...args, ...title, '--format', 'html', '--quiet');
  fs.writeFileSync(path.join(folder, `${name}.html`), html);
  const vega = charts > 0 && !heavy && await run(...args, '--format', 'vega', '--quiet');
  const svg = vega && saves && await run(...args, '--format', 'svg', '--quiet');
  return { size: Buffer.byteLength(html), vega, svg };
}

// Screens take turns: a chart is drawn once, for a desk or for a phone.
const screens = [{ width: 1100, height: 900 }, { width: 360, height: 740 }];

async function check(page, trouble, name, size, screen) {
  const report = reports[name];
  const began = performance.now();
  assert.ok(size < MOST_BYTES, `${size} bytes`);
  await page.setViewportSize(screen);
  await page.goto(pathToFileURL(path.join(folder, `${name}.html`)).href);
  await page.waitForFunction(() => document.documentElement.dataset.drawn !== undefined);
  await page.evaluate(() => document.querySelectorAll('.more-charts').forEach((d) => { d.open = true; }));
  await page.waitForFunction(() => Number(document.documentElement.dataset.drawn)
    === document.querySelectorAll('figure[id^=chart-]').length);
  const drawn = performance.now();
  await checkCharts(page, report);
  if (!report.heavy) await checkAccess(page);
  await checkInert(page);
  await checkLayout(page);
  if (keep || screen === screens[0]) await checkColours(page, name);
  await checkRounding(page);
  if (report.saves) await checkSaving(page);
  await checkChoice(page);
  await checkSaved(page, report);
  await checkSorting(page, report.long ? 5000 : 500);
  await report.also?.(page, { assert, download, run });
  assert.deepEqual(trouble, []);
  console.log(`ok ${name}: ${report.charts} charts, ${Math.round(size / 1000)} kB, opened in`
    + ` ${Math.round(drawn - began)} ms, checked in ${Math.round(performance.now() - drawn)} ms`);
}

function watch(page, trouble) {
  page.on('console', (m) => { if (m.type() !== 'log') trouble.push(`${m.type()}: ${m.text()}`); });
  page.on('pageerror', (e) => trouble.push(`error: ${e.message}`));
  page.on('dialog', (d) => { trouble.push(`dialog: ${d.message()}`); d.dismiss(); });
  page.on('request', (r) => {
    if (!/^(file|data|blob):/.test(r.url())) trouble.push(`asked for ${r.url()}`);
  });
}

// One page for all; the tool makes the next report while this one is looked at.
async function checkAll(browser, names) {
  const context = await browser.newContext({ offline: true, acceptDownloads: true,
    viewport: { width: 1100, height: 900 }, colorScheme: 'light' });
  context.setDefaultTimeout(120000);
  const page = await context.newPage();
  const trouble = [];
  let failed = 0;
  const tell = (name, problem) => {
    failed++;
    console.log(`not ok ${name}: ${problem.message}`);
  };
  const beside = specifications(vegaModules), specified = [];
  watch(page, trouble);
  let next = make(names[0]);
  for (const [i, name] of names.entries()) {
    const made = next;
    next = made.then(() => (i + 1 < names.length ? make(names[i + 1]) : undefined), () => make(names[i + 1]));
    next.catch(() => {}); // told when its turn comes
    try {
      const { size, vega, svg } = await made;
      if (vega)
        specified.push(beside.check(vega, svg).catch((problem) => tell(`${name} as vega`, problem)));
      await check(page, trouble, name, size, screens[i % screens.length]);
    } catch (problem) {
      tell(name, problem);
    }
    trouble.length = 0;
  }
  await Promise.all(specified);
  await beside.end();
  return failed;
}

const browser = await chromium.launch({ executablePath: browserPath, args: ['--headless',
  '--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run',
  '--disable-background-networking', '--disable-component-update', '--disable-sync'] });
const names = Object.keys(reports).filter((name) => (only.length === 0
  ? !reports[name].large : only.includes(name) || (only.includes('large') && reports[name].large)));
let failed = 1;
try {
  if (!fs.existsSync(path.join(folder, 'hostile'))) await collections(folder, run, names);
  failed = await checkAll(browser, names);
} finally {
  await browser.close();
  if (scratch) fs.rmSync(scratch, { recursive: true });
}
process.exit(failed ? 1 : 0);
