// SPDX-License-Identifier: Apache-2.0
// Opens every kind of report in a real browser with the network off.
//
// usage: node reports.mjs INTERVALE BROWSER NODE_MODULES VEGA_MODULES [KEEP [NAME...]]
//
// Reports are made by the tool in a folder of its own; KEEP: a folder to leave
// them and their pictures in, to be looked at; NAME: only these reports.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import { createRequire } from 'node:module';
import os from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';

import { collections, reports } from './cases.mjs';

const [tool, browserPath, modules, vegaModules, keep, ...only] = process.argv.slice(2);
const { chromium } = createRequire(`${path.resolve(modules)}/`)('playwright-core');
const vega = await import(pathToFileURL(path.join(path.resolve(vegaModules),
  'vega', 'build', 'vega.module.js')));
const vegaLite = await import(pathToFileURL(path.join(path.resolve(vegaModules),
  'vega-lite', 'build', 'index.js')));
const folder = keep ?? fs.mkdtempSync(path.join(os.tmpdir(), 'intervale-html-'));
fs.mkdirSync(folder, { recursive: true });
const MOST_BYTES = 5e6;

function run(...args) {
  const done = spawnSync(tool, args, { cwd: folder, encoding: 'utf8', maxBuffer: 1 << 28 });
  assert.equal(done.status, 0, `intervale ${args.join(' ')}: ${done.stderr}`);
  return done.stdout;
}

// What is drawn: shapes of data, not of axes and legends.
const countMarks = (chart) => chart.evaluate((element) => {
  const canvas = element.querySelector('canvas');
  if (canvas) {
    const { data } = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height);
    let inked = 0;
    for (let i = 0; i < data.length; i += 4)
      inked += data[i + 3] > 0 && data[i] + data[i + 1] + data[i + 2] < 700;
    return inked;
  }
  return element.querySelectorAll('.role-mark path[d], .role-mark line').length;
});

async function download(page, button) {
  const [saved] = await Promise.all([page.waitForEvent('download'), button.click()]);
  return { name: saved.suggestedFilename(), bytes: fs.readFileSync(await saved.path()) };
}

// ---------------------------------------------------------------- the checks

async function checkCharts(page, report) {
  const charts = await page.locator('.chart').all();
  assert.equal(charts.length, report.charts, 'how many charts');
  for (const [i, chart] of charts.entries()) {
    const marks = await countMarks(chart);
    assert.ok(marks >= (report.marks?.[i] ?? 1), `chart ${i} has ${marks} marks`);
    assert.ok(await chart.getAttribute('aria-label'), `chart ${i} says nothing to a reader`);
  }
}

async function checkSaving(page, report) {
  if (report.charts === 0) return;
  const tools = page.locator('.tools').first();
  const svg = await download(page, tools.getByText('Save SVG'));
  assert.match(svg.bytes.toString('utf8'), /^<svg /);
  const png = await download(page, tools.getByText('Save PNG'));
  assert.equal(png.bytes.subarray(1, 4).toString('latin1'), 'PNG');
  const spec = await download(page, tools.getByText('Save Vega-Lite'));
  assert.ok(JSON.parse(spec.bytes).layer.length > 0);
}

async function checkChoice(page) {
  const select = page.locator('.chart select').first();
  if (await select.count() === 0) return;
  const chart = page.locator('.chart', { has: page.locator('select') }).first();
  const before = await chart.locator('svg').innerHTML();
  await select.selectOption({ index: 1 });
  await page.waitForFunction(([html]) => ![...document.querySelectorAll('.chart svg')]
    .some((svg) => svg.innerHTML === html), [before]);
  assert.ok(await countMarks(chart) > 0, 'nothing on the second page');
}

// The table of the page against the tool's own csv, and sorted by a number.
async function checkTables(page, report) {
  const sections = await page.locator('section.table').all();
  assert.ok(sections.length > 0);
  for (const [i, section] of sections.entries()) {
    const name = await section.locator('h3').textContent();
    await section.evaluate((e) => e.querySelectorAll('details').forEach((d) => { d.open = true; }));
    const csv = await download(page, section.locator('.csv'));
    if (!report.own?.includes(name) && (i === 0 || !report.heavy)) {
      const expected = run(...report.args, '--format', 'csv', '--table', name, '--quiet');
      assert.equal(csv.bytes.toString('utf8'), expected, `table ${name} saved`);
    }
    const heads = await section.locator('th').all();
    const numbers = await section.locator('th.n').count();
    if (numbers === 0) continue;
    const at = await section.locator('th').evaluateAll((all) =>
      all.findLastIndex((th) => th.className === 'n'));
    for (const direction of ['descending', 'ascending']) {
      await heads[at].locator('button').click();
      assert.equal(await heads[at].getAttribute('aria-sort'), direction);
      const shown = (await section.locator(`tbody td:nth-child(${at + 1})`).allTextContents())
        .filter((text) => text !== '–').map(Number);
      const sorted = [...shown].sort((a, b) => (direction === 'ascending' ? a - b : b - a));
      assert.deepEqual(shown, sorted, `table ${name} sorted ${direction}`);
    }
    if (await section.locator('.more button').isVisible()) {
      const rows = csv.bytes.toString('utf8').split('\n').length - 2;
      await section.locator('.more button').click();
      assert.equal(await section.locator('tbody tr').count(), Math.min(rows, 1200),
        `table ${name} shows more`);
    }
  }
}

