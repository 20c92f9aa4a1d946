// SPDX-License-Identifier: Apache-2.0
// A day of screening: reasons by one key, words of one's own, links, lists, the flow diagram, and
// disagreements without scrolling.
import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';

import { Session, openPage, ready, saved, shows } from './session.mjs';

const RECORDS = 9;

function references() {
  return Array.from({ length: RECORDS }, (_, i) => `TY  - JOUR\nID  - r${i}\nTI  - Study number ${i} of the ward\n`
    + `AB  - A randomised trial of aspirin. ${'Nothing else was measured in it. '.repeat(30)} An editorial said so.\n`
    + (i === 0 ? 'JO  - Annals of Wards\nDO  - https://doi.org/10.1000/ABC.0\nUR  - https://example.org/full\n' : '')
    + (i === 1 ? 'UR  - javascript:alert(1)\n' : '') + 'ER  - \n').join('\n');
}

async function makeReview(tool, folder) {
  const s = new Session(tool, folder, 'screening');
  fs.writeFileSync(path.join(folder, 'refs.ris'), references());
  fs.writeFileSync(path.join(folder, 'guide.md'), '# Include\n\nTrials of **aspirin**, `n > 10`:\n\n- adults\n- wards\n\n'
    + '1. see [the protocol](https://example.org/p)\n2. <b>plain</b>\n\n' + 'A long rule about what counts.\n\n'.repeat(40));
  for (const end of ['', '-wal', '-shm']) fs.rmSync(s.file + end, { force: true });
  await s.run('judge', 'new', s.file, '--queue', 'refs.ris', '--guidelines', 'guide.md', '--assessors', 'anna,ben',
    '--overlap', '1', '--tags', 'wrong-design=0,privileged');
  await assert.rejects(s.run('judge', 'new', 'no.db', '--queue', 'refs.ris', '--tags', 'odd=7'), /one of the grades/);
  return s;
}

async function press(page, key) {
  const before = await ready(page);
  await page.keyboard.press(key);
  return before;
}

// One key gives a reason and its grade; another marks and does not judge.
async function reasonsByOneKey(page) {
  const first = await press(page, 'w'); // wrong-design
  assert.notEqual(await ready(page, first), first);
  await page.keyboard.press('p'); // privileged
  assert.equal(await page.locator('#note').inputValue(), '#privileged');
  assert.equal(await page.locator('#reasons [data-act="tag:privileged"]').getAttribute('aria-pressed'), 'true');
  const second = await press(page, '1');
  await ready(page, second);
  await saved(page);
  await page.click('#views a[href="#list"]');
  for (const [choice, names] of [['tag:wrong-design', [first]], ['tag:privileged', [second]], ['grade:1', [second]],
    ['grade:0', [first]], ['state:noted', [first, second]]]) {
    await page.selectOption('#list-state', choice);
    await page.waitForFunction((n) => document.querySelectorAll('#list tbody tr').length === n, names.length);
    const rows = await page.locator('#list tbody tr td:first-child').allTextContents();
    assert.deepEqual(rows.map((r) => r.split(' ')[0]), names, choice);
  }
  await page.click('#views a[href="#judge"]');
  await ready(page);
}

async function wordsOfOnesOwn(page) {
  await page.click('#settings-open');
  await page.fill('#set-include', 'aspirin, random*');
  await page.fill('#set-exclude', 'editorial');
  await page.click('#settings button[value="close"]');
  await page.waitForSelector('mark.against');
  assert.deepEqual(await page.locator('#text mark.for').allTextContents(), ['randomised', 'aspirin']);
  assert.deepEqual(await page.locator('#text mark.against').allTextContents(), ['editorial']);
  await page.reload(); // the server keeps them
  await ready(page);
  assert.equal(await page.locator('#text mark.for').count(), 2);
}

