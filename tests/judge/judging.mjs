// SPDX-License-Identifier: Apache-2.0
// The judging page in a real browser, from a design to what eval says of it.
//
// usage: node judging.mjs INTERVALE BROWSER NODE_MODULES [KEEP [NAME...]]
//
// KEEP: a folder to leave sessions and pictures in; NAME: only these tests.
import assert from 'node:assert/strict';
import fs from 'node:fs';
import { createRequire } from 'node:module';
import os from 'node:os';
import path from 'node:path';

import { Session, docno, openPage, patience, ready, saved, shows } from './session.mjs';
import { screening } from './screening.mjs';
import { security } from './security.mjs';

const [toolPath, browserPath, modules, keep, ...only] = process.argv.slice(2);
const tool = path.resolve(toolPath);
const require = createRequire(`${path.resolve(modules)}/`);
const { chromium } = require('playwright-core');
const axe = fs.readFileSync(require.resolve('axe-core/axe.min.js'), 'utf8');
const scratch = keep ? null : fs.mkdtempSync(path.join(os.tmpdir(), 'intervale-judge-'));
const folder = scratch ?? path.resolve(keep);
fs.mkdirSync(folder, { recursive: true });

// ------------------------------------------------------------- a collection --

const HOSTILE = '<script>window.harmed = 1</script></textarea><img src=x onerror="window.harmed = 1">'
  + ' {{7*7}} \u202egnp.exe\u202c \u0007 crime </pre><iframe srcdoc="<b>"></iframe>';
const TOPICS = [['301', 'international organized crime'], ['302', 'poliomyelitis and post-polio']];

// What a document is worth, by its name: so that a file can be filled in without a browser.
const worth = (name) => [...name].reduce((sum, c) => (31 * sum + c.charCodeAt(0)) % 1009, 7) % 3;

async function collection(session) {
  const docs = Array.from({ length: 40 }, (_, i) => `doc${String(i).padStart(3, '0')}`);
  fs.writeFileSync(path.join(folder, 'corpus.jsonl'), docs.map((name, i) => JSON.stringify({ _id: name,
    title: `Document ${i} on crime`, text: i % 10 === 3 ? HOSTILE
      : `Organized crime was read of in report ${i}. ${'Nothing else of note happened in the town. '.repeat(20 + i)}` })).join('\n'));
  fs.writeFileSync(path.join(folder, 'queries.jsonl'),
    TOPICS.map(([_id, text]) => JSON.stringify({ _id, text })).join('\n'));
  fs.writeFileSync(path.join(folder, 'guidelines.md'), 'Relevant: it would be cited in a report.\n\n<b>Not</b> otherwise.\n');
  for (const [run, turn] of [['a', 0], ['b', 7]])
    fs.writeFileSync(path.join(folder, `run_${run}`), TOPICS.map(([t]) => docs.map((_, i) =>
      `${t} Q0 ${docs[(i + turn) % 40]} ${i + 1} ${100 - i} ${run}`).join('\n')).join('\n') + '\n');
  await session.run('sample', '--budget', '15', '--seed', '5', '-o', 'sample.prels', 'run_a', 'run_b');
}

async function makeSession(name, ...args) {
  const s = new Session(tool, folder, name);
  if (!fs.existsSync(path.join(folder, 'sample.prels'))) await collection(s);
  for (const end of ['', '-wal', '-shm']) fs.rmSync(s.file + end, { force: true });
  await s.run('judge', 'new', s.file, '--design', 'sample.prels', '--documents', 'corpus.jsonl',
    '--topics', 'queries.jsonl', '--guidelines', 'guidelines.md', '--grades', '0:not,1:partly,2:highly',
    '--assessors', 'anna,ben', ...args);
  return s;
}

async function press(page, key) {
  const before = await docno(page);
  await page.keyboard.press(key);
  return before;
}

// ------------------------------------------------------------------ the tests --