// Rows that the script writes are those that stood there before it.
async function checkRounding(page) {
  const same = await page.evaluate(() => {
    const texts = (body) => [...body.rows].map((row) => [...row.cells].map((c) => c.textContent));
    const differing = [];
    document.querySelectorAll('section.table').forEach((section) => {
      const body = section.querySelector('tbody');
      const before = texts(body).map((row) => row.join('|')).sort();
      const head = section.querySelector('th button');
      if (section.querySelector('.more')) return; // other rows would be shown
      head.click();
      const after = texts(body).map((row) => row.join('|')).sort();
      before.forEach((row, i) => { if (row !== after[i]) differing.push([row, after[i]]); });
    });
    return differing;
  });
  assert.deepEqual(same, []);
}

async function checkLayout(page, name) {
  const wide = () => page.evaluate(() =>
    document.documentElement.scrollWidth - document.documentElement.clientWidth);
  const paper = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
  await page.setViewportSize({ width: 360, height: 740 });
  await page.waitForTimeout(50);
  assert.ok(await wide() <= 0, 'wider than a phone');
  if (keep) await page.screenshot({ path: path.join(keep, `${name}.phone.png`), fullPage: true });
  await page.setViewportSize({ width: 1100, height: 900 });
  await page.emulateMedia({ colorScheme: 'dark' });
  const dark = await paper();
  if (keep) await page.screenshot({ path: path.join(keep, `${name}.dark.png`), fullPage: true });
  await page.emulateMedia({ colorScheme: 'dark', media: 'print' });
  const printed = await paper();
  assert.equal(await page.locator('.tools:visible').count(), 0, 'buttons on paper');
  if (keep) await page.screenshot({ path: path.join(keep, `${name}.print.png`), fullPage: true });
  await page.emulateMedia({ colorScheme: 'light', media: 'screen' });
  const light = await paper();
  if (keep) await page.screenshot({ path: path.join(keep, `${name}.png`), fullPage: true });
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

// The specification alone compiles without a warning and draws something.
async function checkSpecification(report) {
  if (report.charts === 0) return;
  const spec = JSON.parse(run(...report.args, '--format', 'vega', '--quiet'));
  const warnings = [];
  const say = (...args) => { warnings.push(args.join(' ')); return logger; };
  const logger = { level: () => logger, error: say, warn: say, info: () => logger,
    debug: () => logger };
  const compiled = vegaLite.compile(spec, { logger }).spec;
  const view = new vega.View(vega.parse(compiled), { renderer: 'none', logger });
  const svg = await view.toSVG();
  assert.deepEqual(warnings, []);
  assert.match(svg, /class="mark-(symbol|rule|rect|line|area)[^"]*role-mark/);
}

// -------------------------------------------------------------------- the run

async function open(browser, name) {
  const context = await browser.newContext({ offline: true, acceptDownloads: true,
    viewport: { width: 1100, height: 900 }, colorScheme: 'light' });
  const page = await context.newPage();
  const trouble = [];
  page.on('console', (m) => { if (m.type() !== 'log') trouble.push(`${m.type()}: ${m.text()}`); });
  page.on('pageerror', (e) => trouble.push(`error: ${e.message}`));
  page.on('dialog', (d) => { trouble.push(`dialog: ${d.message()}`); d.dismiss(); });
  page.on('request', (r) => {
    if (!/^(file|data|blob):/.test(r.url())) trouble.push(`asked for ${r.url()}`);
  });
  await page.goto(pathToFileURL(path.join(folder, `${name}.html`)).href);
  await page.waitForFunction(() => document.documentElement.dataset.drawn !== undefined,
    null, { timeout: 60000 });
  return { context, page, trouble };
}

async function check(browser, name, report) {
  const began = performance.now();
  const html = run(...report.args, '--format', 'html', '--quiet');
  fs.writeFileSync(path.join(folder, `${name}.html`), html);
  assert.ok(Buffer.byteLength(html) < MOST_BYTES, `${Buffer.byteLength(html)} bytes`);
  const { context, page, trouble } = await open(browser, name);
  const drawn = performance.now();
  await checkCharts(page, report);
  await checkInert(page);
  await checkRounding(page);
  await checkLayout(page, name);
  await checkSaving(page, report);
  await checkChoice(page);
  await checkTables(page, report);
  await report.also?.(page, { assert, download, run });
  if (!report.heavy) await checkSpecification(report);
  assert.deepEqual(trouble, []);
  await context.close();
  console.log(`ok ${name}: ${report.charts} charts, ${Math.round(Buffer.byteLength(html) / 1000)}`
    + ` kB, opened in ${Math.round(drawn - began)} ms, checked in`
    + ` ${Math.round(performance.now() - drawn)} ms`);
}

const browser = await chromium.launch({ executablePath: browserPath, args: ['--headless',
  '--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run',
  '--disable-background-networking', '--disable-component-update', '--disable-sync'] });
let failed = 0;
try {
  if (!fs.existsSync(path.join(folder, 'hostile'))) collections(folder, run);
  for (const [name, report] of Object.entries(reports)) {
    if (only.length > 0 && !only.includes(name)) continue;
    try {
      await check(browser, name, report);
    } catch (problem) {
      failed++;
      console.log(`not ok ${name}: ${problem.message}`);
    }
  }
} finally {
  await browser.close();
  if (!keep) fs.rmSync(folder, { recursive: true });
}
process.exit(failed ? 1 : 0);
