// SPDX-License-Identifier: Apache-2.0
// The site in a real browser: every question's example, files packed and plain, stopping, no
// network, links, what goes wrong, accessibility.
//
// usage: node browser.mjs SITE INTERVALE BROWSER NODE_MODULES [KEEP [CLAIM...]]
//
// KEEP: a folder for pictures, to be looked at; CLAIM: a word of the only claims to check.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import { createRequire } from 'node:module';
import os from 'node:os';
import path from 'node:path';
import zlib from 'node:zlib';

import { QUESTIONS } from '../../web/questions.mjs';
import { answer, openBrowser, openPage, serveFolder } from './site.mjs';

const [siteFolder, toolPath, browserPath, modules, keep, ...only] = process.argv.slice(2);
const tool = path.resolve(toolPath);
const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'intervale-web-'));
const native = (...args) => execFileSync(tool, args, { cwd: folder, maxBuffer: 1 << 28 })
  .toString();
const site = await serveFolder(siteFolder);
const browser = await openBrowser(browserPath, modules);
const context = await browser.newContext({ acceptDownloads: true });
const axe = fs.readFileSync(createRequire(`${path.resolve(modules)}/`).resolve('axe-core'), 'utf8');

const link = (state) => `#${state}`;
const report = (page) => page.frameLocator('iframe.report');

async function download(page, name) {
  const [saved] = await Promise.all([page.waitForEvent('download'),
    page.click(`.tools button:text-is("${name}")`)]);
  return fs.readFileSync(await saved.path());
}

const unfold = (page) => page.evaluate(() =>
  document.querySelectorAll('details').forEach((d) => { d.open = true; }));

async function picture(page, name) {
  if (!keep) return;
  fs.mkdirSync(keep, { recursive: true });
  for (const scheme of ['light', 'dark']) {
    for (const [size, width, height] of [['desk', 1280, 900], ['phone', 390, 844]]) {
      await page.emulateMedia({ colorScheme: scheme });
      await page.setViewportSize({ width, height });
      await page.waitForTimeout(400);
      await page.screenshot({ path: path.join(keep, `${name}-${size}-${scheme}.png`),
        fullPage: true });
    }
  }
  await page.emulateMedia({ colorScheme: 'light' });
  await page.setViewportSize({ width: 1280, height: 900 });
}

async function accessible(page, where) {
  await page.evaluate(axe);
  const found = await page.evaluate(async () => (await window.axe.run(document, {
    iframes: false, resultTypes: ['violations'] })).violations
    .map(({ id, impact, nodes }) => ({ id, impact, where: nodes.map((n) => n.target.join(' ')) })));
  assert.deepEqual(found, [], `axe-core at ${where}`);
}

/* Milliseconds that the processes below this one have worked; endless where that is not told. */
function processorTime() {
  if (!fs.existsSync('/proc/self/stat')) return Infinity;
  const all = fs.readdirSync('/proc').filter((name) => /^\d+$/.test(name)).map((pid) => {
    try {
      const words = fs.readFileSync(`/proc/${pid}/stat`, 'utf8').replace(/^.*\) /s, '').split(' ');
      return { pid: Number(pid), above: Number(words[1]), ticks: Number(words[11]) + Number(words[12]) };
    } catch { return null; } // it has ended
  }).filter(Boolean);
  const below = new Set([process.pid]);
  for (let found = true; found;) {
    found = false;
    for (const { pid, above } of all)
      if (below.has(above) && !below.has(pid)) found = below.add(pid) !== undefined;
  }
  return 10 * all.filter(({ pid }) => pid !== process.pid && below.has(pid))
    .reduce((sum, { ticks }) => sum + ticks, 0);
}

// ------------------------------------------------------------------ claims