const tests = {
  // Thirty documents by keyboard alone; then what is exported equals the filled-in file, and
  // eval says the same of both.
  async thirty_documents_by_keyboard(browser) {
    const s = await makeSession('thirty');
    await s.serve();
    const page = await openPage(browser, s.owner);
    let count = 0;
    for (let name = await ready(page); ; ) {
      await press(page, String(worth(name)));
      count++;
      await page.waitForFunction((old) => !document.getElementById('view-done').hidden
        || (document.getElementById('docno').textContent !== old && document.querySelector('#grades button')?.disabled === false),
      name, { timeout: patience });
      if (await page.locator('#view-done').isVisible()) break;
      name = await docno(page);
    }
    await saved(page);
    assert.equal(count, 30);
    assert.ok(!page.url().includes('t='), 'the token stays in the address');
    assert.deepEqual(page.trouble, []);
    await s.end();
    await s.run('judge', 'export', s.file, '-o', 'exported.prels');
    const filled = fs.readFileSync(path.join(folder, 'sample.prels'), 'utf8').split('\n').map((line) => {
      const f = line.split(' ');
      if (line.startsWith('#') || f.length < 5) return line;
      f[2] = String(worth(f[1]));
      return f.join(' ');
    }).join('\n');
    fs.writeFileSync(path.join(folder, 'filled.prels'), filled);
    assert.equal(fs.readFileSync(path.join(folder, 'exported.prels'), 'utf8'), filled);
    assert.equal(await s.run('eval', 'exported.prels', 'run_a', '--format', 'tsv'),
      await s.run('eval', 'filled.prels', 'run_a', '--format', 'tsv'));
  },

  // A digit in a note is a digit; undo takes back; later and cannot judge are kept.
  async notes_undo_later_cannot(browser) {
    const s = await makeSession('acts');
    await s.serve();
    const page = await openPage(browser, s.owner);
    const first = await ready(page);
    await page.keyboard.press('n');
    await page.keyboard.type('012 x u l');
    assert.equal(await docno(page), first, 'a note judged the document');
    assert.equal(await page.locator('#note').inputValue(), '012 x u l');
    await page.keyboard.press('Escape');
    await page.keyboard.press('1');
    const second = await ready(page, first);
    await saved(page);
    await page.keyboard.press('u');
    assert.equal(await ready(page, second), first, 'undo shows it again');
    assert.equal(await page.locator('#grades .was').count(), 0);
    assert.equal(await page.locator('#note').inputValue(), '012 x u l');
    await saved(page);
    const { held } = JSON.parse((await s.ask('GET', '/api/overview', { Authorization: await s.enter(s.owner) })).text);
    assert.deepEqual(held.map((h) => [h.name, h.docno]), [['anna', first], ['anna', second]]);
    await page.keyboard.press('2');
    assert.equal(await ready(page, first), second);
    await page.keyboard.press('l');
    const third = await ready(page, second);
    await page.keyboard.press('x');
    await ready(page, third);
    await page.keyboard.down('0'); // a key that is held judges once
    for (let i = 0; i < 5; i++) await page.keyboard.down('0');
    await page.keyboard.up('0');
    await saved(page);
    await page.click('#views a[href="#list"]');
    await page.waitForSelector('#list tbody tr:nth-child(6)');
    const rows = await page.locator('#list tbody tr').allInnerTexts();
    assert.equal(rows.length, 6);
    const words = ['not (0)', 'cannot judge', 'later', 'highly (2)', 'undone', 'partly (1)'];
    words.forEach((word, i) => assert.ok(rows[i].includes(word), `${rows[i]}, expected ${word}`));
    assert.ok(rows[3].includes('012 x u l'));
    await page.selectOption('#list-state', 'state:later');
    await page.waitForFunction(() => document.querySelectorAll('#list tbody tr').length === 1);
    await page.locator('#list tbody button').click();
    assert.equal(await ready(page), second);
    assert.deepEqual(page.trouble, []);
    await s.end();
  },

  // The server dies between the key and the answer; what was judged waits and arrives once.
  async killed_between_key_and_answer(browser) {
    const s = await makeSession('killed');
    await s.serve();
    const page = await openPage(browser, s.owner);
    const names = [await ready(page)];
    await page.keyboard.press('2');
    names.push(await ready(page, names[0]));
    await saved(page);
    // The answer gets lost: the server has it, the page does not know.
    await page.route('**/api/judgments', async (route) => {
      await route.fetch().catch(() => {});
      await route.abort().catch(() => {}); // the page may be closed by now
    });
    await page.keyboard.press('1');
    names.push(await ready(page, names[1]));
    await page.waitForSelector('#saved.waiting');
    await s.end('SIGKILL');
    await page.keyboard.press('0'); // nobody is there
    await page.waitForFunction(() => Object.keys(localStorage).length === 2);
    const port = new URL(s.base).port;
    await page.close({ runBeforeUnload: false });
    await s.serve();
    assert.equal(new URL(s.base).port, port, 'another port has another outbox');
    const again = await page.context().newPage();
    await again.goto(s.owner); // another tab needs the link; what waits is the browser's
    await ready(again);
    await saved(again);
    await s.end('SIGKILL');
    await s.serve();
    await again.goto(s.base); // no link: in its tab the visit outlives the server
    await ready(again);
    const key = await s.enter(s.owner);
    const { items } = JSON.parse((await s.ask('GET', '/api/history', { Authorization: key })).text);
    assert.deepEqual(items.map((i) => [i.docno, i.grade]),
      [[names[2], 0], [names[1], 1], [names[0], 2]]);
    await s.end();
  },

  // What waits in a browser belongs to its session: another one at the same address and with the same
  // name of the file does not get it.
  async two_sessions_on_one_port(browser) {
    const first = await makeSession('one');
    const second = await makeSession('other', '--order', 'interleaved');
    fs.rmSync(path.join(folder, 'other'), { recursive: true, force: true }); // with what KEEP left there
    fs.mkdirSync(path.join(folder, 'other'));
    fs.renameSync(second.file, path.join(folder, 'other', 'one.db'));
    second.file = path.join(folder, 'other', 'one.db');
    await first.serve();
    const { port } = new URL(first.base);
    const page = await openPage(browser, first.owner);
    const name = await ready(page);
    await first.end('SIGKILL');
    await page.keyboard.press('2');
    await page.waitForSelector('#saved.waiting');
    const context = page.context();
    await page.close({ runBeforeUnload: false });
    const judged = async (s) => JSON.parse((await s.ask('GET', '/api/history',
      { Authorization: await s.enter(s.owner) })).text).items.map((i) => [i.docno, i.grade]);
    await second.serve('--port', port);
    const there = await context.newPage();
    await there.goto(second.owner);
    const seen = await ready(there);
    await there.keyboard.press('1');
    await ready(there, seen);
    await there.waitForFunction(() => document.getElementById('saved').textContent === 'saved');
    assert.deepEqual(await judged(second), [[seen, 1]], 'a judgment of another session');
    await there.close();
    await second.end('SIGKILL');
    await first.serve('--port', port);
    const back = await context.newPage();
    await back.goto(first.owner);
    await ready(back);
    await saved(back);
    assert.deepEqual(await judged(first), [[name, 2]]);
    await first.end();
  },

  // Whatever a document holds, a bounded part of it is put on the screen; the rest when it is asked for.
  async any_document_is_shown_in_bounded_work(browser) {
    const texts = { zero: '\u200b'.repeat(60000), mixed: 'a\u200b'.repeat(200000), word: 'x'.repeat(1000000),
      marked: 'crime '.repeat(150000), pairs: '\ud83d\ude00'.repeat(200000), long: 'A line of text.\n'.repeat(130000),
      accents: `a${'\u0301'.repeat(60000)}`, both: `a${'\u0301\u0302'.repeat(30000)}`, thai: '\u0e01\u0e02\u0e07'.repeat(30000) };
    const s = new Session(tool, folder, 'bounded');
    fs.writeFileSync(path.join(folder, 'bounded.jsonl'), Object.entries(texts).map(([_id, text]) => JSON.stringify({ _id, title: text, text })).join('\n'));
    fs.writeFileSync(path.join(folder, 'bounded.topics'), JSON.stringify({ _id: '1', text: `crime ${'\u200b'.repeat(60000)}` }));
    fs.writeFileSync(path.join(folder, 'bounded.run'), Object.keys(texts).map((d, i) => `1 Q0 ${d} ${i + 1} ${20 - i} r`).join('\n') + '\n');
    await s.run('judge', 'new', s.file, '--queue', 'bounded.run', '--documents', 'bounded.jsonl', '--topics', 'bounded.topics');
    await s.serve();
    const page = await openPage(browser, s.owner);
    const count = () => page.evaluate(() => {
      const all = document.createNodeIterator(document.getElementById('document'), NodeFilter.SHOW_ALL);
      let nodes = 0;
      while (all.nextNode()) nodes++;
      return [nodes, document.getElementById('document').textContent.length];
    });
    const last = Object.keys(texts).length - 1;
    for (let n = 0, name = await ready(page); n <= last; n++) {
      const [nodes, length] = await count();
      assert.ok(nodes < 10000 && length < 130000, `${name}: ${nodes} nodes, ${length} characters`);
      if (name === 'zero') assert.match(await page.locator('#text').textContent(), /^U\+200B × 60,000$/);
      if (name === 'accents') assert.match(await page.locator('#text').textContent(), /^aU\+0301 × 60,000$/);
      if (name === 'both') assert.match(await page.locator('#text').textContent(), /^a60,000 combining characters$/);
      assert.equal(await page.locator('#topic-text').textContent(), 'crime U+200B × 60,000');
      const longest = await page.evaluate(() => Math.max(...[...document.querySelectorAll('#text .piece')]
        .map((e) => Math.max(...e.textContent.split(/\s/).map((w) => w.length)))));
      assert.ok(longest < 2100 || name === 'mixed', `${name}: ${longest} characters without a blank in one block`);
      if (name === 'mixed' || name === 'word' || name === 'pairs') {
        await page.click('#rest-show');
        await page.waitForFunction((old) => document.getElementById('document').textContent.length > old, length);
        const [more, longer] = await count();
        assert.ok(more < nodes + 10000 && longer > length && longer < length + 130000, `${name}: ${more} nodes, ${longer} characters`);
      }
      if (name === 'long') { // more than the server sends at first: all of it comes, in order
        for (let k = 0; k < 40 && await page.locator('#rest').isVisible(); k++) {
          const before = (await count())[1];
          await page.click('#rest-show');
          await page.waitForFunction((old) => document.getElementById('document').textContent.length > old, before);
        }
        assert.equal((await page.locator('#text').textContent()).trim(), texts.long.trim());
      }
      await page.keyboard.press('1');
      if (n < last) name = await ready(page, name);
    }
    await saved(page);
    await page.click('#views a[href="#list"]');
    await page.waitForSelector(`#list tbody tr:nth-child(${last + 1})`);
    for (const row of await page.locator('#list tbody tr').allTextContents()) assert.ok(row.length < 2500, `${row.length} characters in a row`);
    assert.deepEqual(page.trouble, []);
    await s.end();
  },

  async two_assessors_at_once(browser) {
    const s = await makeSession('two', '--overlap', '1');
    await s.serve();
    const pages = [await openPage(browser, s.links.anna), await openPage(browser, s.links.ben)];
    const judged = pages.map(() => new Map());
    await Promise.all(pages.map(async (page, i) => {
      for (let n = 0, name = await ready(page); n < 12; n++) {
        judged[i].set(name, i === 0 ? worth(name) : (worth(name) + (n % 3 === 0)) % 3);
        await page.keyboard.press(String(judged[i].get(name)));
        if (n < 11) name = await ready(page, name);
      }
      await saved(page);
    }));
    const both = [...judged[0]].filter(([name]) => judged[1].has(name));
    const differ = both.filter(([name, g]) => judged[1].get(name) !== g);
    assert.ok(both.length >= 6, `${both.length} were judged by both`);
    const key = await s.enter(s.links.anna);
    const { counts } = JSON.parse((await s.ask('GET', '/api/overview', { Authorization: key })).text);
    assert.equal(counts.twice, both.length);
    assert.equal(counts.conflicts, differ.length);
    assert.equal(counts.judgments, 24);
    // An assessor neither sees the owner's numbers nor adjudicates.
    assert.equal(await pages[1].locator('#views a:visible').count(), 2);
    assert.deepEqual(pages[1].trouble, []);
    await pages[1].close(); // a new link ends its login, and it may just be asking for numbers
    const other = await s.enter((await newLink(s, key, 'ben')));
    assert.equal((await s.ask('GET', '/api/overview', { Authorization: other })).status, 403);
    assert.equal((await s.ask('GET', '/api/export', { Authorization: other })).status, 403);
    // The owner has the last word.
    await pages[0].click('#views a[href="#adjudicate"]');
    const name = await ready(pages[0]);
    assert.ok(differ.some(([d]) => d === name));
    assert.equal(await pages[0].locator('#others-list li').count(), 2);
    await picture(pages[0], 'adjudicate');
    await pages[0].keyboard.press('1');
    await saved(pages[0]);
    const left = JSON.parse((await s.ask('GET', '/api/overview', { Authorization: key })).text);
    assert.equal(left.counts.conflicts, differ.length - 1);
    assert.deepEqual(pages[0].trouble, []);
    await s.end();
  },

  // Who leaves holds nothing for long; the owner sees who holds what, and can end it.
  async documents_of_who_left_come_back(browser) {
    const s = await makeSession('left');
    await s.serve('--hold', '10');
    const ben = await openPage(browser, s.links.ben);
    await ready(ben);
    await ben.waitForTimeout(12000); // whoever reads is there: the page says so
    const page = await openPage(browser, s.owner);
    const held = page.locator('#o-holds tbody tr', { hasText: 'ben' });
    await ready(page);
    await page.click('#views a[href="#overview"]');
    await held.waitFor();
    assert.ok((await held.innerText()).includes(await docno(ben)));
    await picture(page, 'overview-held');
    await held.locator('button').click();
    await held.waitFor({ state: 'detached' });
    assert.match(await page.locator('#o-link').textContent(), /held by ben were released/);
    await ben.close();
    // A second visit of ben that sends nothing any more.
    const key = await s.enter(await newLink(s, await s.enter(s.owner), 'ben'));
    const next = async (not) => JSON.parse((await s.ask('GET', `/api/next?not=${not}`, { Authorization: key })).text).next;
    const one = await next(0);
    const two = await next(one.item);
    await page.click('#views a[href="#judge"]');
    for (let name = await ready(page), count = 1; ; count++) {
      await page.keyboard.press('0');
      await page.waitForFunction((old) => !document.getElementById('view-done').hidden
        || (document.getElementById('docno').textContent !== old && document.querySelector('#grades button')?.disabled === false),
      name, { timeout: patience });
      await next(0); // still there
      if (await page.locator('#view-done').isVisible()) {
        assert.equal(count, 28);
        break;
      }
      name = await docno(page);
    }
    assert.equal(await page.locator('#done-head').textContent(), '2 documents are held by ben');
    // They come by themselves when the hold has ended.
    const first = await ready(page);
    assert.ok([one.docno, two.docno].includes(first));
    await page.keyboard.press('0');
    await ready(page, first);
    await page.keyboard.press('0');
    await page.waitForFunction(() => document.getElementById('done-head').checkVisibility()
      && document.getElementById('done-head').textContent === 'Nothing is left for you to judge', null, { timeout: patience });
    assert.deepEqual(page.trouble, []);
    await s.end();
  },

  async revoking_asks_and_releases(browser) {
    const s = await makeSession('revoked');
    await s.serve();
    const ben = await openPage(browser, s.links.ben);
    await ready(ben);
    const page = await openPage(browser, s.owner);
    await ready(page);
    await page.click('#views a[href="#overview"]');
    const held = page.locator('#o-holds tbody tr', { hasText: 'ben' });
    await held.waitFor();
    assert.equal(await page.locator('#o-holds tbody tr').count(), 1, 'who looks at the overview holds documents');
    const revoke = page.locator('#o-assessors button[aria-label="Revoke: ben"]');
    // A dialog that text, role and keyboard find: it says what it asks, and its button what it does.
    const asks = page.getByRole('alertdialog', { name: 'Revoke ben\u2019s access?' });
    const yes = asks.getByRole('button', { name: 'Revoke ben\u2019s access', exact: true });
    for (const leave of [() => page.click('#revoke-no'), () => page.keyboard.press('Escape')]) {
      await revoke.focus();
      await page.keyboard.press('Enter');
      assert.match(await asks.textContent(), new RegExp(`2 documents held by ben will be released: ${await docno(ben)}, `));
      assert.equal(await yes.evaluate((b) => b === document.activeElement), true, 'the focus is elsewhere');
      await leave();
      await asks.waitFor({ state: 'hidden' });
      assert.equal(await held.count(), 1, 'leaving the dialog revoked');
    }
    await revoke.click();
    await yes.waitFor();
    await page.keyboard.press('Enter');
    await held.waitFor({ state: 'detached' });
    assert.match(await page.locator('#o-assessors').textContent(), /ben \(revoked\)/);
    assert.equal(await page.locator('#o-link').textContent(), 'ben cannot judge any more. The documents held by ben were released.');
    assert.deepEqual(page.trouble, []);
    await s.end();
  },

  // An answer that was under way when a document was put off does not bring it back.
  async put_off_does_not_come_back_at_once(browser) {
    const s = await makeSession('later');
    await s.serve();
    const page = await openPage(browser, s.owner);
    await ready(page);
    let asked = 0, answer, store;
    const answered = new Promise((go) => { answer = go; });
    const stored = new Promise((go) => { store = go; });
    await page.route('**/api/next*', async (route) => { if (++asked === 2) await answered; await route.continue(); });
    await page.route('**/api/judgments', async (route) => { await stored; await route.continue(); });
    await page.reload();
    const first = await ready(page);
    while (asked < 2) await new Promise((go) => setTimeout(go, 20));
    await page.keyboard.press('l'); // the server does not know yet
    const third = page.waitForResponse((r) => r.url().includes('/api/next') && asked === 3);
    answer();
    const second = await ready(page, first);
    await third;
    await page.keyboard.press('2');
    store();
    assert.notEqual(await ready(page, second), first);
    await saved(page);
    await s.end();
  },

  // The same count wherever it stands, "cannot judge" included, and counts without decimals.
  async counters_agree(browser) {
    const s = await makeSession('counters', '--overlap', '1');
    await s.serve();
    const page = await openPage(browser, s.owner);
    for (const key of ['l', '2', 'x']) {
      const name = await ready(page);
      await page.keyboard.press(key);
      await ready(page, name);
    }
    await saved(page);
    await page.waitForFunction(() => document.getElementById('progress-text').textContent
      === '2 of 30 documents judged, 2 by you. 58 judgments left (some documents need more than one).');
    const where = () => page.locator('#where').textContent();
    assert.match(await where(), /^topic 30[12] · 2 judged by anna$/);
    assert.doesNotMatch(await page.locator('#panel').textContent(), /documents\D+\d+\.\d/);
    await page.click('#views a[href="#overview"]');
    await page.waitForSelector('#o-agree-text:not(:empty)');
    assert.equal(await where(), '2 judged by anna');
    const tiles = Object.fromEntries((await page.locator('#tiles div').allInnerTexts()).map((t) => t.split('\n')));
    assert.equal(tiles.judged, '2 of 30');
    assert.deepEqual([tiles['judgments left'], tiles.later, tiles['cannot judge']], ['58', '1', '1']);
    const cells = await page.locator('#o-assessors tbody tr').first().locator('td').allInnerTexts();
    assert.deepEqual([cells[1], cells[3], cells[4]], ['2', '1', '1'], 'of the only one who judged');
    const topics = await page.locator('#o-topics tbody tr td:nth-child(3)').allInnerTexts();
    assert.equal(topics.reduce((sum, n) => sum + Number(n), 0), 2);
    // Two judgments say nothing about the time left, neither here nor in the tool.
    assert.equal(tiles['time left'], '–');
    assert.doesNotMatch(await s.run('judge', 'status', s.file), /minute/);
    const { tables } = JSON.parse(await s.run('judge', 'status', s.file, '--format', 'json'));
    assert.equal(tables.find((t) => t.name === 'topics').rows.reduce((sum, t) => sum + t.judged, 0), 2);
    assert.deepEqual(await page.locator('#o-as option').allInnerTexts(),
      ['prels (the completed sample)', 'qrels (grades)', 'log (judgments in order)', 'labels (of each assessor)'], 'what a sample can be written as');
    await page.click('#o-export button');
    await shows(page, '#o-export-said', '^Not saved: 28 of 30 documents are not judged\\. To save anyway, tick .export even if');
    // Ten do, and both say the same.
    await page.click('#views a[href="#judge"]');
    for (let i = 0; i < 8; i++) {
      const name = await ready(page);
      await page.keyboard.press('0');
      await ready(page, name);
    }
    await saved(page);
    await page.click('#views a[href="#overview"]');
    await page.waitForFunction(() => document.getElementById('tiles').innerText.includes('10 of 30'), null, { timeout: patience });
    assert.equal(await page.locator('#o-export-said').textContent(), '', 'what was said of fewer');
    const status = await s.run('judge', 'status', s.file);
    const minutes = /less than a minute/.test(status) ? '< 1 min' : `${/about (\d+) minute/.exec(status)[1]} min`;
    assert.match(await page.locator('#tiles').innerText(), new RegExp(`time left\\s+${minutes}`));
    assert.deepEqual(page.trouble.filter((t) => !t.includes('409')), []);
    // Who has judged less sees how much, beside the count of all.
    const ben = await openPage(browser, s.links.ben);
    const first = await ready(ben);
    await ben.keyboard.press('0');
    await ready(ben, first);
    await shows(ben, '#where', ' · 1 judged by ben$');
    await shows(ben, '#progress-text', '^1\\d of 30 documents judged, 1 by you\\. 49 judgments left \\(some documents need more than one\\)\\.$');
    await s.end();
  },

  // On a phone the buttons stay where they are, under a short document and a long one.
  async buttons_stay_at_the_bottom(browser) {
    const s = await makeSession('phone');
    await s.serve();
    const page = await openPage(browser, s.owner, { viewport: { width: 390, height: 780 } });
    await ready(page);
    for (const length of [10, 20000]) {
      await page.locator('#text').evaluate((e, n) => { e.textContent = 'word '.repeat(n / 5); }, length);
      assert.equal(await page.locator('.judge footer').evaluate((e) => Math.round(e.getBoundingClientRect().bottom)), 780);
      await picture(page, `phone-${length}`);
    }
    await s.end();
  },

  // A document is text, whatever it says.
  async hostile_documents_are_text(browser) {
    const s = await makeSession('hostile');
    await s.serve();
    const page = await openPage(browser, s.owner);
    let name = await ready(page);
    for (let n = 0; n < 29 && Number(name.slice(3)) % 10 !== 3; n++) { await page.keyboard.press('0'); name = await ready(page, name); }
    assert.equal(Number(name.slice(3)) % 10, 3, 'no hostile document was drawn');
    const text = await page.locator('#text').textContent();
    assert.ok(text.includes('U+202E') && text.includes('U+0007'), text);
    assert.deepEqual(await page.evaluate(() => [window.harmed, document.scripts.length,
      document.querySelectorAll('img, iframe, #text script, #text b').length]), [undefined, 1, 0]);
    assert.equal(await page.locator('#guidelines-text').textContent().then((t) => t.includes('<b>')), true);
    assert.deepEqual(page.trouble, []);
    // Even the page's own script cannot make HTML of a string.
    const refused = await page.evaluate(() => { try { document.body.innerHTML = '<b>x</b>'; return 'made'; } catch (e) { return e.name; } });
    assert.equal(refused, 'TypeError');
    await s.end();
    // Names too.
    fs.writeFileSync(path.join(folder, 'odd_run'), '1\u200b Q0 a\u202ecod 1 1 r\n');
    const odd = new Session(tool, folder, 'odd\u2066');
    fs.rmSync(odd.file, { force: true });
    await odd.run('judge', 'new', odd.file, '--queue', 'odd_run', '--missing-documents', 'show-id');
    await odd.serve();
    const names = await openPage(browser, odd.owner);
    await ready(names);
    assert.equal(await names.locator('#docno').textContent(), 'aU+202Ecod');
    assert.match(await names.evaluate(() => document.body.innerText + document.title), /1U\+200B[^]*oddU\+2066/u);
    assert.doesNotMatch(await names.evaluate(() => document.title + document.documentElement.textContent), /[\u200b\u202e\u2066]/u);
    await odd.end();
  },

  // Keys can be changed, are kept, and can be switched off.
  async keys_are_the_assessors(browser) {
    const s = await makeSession('keys');
    await s.serve();
    const page = await openPage(browser, s.owner);
    const first = await ready(page);
    await page.keyboard.press('?');
    await page.locator('#key-grade-2').focus();
    await page.keyboard.press('1');
    assert.match(await page.locator('#keys-said').textContent(), /1 is already the key of/);
    const kept = page.waitForResponse((r) => r.url().endsWith('/api/keys'));
    await page.keyboard.press('j');
    assert.equal((await kept).status(), 204);
    await page.keyboard.press('Escape');
    await page.reload();
    await ready(page);
    await page.keyboard.press('2');
    assert.equal(await docno(page), first, 'the old key still judges');
    await page.keyboard.press('j');
    const second = await ready(page, first);
    await saved(page);
    await page.click('#settings-open');
    await page.uncheck('#set-keys');
    await page.keyboard.press('Escape');
    await page.locator('#text').focus();
    await page.keyboard.press('j');
    assert.equal(await docno(page), second, 'keys that are off judge');
    await page.locator('#grades button').nth(2).press('Enter');
    await ready(page, second);
    await saved(page);
    assert.deepEqual(page.trouble, []);
    await s.end();
  },

  // Time is counted while the page is looked at.
  async time_is_active_or_away(browser) {
    const s = await makeSession('time');
    await s.serve();
    const began = performance.now();
    const page = await openPage(browser, s.owner);
    const first = await ready(page);
    await page.waitForTimeout(600);
    await page.evaluate(() => {
      Object.defineProperty(document, 'hidden', { value: true, configurable: true });
      document.dispatchEvent(new Event('visibilitychange'));
    });
    await page.waitForTimeout(900);
    await page.evaluate(() => {
      delete document.hidden;
      document.dispatchEvent(new Event('visibilitychange'));
    });
    const sent = page.waitForRequest('**/api/judgments');
    await page.keyboard.press('1');
    const [e] = JSON.parse((await sent).postData()).judgments;
    const passed = performance.now() - began; // on a busy machine much passes between the steps
    assert.ok(e.active_ms >= 550 && e.active_ms <= passed - 850, `${e.active_ms} ms active`);
    assert.ok(e.away_ms >= 850 && e.active_ms + e.away_ms <= passed, `${e.away_ms} ms away`);
    await ready(page, first);
    await saved(page);
    await s.end();
  },

  // WCAG 2.2 AA by axe-core, in both colours, on a desk and on a phone of 320 pixels.
  async accessible_everywhere(browser) {
    const s = await makeSession('wcag', '--overlap', '1');
    await s.serve();
    const ben = await openPage(browser, s.links.ben);
    const first = await ready(ben);
    await ben.keyboard.press('0');
    await ready(ben, first);
    await saved(ben);
    const sizes = [['desk', { width: 1280, height: 800 }], ['narrow', { width: 320, height: 640 }]];
    if (keep) sizes.push(['phone', { width: 390, height: 780 }]);
    for (const [size, viewport] of sizes)
      for (const colorScheme of ['light', 'dark']) {
        const page = await openPage(browser, s.owner, { viewport, colorScheme, bypassCSP: true });
        if (size === 'desk' && colorScheme === 'light') {
          assert.equal(await ready(page), first, 'the same order for both');
          await page.keyboard.press('2');
          await saved(page);
        }
        await ready(page);
        for (const view of ['judge', 'overview', 'adjudicate', 'list', 'settings', 'login']) {
          await goto(page, view);
          await checkAccess(page, `${view}-${size}-${colorScheme}`, (size === 'desk') === (colorScheme === 'light'));
        }
        assert.deepEqual(page.trouble.filter((t) => !t.includes('401')), []);
        await page.context().close();
      }
    await s.end();
  },

  // What stays on the screen stays where it is: from document to document, saving and saved.
  async nothing_moves_while_judging(browser) {
    const s = await makeSession('still');
    await s.serve();
    for (const viewport of [{ width: 1280, height: 800 }, { width: 390, height: 780 }]) {
      const page = await openPage(browser, s.owner, { viewport });
      const places = () => page.evaluate(() => ['#views', '#settings-open', '#grades', '#acts', '#docno']
        .map((id) => document.querySelector(id).getBoundingClientRect()).map((r) => [r.x, r.y, r.width, r.height].map(Math.round)));
      let name = await ready(page);
      assert.equal(await page.locator('#saved').textContent(), '', 'nothing is saved yet');
      const first = await places();
      for (let n = 0; n < 5; n++) {
        await page.keyboard.press('0');
        name = await ready(page, name);
        if (n % 2) await saved(page);
        assert.deepEqual(await places(), first, `${viewport.width}: moved at document ${n + 1}`);
      }
      await page.context().close();
    }
    await s.end();
  },

  // Search, tags, the curve, and adjudication without names, on references.
  async tools_of_a_systematic_review(browser) {
    const s = new Session(tool, folder, 'review');
    fs.writeFileSync(path.join(folder, 'refs.csv'), `record_id,title,abstract\n${Array.from({ length: 12 }, (_, i) =>
      `r${i},Title of record ${i},${i === 7 ? 'A Remarkable word.' : 'Nothing.'}`).join('\n')}\n`);
    await s.run('judge', 'new', s.file, '--queue', 'refs.csv', '--tags', 'wrong-design,wrong-drug',
      '--assessors', 'anna,ben', '--overlap', '1');
    await s.serve();
    const page = await openPage(browser, s.owner);
    const ben = await openPage(browser, s.links.ben);
    for (const [who, keys] of [[page, ['1', '1', '1', '0']], [ben, ['0', '0', '1', '0']]])
      for (const key of keys) {
        const name = await ready(who);
        if (who === page && name === 'r3') {
          await who.keyboard.press('n');
          await who.click('#tags button:has-text("#wrong-drug")');
          assert.equal(await who.locator('#note').inputValue(), '#wrong-drug');
          assert.equal(await who.locator('#tags [aria-pressed="true"]').count(), 1);
          await who.locator('#note').press('Escape');
        }
        await who.keyboard.press(key);
        await ready(who, name);
      }
    await Promise.all([saved(page), saved(ben)]);
    // References are of no topic: nothing speaks of one.
    const topics = async (view) => {
      await page.click(`#views a[href="#${view}"]`);
      await page.waitForSelector(`#view-${view}:visible`);
      assert.doesNotMatch(await page.locator('body').innerText(), /topic/i, view);
    };
    for (const width of [390, 1280]) {
      await page.setViewportSize({ width, height: 800 });
      for (const view of ['list', 'overview', 'judge']) await topics(view);
    }
    await shows(page, '#curve', 'Before the first unjudged document: 4 judged, 3 relevant\\.');
    await page.click('#views a[href="#adjudicate"]');
    await shows(page, '#others-head', '^Document 1 of 2 with different grades$');
    await ready(page);
    assert.match(await page.locator('#others-list').textContent(), /Assessor A.*Assessor B/);
    await page.check('#others-names');
    assert.match(await page.locator('#others-list').textContent(), /anna.*ben/);
    const first = await docno(page);
    await page.keyboard.press('1');
    await ready(page, first);
    await shows(page, '#others-head', '^Document 2 of 2 with different grades$');
    await page.keyboard.press('u');
    await shows(page, '#others-head', '^Document 1 of 2 with different grades$');
    assert.equal(await docno(page), first);
    await page.keyboard.press('1');
    await shows(page, '#others-head', '^Document 2 of 2 with different grades$');
    // Only a grade settles it, and the view stays, also after Undo: anna has documents left to judge.
    await saved(page);
    await page.keyboard.press('l');
    await shows(page, '#saved', 'To adjudicate, give a grade');
    for (const key of ['0', 'u', '1']) {
      await page.keyboard.press(key);
      await shows(page, key === 'u' ? '#others-head' : '#done-head', key === 'u' ? '^Document 2 of 2' : '^No disagreement is left$');
      await saved(page);
    }
    await page.waitForTimeout(300);
    await shows(page, '#done-head', '^No disagreement is left$');
    // The list itself comes late, after what was searched for in it, and is dropped.
    let late;
    await page.route('**/api/history*', (route) => { late = route; });
    await page.click('#views a[href="#list"]');
    await page.fill('#search-text', 'remarkable WORD');
    await page.keyboard.press('Enter');
    const oneRow = () => document.querySelectorAll('#list tbody tr').length === 1
      && document.querySelector('#list tbody tr').textContent.includes('r7');
    await page.waitForFunction(oneRow);
    await Promise.all([page.waitForResponse('**/api/history*'), late.continue()]);
    await page.waitForTimeout(200);
    assert.ok(await page.evaluate(oneRow));
    await page.click('#views a[href="#overview"]');
    await page.click('#o-assessors button[aria-label="New link: ben"]');
    await page.waitForSelector('#o-copy-row:visible');
    assert.match(await page.locator('#o-copy-text').textContent(), /#t=[0-9a-f]{32}$/);
    assert.deepEqual(page.trouble, []);
    await s.end();
    const rows = await s.run('judge', 'export', s.file, '--as', 'csv');
    assert.match(rows, /r3,.*,0,wrong-drug,#wrong-drug/);
    assert.equal((await s.run('judge', 'export', s.file, '--as', 'log')).match(/,adjudicated,/g).length, 4);
    assert.match(await s.run('judge', 'status', s.file), /excluded: wrong-drug +1/);
  },

  security: (browser) => security(browser, makeSession),
  screening: (browser) => screening(browser, tool, folder, checkAccess),
};

async function newLink(s, key, name) {
  const { text } = await s.ask('POST', '/api/assessor', { Authorization: key, Origin: s.base,
    'Content-Type': 'application/json' }, JSON.stringify({ do: 'link', name }));
  return JSON.parse(text).link;
}

async function goto(page, view) {
  if (view === 'settings') {
    await page.click('#settings-open');
    return;
  }
  if (view === 'login') {
    await page.keyboard.press('Escape');
    await page.evaluate(() => sessionStorage.clear());
    await page.goto(page.url().replace(/#.*/, ''));
    await page.waitForSelector('#view-login:visible');
    return;
  }
  if (view !== 'judge') await page.click(`#views a[href="#${view}"]`);
  if (view === 'overview') await page.waitForSelector('#o-agree-text:not(:empty)');
  else if (view === 'list') await page.waitForSelector('#list tbody tr');
  else await ready(page);
}

// Rules of layout and names do not depend on colours: all of them on half of the screens.
async function checkAccess(page, name, all) {
  await picture(page, name);
  const wide = await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
  assert.ok(wide <= 0, `${name}: ${wide} pixels wider than the screen`);
  await page.evaluate(axe);
  const { violations } = await page.evaluate((rules) => window.axe.run(document, { runOnly: rules }),
    all ? ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'] : ['color-contrast']);
  assert.deepEqual(violations.map((v) => [v.id, v.nodes.map((n) => n.html)]), [], name);
  const small = await page.evaluate(() => [...document.querySelectorAll('button, a, select, input, summary')]
    .filter((e) => e.checkVisibility() && !e.classList.contains('skip')).map((e) => [e.id || e.textContent, e.getBoundingClientRect()])
    .filter(([, r]) => r.width < 24 || r.height < 24).filter(([n]) => !/^(set-|o-partial)/.test(n)).map(([n]) => n));
  assert.deepEqual(small, [], `${name}: targets below 24 pixels`);
}

async function picture(page, name) {
  if (keep) await page.screenshot({ path: path.join(folder, `${name}.png`), fullPage: name.startsWith('overview') });
}

// ---------------------------------------------------------------------- run --

const browser = await chromium.launch({ executablePath: browserPath, args: ['--headless', '--no-sandbox',
  '--disable-gpu', '--disable-quic', '--no-first-run', '--disable-background-networking',
  '--disable-component-update', '--disable-sync'] });
let failed = 0;
try {
  for (const [name, test] of Object.entries(tests)) {
    if (only.length > 0 && !only.includes(name)) continue;
    const began = performance.now();
    try {
      await test(browser);
      console.log(`ok ${name} (${Math.round(performance.now() - began)} ms)`);
    } catch (problem) {
      failed++;
      console.log(`not ok ${name}: ${problem.stack}`);
    }
    for (const context of browser.contexts()) await context.close();
  }
} finally {
  await browser.close();
  Session.all.forEach((s) => s.server?.kill('SIGKILL'));
  if (scratch) fs.rmSync(scratch, { recursive: true });
}
process.exit(failed ? 1 : 0);
