// SPDX-License-Identifier: Apache-2.0
// Servers on the loopback, and a browser on them: what the tests of the site share.
import { spawn } from 'node:child_process';
import fs from 'node:fs';
import http from 'node:http';
import { createRequire } from 'node:module';
import path from 'node:path';

const TYPES = { html: 'text/html; charset=utf-8', js: 'text/javascript', wasm: 'application/wasm',
  css: 'text/css', svg: 'image/svg+xml' };

/** The tool's own server; { url, close }. */
export async function serveByTool(tool, folder) {
  const server = spawn(tool, ['web', '--site', folder], { stdio: ['ignore', 'pipe', 'inherit'] });
  const [line] = await new Promise((done, fail) => {
    server.stdout.once('data', (bytes) => done(bytes.toString().split('\n')));
    server.once('exit', (status) => fail(new Error(`intervale web: exit ${status}`)));
  });
  return { url: line, close: () => server.kill() };
}

/** Serves a folder and remembers what was asked for; { url, requests, close }. */
export async function serveFolder(folder) {
  const requests = [];
  const server = http.createServer((request, response) => {
    const name = new URL(request.url, 'http://x').pathname.replace(/\/$/, '/index.html');
    const file = path.join(folder, name);
    requests.push(name);
    if (!fs.existsSync(file)) {
      response.writeHead(404).end();
      return;
    }
    response.writeHead(200, { 'content-type': TYPES[file.split('.').pop()] ?? 'text/plain' });
    fs.createReadStream(file).pipe(response);
  });
  await new Promise((done) => { server.listen(0, '127.0.0.1', done); });
  return { url: `http://127.0.0.1:${server.address().port}/`, requests,
    close: () => server.close() };
}

export async function openBrowser(browserPath, modules) {
  const { chromium } = createRequire(`${path.resolve(modules)}/`)('playwright-core');
  return chromium.launch({ executablePath: browserPath,
    args: process.getuid?.() === 0 ? ['--no-sandbox'] : [] });
}

/** The module with room for so many pages of 64 kB: what is in it but that is the same. */
export function withLessMemory(module, pages) {
  const bytes = Buffer.from(module);
  const number = (at) => { // LEB128: its value, and where it ends
    let value = 0, i = at;
    for (let shift = 0; ; shift += 7) {
      value += (bytes[i] & 127) * 2 ** shift;
      if (bytes[i++] < 128) return [value, i];
    }
  };
  for (let at = 8; at < bytes.length;) {
    const [size, from] = number(at + 1);
    if (bytes[at] === 5) { // one memory, flags, least, most
      const [, most] = number(from + 2);
      const [, end] = number(most);
      for (let i = most, rest = pages; i < end; i++, rest = Math.floor(rest / 128))
        bytes[i] = (rest & 127) | (i + 1 < end ? 128 : 0);
      return bytes;
    }
    at = from + size;
  }
  throw new Error('the module has no memory');
}

/** Opens the page at a fragment and waits until the tool is there. */
export async function openPage(context, url, fragment = '') {
  const page = await context.newPage();
  page.setDefaultTimeout(120000);
  page.problems = [];
  page.on('console', (m) => m.type() === 'error' && page.problems.push(m.text()));
  page.on('pageerror', (e) => page.problems.push(String(e)));
  await page.goto(`${url}${fragment}`);
  await page.waitForSelector('h1');
  return page;
}

/** Another form in a page that is open: the tool in it goes on. */
export async function goTo(page, fragment) {
  const [url] = page.url().split('#');
  await page.goto(`${url}#`);
  await page.waitForSelector('.questions');
  if (fragment === '#') return;
  await page.goto(`${url}${fragment}`);
  await page.waitForSelector('form');
}

/** Presses the button and waits for the report; its headline. */
export async function answer(page) {
  await page.click('.go');
  const report = page.frameLocator('iframe.report');
  await report.locator('header h1').waitFor();
  return (await report.locator('header h1').textContent()).trim();
}