const claims = {
  async 'a question begins with an example that runs'() {
    for (const q of QUESTIONS) {
      const page = await openPage(context, site.url);
      page.setDefaultTimeout(60000);
      await page.click(`.questions a:has(strong:text-is("${q.ask}"))`);
      await page.waitForSelector('form');
      if (q.example) await page.waitForSelector('.files li');
      const line = (await page.locator('.line').textContent()).trim();
      const said = await answer(page);
      assert.ok(said.length > 20 && !/^intervale/.test(said), `${q.ask}: ${said}`);
      if (await report(page).locator('figure').count() > 0)
        await report(page).locator('.chart svg, .chart canvas').first().waitFor();
      if (!q.example)
        assert.equal(said, JSON.parse(native(...line.split(' ').slice(1), '--format', 'json'))
          .answer, q.ask);
      assert.deepEqual(page.problems, [], q.ask);
      if (['complete', 'better'].includes(q.id)) await accessible(page, q.ask);
      if (['complete', 'better', 'agree'].includes(q.id)) await picture(page, q.id);
      await page.close();
    }
  },

  async 'every command has a form with its options'() {
    const page = await openPage(context, site.url);
    const { commands } = JSON.parse(native('completion', 'json'));
    for (const command of commands.filter((c) => c.reports && !c.name.startsWith('judge '))) {
      await page.goto(`${site.url}${link(command.name.replaceAll(' ', '-'))}`);
      await page.waitForFunction((name) => document.querySelector('.line')?.textContent
        === `intervale ${name}`, command.name);
      const fields = await page.evaluate(() => [...document.querySelectorAll('[data-field]')]
        .map((field) => field.dataset.field));
      const missing = command.options.filter((o) => o.kind !== 'heading' && !o.shared
        && !fields.includes(`option:${o.name ?? o.letter}`)).map((o) => o.name);
      assert.deepEqual(missing, [], command.name);
      assert.equal(new Set(fields).size, fields.length, `${command.name} has a field twice`);
    }
    await accessible(page, 'a form');
    await page.close();
  },

  async 'large packed runs are evaluated and compared'() {
    native('simulate', '--topics', '100', '--documents', '1500', '--runs', '10', '--seed', '3',
      '--quiet', '-o', 'large');
    const runs = fs.readdirSync(path.join(folder, 'large/runs')).sort().map((name, i) => {
      const bytes = fs.readFileSync(path.join(folder, 'large/runs', name));
      const packed = path.join(folder, `${name}${i % 2 ? '.gz' : '.zst'}`);
      if (i % 2) fs.writeFileSync(packed, zlib.gzipSync(bytes));
      else execFileSync('zstd', ['-q', '-f', '-o', packed, path.join(folder, 'large/runs', name)]);
      return packed;
    });
    for (const command of ['eval', 'compare']) {
      const page = await openPage(context, site.url, link(command));
      await page.setInputFiles('[data-field="operand:JUDGMENTS"] input[type=file]',
        path.join(folder, 'large/qrels'));
      await page.setInputFiles('[data-field="operand:RUN"] input[type=file]', runs);
      const said = await answer(page, 120000);
      const expected = JSON.parse(native(command, '--format', 'json', 'large/qrels',
        ...runs.map((run) => path.basename(run)))).answer;
      assert.equal(said, expected);
      await page.close();
    }
  },

  async 'work can be stopped, and shows how far it is'() {
    const page = await openPage(context, site.url,
      link('study-recall?scenario=legal&realisations=400&samples=400'));
    await page.click('.go');
    await page.waitForSelector('progress:not([hidden])', { timeout: 30000 });
    await page.click('text=Stop');
    await page.waitForFunction(() => document.querySelector('form > .error').textContent
      === 'Stopped.');
    await page.goto(`${site.url}${link('prf?counts=80,20,40')}`);
    assert.match(await answer(page), /^The f1 of /);
    await page.close();
  },

  async 'a link repeats the form'() {
    const page = await openPage(context, site.url, link('recall'));
    const fill = (key, at, text) => page.locator(`[data-field="option:${key}"] input`).nth(at)
      .fill(text);
    await fill('retrieved', 0, '2000');
    await fill('retrieved', 1, '100');
    await fill('retrieved', 2, '50');
    await page.locator('[data-field="option:unretrieved"] input').first().fill('100000');
    await page.locator('[data-field="option:unretrieved"] input').nth(1).fill('100');
    await page.locator('[data-field="option:unretrieved"] input').nth(2).fill('3');
    await unfold(page);
    await page.locator('[data-field="option:one-sided"] input').check();
    const line = await page.locator('.line').textContent();
    const other = await openPage(context, page.url());
    assert.equal(await other.locator('.line').textContent(), line);
    assert.match(line, /--retrieved 2000,100,50 --unretrieved 100000,100,3.* --one-sided/);
    assert.equal(await answer(other), JSON.parse(native(...line.split(' ').slice(1), '--format',
      'json')).answer);
    await page.close();
    await other.close();
  },

  async 'all formats are saved as the tool writes them'() {
    const page = await openPage(context, site.url, link('compare'));
    native('simulate', '--topics', '20', '--documents', '100', '--runs', '2', '--quiet', '-o', 'c');
    await page.setInputFiles('[data-field="operand:JUDGMENTS"] input[type=file]',
      path.join(folder, 'c/qrels'));
    await page.setInputFiles('[data-field="operand:RUN"] input[type=file]',
      ['c/runs/sim01', 'c/runs/sim02'].map((name) => path.join(folder, name)));
    await answer(page);
    for (const name of ['qrels', 'runs/sim01', 'runs/sim02'])
      fs.copyFileSync(path.join(folder, 'c', name), path.join(folder, path.basename(name)));
    for (const [button, format] of [['Text', 'text'], ['CSV', 'csv'], ['JSON', 'json'],
      ['LaTeX', 'latex'], ['Vega', 'vega'], ['HTML', 'html']]) {
      const expected = execFileSync(tool, ['compare', '--format', format, 'qrels', 'sim01',
        'sim02'], { cwd: folder, stdio: ['ignore', 'pipe', 'ignore'], maxBuffer: 1 << 28 });
      assert.ok((await download(page, button)).equals(expected), format);
    }
    await page.close();
  },

  async 'pasted tables and two files of one name are files'() {
    const page = await openPage(context, site.url, link('prf'));
    const labels = page.locator('[data-field="option:labels"]');
    await unfold(page);
    await labels.locator('textarea').fill('id,gold,A\n1,1,1\n2,0,1\n3,1,1\n4,0,0\n');
    await labels.locator('text=Use this text').click();
    assert.match(await answer(page), /^The f1 of /);
    await page.close();
  },

  async 'a complaint of the tool stands beside its field'() {
    const page = await openPage(context, site.url, link('prf?counts=80,20,40&confidence=2'));
    await page.click('.go');
    const error = page.locator('[data-field="option:confidence"] .error');
    await error.waitFor();
    assert.match(await error.textContent(), /is not a number above 0 and below 1/);
    fs.writeFileSync(path.join(folder, 'picture.png'), Buffer.from('89504e470d0a1a0a0000', 'hex'));
    await page.goto(`${site.url}${link('check')}`);
    await page.goto(`${site.url}${link('roc')}`);
    await page.setInputFiles('[data-field="operand:FILE"] input[type=file]',
      path.join(folder, 'picture.png'));
    await page.click('.go');
    await page.locator('[data-field="operand:FILE"] .error').waitFor();
    assert.match(await page.locator('[data-field="operand:FILE"] .error').textContent(),
      /^picture\.png:/);
    await page.goto(`${site.url}${link('eval')}`);
    await page.click('.go');
    await page.locator('[data-field="operand:JUDGMENTS"] .error').waitFor();
    await picture(page, 'complaint');
    await page.close();
  },

  async 'a crash is told and the page goes on'() {
    const other = await browser.newContext({ serviceWorkers: 'block' });
    // (module (memory (export "memory") 1) (func (export "_start") unreachable))
    const trap = Buffer.from('0061736d01000000010401600000030201000503010001071302066d656d6f7279'
      + '0200065f737461727400000a05010300000b', 'hex');
    await other.route('**/intervale.wasm', (route) => route.fulfill({
      contentType: 'application/wasm', body: trap }));
    const page = await openPage(other, site.url, link('prf?counts=80,20,40'));
    for (let i = 0; i < 2; i++) {
      await page.click('.go');
      await page.waitForFunction(() => /ended unexpectedly/.test(
        document.querySelector('form > .error').textContent));
      await page.click('text=Start afresh');
    }
    await other.close();
  },

  async 'a browser without WebAssembly is told so'() {
    const other = await browser.newContext();
    await other.addInitScript(() => { delete window.WebAssembly; });
    const page = await openPage(other, site.url);
    assert.match(await page.locator('[role=alert]').textContent(), /no WebAssembly/);
    await other.close();
  },

  async 'after loading there are no requests, and no network is needed'() {
    const other = await browser.newContext();
    const page = await openPage(other, site.url);
    await accessible(page, 'the start');
    await picture(page, 'start');
    await page.evaluate(() => navigator.serviceWorker.ready);
    await page.waitForLoadState('networkidle');
    const before = site.requests.length, seen = [];
    page.on('request', (request) => !request.url().startsWith('blob:')
      && !request.url().startsWith('data:') && seen.push(request.url()));
    await page.click('text=Which of my runs is better?');
    await page.waitForSelector('.files li');
    await answer(page);
    assert.deepEqual(seen, [], 'requests of the page');
    assert.equal(site.requests.length, before, 'requests that the server saw');
    await other.setOffline(true);
    await page.reload();
    await page.waitForSelector('.files li');
    assert.match(await answer(page), /AP/);
    await other.close();
  },

  async 'the first answer of a warm page is there within a second'() {
    const page = await openPage(context, site.url,
      link('recall?retrieved=10000,500,350&unretrieved=990000,2000,3'));
    await answer(page);
    const times = [], busy = [];
    for (let i = 0; i < 5; i++) {
      const before = processorTime();
      times.push(await page.evaluate(() => new Promise((done) => {
        performance.clearMarks('answered');
        const begun = performance.now();
        document.querySelector('.go').click();
        const look = () => (performance.getEntriesByName('answered').length > 0
          ? done(performance.now() - begun) : setTimeout(look, 5));
        look();
      })));
      busy.push(processorTime() - before);
    }
    console.log(`  recall from six numbers: ${times.map(Math.round).join(', ')} ms, of the browser's `
      + `processor time ${busy.map(Math.round).join(', ')} ms`);
    // By the clock, or, where others keep the machine busy, by what it would need alone.
    assert.ok(Math.min(...times, ...busy) < 1000, `${times} ms, ${busy} ms`);
    await page.close();
  },
};

let failed = 0;
for (const [claim, check] of Object.entries(claims)) {
  const begun = Date.now();
  if (only.length > 0 && !only.some((word) => claim.includes(word))) continue;
  try {
    await check();
    console.log(`${claim}: ${((Date.now() - begun) / 1000).toFixed(1)} s`);
  } catch (problem) {
    failed++;
    console.log(`FAILED: ${claim}\n${problem.stack}`);
  }
}
await browser.close();
site.close();
fs.rmSync(folder, { recursive: true, force: true });
process.exit(failed > 0 ? 1 : 0);