async function seesRecordAndGuidelines(page) {
  const name = await ready(page);
  assert.equal(name, 'r0');
  assert.match(await page.locator('#published').textContent(), /^Annals of Wards/);
  assert.deepEqual(await page.locator('#published a').evaluateAll((all) => all.map((a) => [a.href, a.rel])),
    [['https://doi.org/10.1000/abc.0', 'noopener noreferrer'], ['https://example.org/full', 'noopener noreferrer']]);
  const guide = page.locator('#guidelines-text');
  assert.equal(await guide.locator('h2').textContent(), 'Include');
  assert.equal(await guide.locator('strong').textContent(), 'aspirin');
  assert.equal(await guide.locator('code').textContent(), 'n > 10');
  assert.deepEqual(await guide.locator('ul li').allTextContents(), ['adults', 'wards']);
  assert.deepEqual(await guide.locator('ol li').allTextContents(), ['see the protocol', '<b>plain</b>']);
}

// Ben contradicts; anna, the owner, sees both grades on a desk without scrolling, and the diagram.
async function disagreements(browser, s, owner, check) {
  const ben = await openPage(browser, s.links.ben);
  for (let i = 0, last = ''; i < RECORDS; i++) {
    last = await ready(ben, last);
    await ben.keyboard.press(i < 2 ? '1' : '0');
  }
  await saved(ben);
  await owner.setViewportSize({ width: 1280, height: 800 });
  await owner.click('#views a[href="#adjudicate"]');
  await owner.waitForSelector('#others:visible');
  const seen = await owner.locator('#others-list').boundingBox();
  const grades = await owner.locator('#grades').boundingBox();
  assert.ok(seen.y >= 0 && seen.y + seen.height <= grades.y && grades.y + grades.height <= 800, JSON.stringify([seen, grades]));
  await check(owner, 'screening-adjudicate', true);
  await owner.click('#views a[href="#list"]');
  await owner.selectOption('#list-state', 'state:conflict');
  await owner.waitForFunction(() => document.querySelectorAll('#list tbody tr').length === 2); // two words on it
  await owner.click('#views a[href="#overview"]');
  await owner.waitForSelector('#o-flow svg');
  const lines = await owner.locator('#o-flow text').allTextContents();
  for (const line of [`Records identified (n = ${RECORDS})`, `Records screened (n = ${RECORDS})`, 'Records included (n = 1)',
    'Disagreement, not decided (n = 1)', `Judged by one of two assessors (n = ${RECORDS - 2})`])
    assert.ok(lines.includes(line), `${line}: ${lines}`);
  const down = owner.waitForEvent('download');
  await owner.click('#o-flow-save');
  const svg = fs.readFileSync(await (await down).path(), 'utf8');
  assert.match(svg, /^<svg xmlns="http:\/\/www.w3.org\/2000\/svg"[^]*Records identified \(n = 9\)/);
  await check(owner, 'overview-screening', true);
  return ben;
}

async function linksAreKept(s, browser) {
  const { ben, anna } = s.links;
  await s.end();
  await s.serveAgain();
  assert.notEqual(s.links.anna, anna);
  assert.equal(s.links.ben.split('#t=')[1], ben.split('#t=')[1]);
  const page = await openPage(browser, s.links.ben);
  await shows(page, '#where', 'ben');
}

export async function screening(browser, tool, folder, check) {
  const s = await makeReview(tool, folder);
  await s.serve();
  const page = await openPage(browser, s.owner);
  await seesRecordAndGuidelines(page);
  await wordsOfOnesOwn(page);
  await check(page, 'screening-desk', true);
  await reasonsByOneKey(page);
  const ben = await disagreements(browser, s, page, check);
  await page.setViewportSize({ width: 360, height: 740 });
  await page.click('#views a[href="#judge"]');
  await ready(page);
  await check(page, 'screening-phone', true);
  const axes = await ben.locator('#curve text').allTextContents(); // the assessor's chart, if shown
  assert.ok(axes.length === 0 || axes.includes('relevant'), axes);
  const stranger = await openPage(browser, s.base);
  await shows(stranger, '#view-login', 'Session: screening.db');
  assert.deepEqual([...page.trouble, ...ben.trouble].filter((t) => !/401/.test(t)), []);
  await linksAreKept(s, browser);
  await s.end();
}
