// SPDX-License-Identifier: Apache-2.0
// The documents' site (tools/site.py) in a real browser: accessibility of every page, nothing wider
// than the screen, the search, and examples that run in the page.
//
// usage: node pages.mjs SITE BROWSER NODE_MODULES [KEEP [PAGE...]]
//
// KEEP: a folder for pictures of PAGEs (by default the first page), to be looked at.
import assert from 'node:assert/strict';
import fs from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';

import { openBrowser, serveFolder } from './site.mjs';

const [folder, browserPath, modules, keep, ...shown] = process.argv.slice(2);
const site = await serveFolder(path.resolve(folder));
const browser = await openBrowser(browserPath, modules);
const axe = fs.readFileSync(createRequire(`${path.resolve(modules)}/`).resolve('axe-core'), 'utf8');
const pages = fs.readdirSync(folder, { recursive: true })
  .filter((name) => name.endsWith('.html') && !name.startsWith('tool')).sort();
const VIEWS = [['desk-light', 1280, 900, 'light'], ['phone-dark', 390, 844, 'dark'],
  ['desk-dark', 1280, 900, 'dark'], ['phone-light', 390, 844, 'light']];

// What a new reader types, and the pages that answer it: one is among the first three.
const ASKED = [
  ['is B better than A', ['commands/compare.html', 'doc/choosing.html']],
  ['how sure is my F1', ['commands/prf.html', 'doc/methods/prf.html']],
  ['may we stop the review', ['commands/recall.html', 'doc/methods/stopping.html', 'doc/howto/systematic.html']],
  ['how many topics do I need', ['commands/plan-power.html', 'commands/plan-topics.html']],
  ['which documents should I judge', ['commands/next.html', 'commands/sample.html', 'commands/judge-new.html']],
  ['do assessors agree kappa', ['commands/agree.html']],
  ['confidence interval of AUC', ['commands/roc.html', 'doc/methods/scored.html']],
  ['did it get worse nightly', ['commands/watch.html', 'doc/gate.html', 'doc/methods/watch.html']],
  ['elusion test', ['doc/howto/elusion.html', 'commands/plan-elusion.html', 'commands/recall.html']],
  ['correct LLM labels', ['doc/howto/llm-labels.html', 'doc/methods/machine.html']],
  ['how many test items do I need for a gate', ['commands/plan-gate.html']],
  ['which of these LLMs do users prefer', ['commands/prefer.html']],
  ['is my classifier calibrated', ['commands/roc.html', 'commands/classify.html']],
  ['unjudged documents in pool unfair to new system', ['commands/pool.html']],
  ['install on Windows', ['doc/portability.html']],
  ['use in pytest', ['doc/howto/plugins.html']],
  ['--human-design', ['commands/eval.html', 'commands/compare.html']],
  ['iv_answer_recall', ['c/review.html']],
];

async function open([, width, height, colorScheme]) {
  const page = await (await browser.newContext({ colorScheme, viewport: { width, height } })).newPage();
  page.setDefaultTimeout(120000);
  page.problems = [];
  page.on('console', (m) => m.type() === 'error' && page.problems.push(m.text()));
  page.on('pageerror', (e) => page.problems.push(String(e)));
  return page;
}

/** What axe finds, and what is wider than the screen, of each page. */
async function look(view, names) {
  const page = await open(view), found = [];
  for (const name of names) {
    await page.goto(site.url + name);
    await page.evaluate(() => document.querySelectorAll('details').forEach((d) => { d.open = true; }));
    await page.evaluate(axe);
    const { violations } = await page.evaluate(() => globalThis.axe.run({ resultTypes: ['violations'] }));
    const wide = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
    if (wide > 0) found.push(`${name}: ${wide} px wider than the screen`);
    found.push(...violations.map((v) => `${name}: ${v.id}: ${v.nodes[0].html.slice(0, 200)}`));
  }
  assert.deepEqual(found, [], view[0]);
  assert.deepEqual(page.problems, []);
  await page.context().close();
}

async function searches() {
  const page = await open(VIEWS[0]);
  await page.goto(site.url);
  for (const [text, expected] of ASKED) {
    await page.keyboard.press('Escape');
    await page.fill('#search', text);
    await page.waitForFunction(() => !document.querySelector('#found').hidden);
    await page.waitForTimeout(50);
    const found = await page.locator('#found a').evaluateAll((all) =>
      all.map((a) => new URL(a.href).pathname.slice(1)).slice(0, 3));
    assert.ok(found.some((name) => expected.includes(name)), `"${text}" finds ${found}`);
  }
  await page.context().close();
}

/** Runs every example of a page; those with an output print it again. */
async function examples(name) {
  const page = await open(VIEWS[0]);
  await page.goto(site.url + name);
  const count = await page.locator('[data-run]').count();
  for (let i = 0; i < count; i++) {
    const figure = page.locator('[data-run]').nth(i);
    await figure.locator('button').click();
    await figure.locator('button:text-is("Run again")').waitFor();
    const [line, ...before] = (await figure.locator('pre').first().innerText()).trimEnd().split('\n');
    const after = (await figure.locator('pre').last().innerText()).trimEnd();
    assert.ok(!/^This could not|^intervale: /m.test(after), `${name}: ${line}: ${after}`);
    if (before.length > 0 && !before.includes('...'))
      assert.equal(after, before.join('\n').trim(), `${name}: ${line}`);
  }
  assert.deepEqual(page.problems, []);
  await page.context().close();
  return count;
}

async function pictures(names) {
  fs.mkdirSync(keep, { recursive: true });
  for (const view of VIEWS) {
    const page = await open(view);
    for (const name of names) {
      await page.goto(site.url + name);
      await page.screenshot({ path: path.join(keep, `${name.replaceAll(/\W/g, '-')}-${view[0]}.png`) });
    }
    await page.context().close();
  }
}

if (keep) await pictures(shown.length > 0 ? shown : ['index.html']);
await searches();
let run = 0;
for (const name of ['index.html', 'start.html', 'commands/compare.html', 'commands/recall.html', 'commands/plan-recall.html'])
  run += await examples(name);
assert.ok(run >= 20, `only ${run} examples ran`);
for (const view of VIEWS.slice(0, 2)) await look(view, pages);
for (const view of VIEWS.slice(2)) await look(view, ['index.html', 'commands/eval.html', 'c/stat.html', 'doc/gate.html']);
console.log(`${pages.length} pages, ${ASKED.length} searches, ${run} examples`);
await browser.close();
site.close();
