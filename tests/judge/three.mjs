// SPDX-License-Identifier: Apache-2.0
// Three assessors judge from three browsers while the server is killed, networks fail and pages are
// closed: nothing is lost or doubled, kappa is that of `agree`, and nobody who left holds anything
// for longer than the hold.
//
// usage: node three.mjs INTERVALE BROWSER NODE_MODULES DOCUMENTS
import assert from 'node:assert/strict';
import fs from 'node:fs';
import { createRequire } from 'node:module';
import os from 'node:os';
import path from 'node:path';

import { Session, openPage, patience, ready, saved } from './session.mjs';

const [tool, browserPath, modules, documents] = process.argv.slice(2);
const { chromium } = createRequire(`${path.resolve(modules)}/`)('playwright-core');
const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'intervale-three-'));
const count = Number(documents);
const HOLD = 10; // seconds; 120 unless told
const NAMES = ['anna', 'ben', 'carla'];

// Each is of an opinion that can be computed: mostly the same.
const opinion = (name, k) => {
  const n = [...name].reduce((sum, c) => (31 * sum + c.charCodeAt(0)) % 1009, 7);
  return (n + (n % 7 === k ? 1 : 0)) % 2;
};

async function makeSession() {
  const s = new Session(path.resolve(tool), folder, 'three');
  const ids = Array.from({ length: count }, (_, i) => `d${i}`);
  fs.writeFileSync(path.join(folder, 'refs.csv'), `record_id,title,abstract\n${ids.map((d) =>
    `${d},Title number ${d} of the review,We looked at ${d}.`).join('\n')}\n`);
  await s.run('judge', 'new', s.file, '--queue', 'refs.csv', '--assessors', NAMES.join(','), '--overlap', '0.3');
  return s;
}

const pressed = new Set();
const done = (page) => page.locator('#view-done').isVisible();

// Judges until nothing is left, or `most` documents.
async function judge(page, k, most) {
  for (let n = 0; n < most; n++) {
    await page.waitForFunction(() => !document.getElementById('view-done').hidden
      || (!document.getElementById('docno').textContent.includes('Loading')
        && document.querySelector('#grades button')?.disabled === false), null, { timeout: patience });
    if (await done(page)) return false;
    const name = await page.locator('#docno').textContent();
    await page.keyboard.press(String(opinion(name, k)));
    pressed.add(`${name} ${NAMES[k]}`);
    await page.waitForFunction((old) => !document.getElementById('view-done').hidden
      || document.getElementById('docno').textContent !== old, name, { timeout: patience });
  }
  return true;
}

// A network that fails for a moment while the assessor goes on.
async function disconnected(page, k) {
  await page.context().setOffline(true);
  await judge(page, k, 1); // what was fetched before
  await page.context().setOffline(false);
}

const held = async (s, key) => JSON.parse((await s.ask('GET', '/api/overview', { Authorization: key })).text).held;

const browsers = await Promise.all(NAMES.map(() => chromium.launch({ executablePath: browserPath,
  args: ['--headless', '--no-sandbox', '--disable-gpu', '--no-first-run', '--disable-background-networking'] })));
const s = await makeSession();
try {
  await s.serve('--hold', String(HOLD));
  const pages = await Promise.all(NAMES.map((name, k) => openPage(browsers[k], s.links[name])));
  const part = Math.ceil(count / 12);
  for (let round = 0; round < 2; round++) {
    await Promise.all(pages.map((page, k) => judge(page, k, part)));
    await disconnected(pages[round], round);
    const work = pages.map((page, k) => judge(page, k, part)); // ... and the server dies meanwhile
    await new Promise((go) => { setTimeout(go, 300); });
    await s.end('SIGKILL');
    await new Promise((go) => { setTimeout(go, 500); });
    await s.serve('--hold', String(HOLD));
    await Promise.all(work);
  }
  // Carla leaves with two documents on her screen: they are free when the hold has ended.
  await ready(pages[2]).catch(() => {});
  await saved(pages[2]); // what a browser has not sent goes with a context that is closed
  const left = await s.enter(s.owner);
  await pages[2].context().close();
  const began = performance.now();
  while ((await held(s, left)).some((h) => h.name === 'carla')) {
    assert.ok(performance.now() - began < 1000 * (HOLD + 5), 'held after leaving');
    await new Promise((go) => { setTimeout(go, 500); });
  }
  for (let more = true; more;)
    more = (await Promise.all([0, 1].map((k) => judge(pages[k], k, count)))).some(Boolean);
  await Promise.all([0, 1].map((k) => saved(pages[k])));
  await s.end();

  await s.run('judge', 'check', s.file);
  const qrels = (await s.run('judge', 'export', s.file, '--as', 'qrels')).trim().split('\n');
  assert.equal(qrels.length, count, 'the export is not complete');
  const labels = (await s.run('judge', 'export', s.file, '--as', 'labels')).trim().split('\n').slice(1).map((l) => l.split(','));
  assert.equal(new Set(labels.map((l) => `${l[4]} ${l[1]}`)).size, labels.length, 'doubled');
  // After a kill two may have judged what was on their screens: more than asked, and all kept.
  assert.deepEqual(labels.map((l) => `${l[4]} ${l[1]}`).sort(), [...pressed].sort(), 'lost');
  assert.ok(labels.length >= count + Math.round(0.3 * count));
  for (const [, who, grade, , name] of labels) assert.equal(Number(grade), opinion(name, NAMES.indexOf(who)), `${who} ${name}`);

  // The kappas of status are those of agree, to the last digit.
  const tables = (text) => Object.fromEntries(JSON.parse(text).tables.map((t) => [t.name, t.rows]));
  const status = tables(await s.run('judge', 'status', s.file, '--format', 'json')).agreement;
  let compared = 0;
  for (const pair of status) {
    if (pair.kappa === null) continue;
    const of = (who) => labels.filter((l) => l[1] === who).map((l) => `review 0 ${l[4]} ${l[2]}`).join('\n');
    fs.writeFileSync(path.join(folder, 'a.qrels'), `${of(pair.a)}\n`);
    fs.writeFileSync(path.join(folder, 'b.qrels'), `${of(pair.b)}\n`);
    const rows = Object.values(tables(await s.run('agree', 'a.qrels', 'b.qrels', '--format', 'json'))).flat();
    const kappa = rows.find((r) => Object.values(r).includes('kappa')) ?? rows.find((r) => r.kappa !== undefined);
    const values = Object.values(kappa).filter((v) => typeof v === 'number');
    for (const v of [pair.kappa, pair.kappa_lower, pair.kappa_upper])
      assert.ok(v === null || values.some((w) => Math.abs(w - v) < 1e-12), `${pair.a}, ${pair.b}: ${v} is not of agree: ${values}`);
    compared++;
  }
  assert.ok(compared > 0, 'no kappa was compared');
  console.log(`ok ${count} documents, ${labels.length} judgments, ${compared} kappas`);
} finally {
  s.server?.kill('SIGKILL');
  await Promise.all(browsers.map((b) => b.close()));
  fs.rmSync(folder, { recursive: true });
}
