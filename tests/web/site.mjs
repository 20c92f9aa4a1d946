// SPDX-License-Identifier: Apache-2.0
// A small file server on the loopback, and a browser on it: what the tests of the site share.
import fs from 'node:fs';
import http from 'node:http';
import { createRequire } from 'node:module';
import path from 'node:path';

const TYPES = { html: 'text/html; charset=utf-8', js: 'text/javascript', wasm: 'application/wasm' };

/** Serves a folder; { url, requests, close }. */
export async function serveFolder(folder) {
  const requests = [];
  const server = http.createServer((request, response) => {
    const name = new URL(request.url, 'http://x').pathname.replace(/\/$/, '/index.html');
    const file = path.join(folder, path.basename(name));
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

/** Opens the page at a fragment and waits until the tool is there. */
export async function openPage(context, url, fragment = '') {
  const page = await context.newPage();
  page.problems = [];
  page.on('console', (m) => m.type() === 'error' && page.problems.push(m.text()));
  page.on('pageerror', (e) => page.problems.push(String(e)));
  await page.goto(`${url}${fragment}`);
  await page.waitForSelector('h1');
  return page;
}

/** Presses the button and waits for the report; its headline. */
export async function answer(page, timeout = 60000) {
  await page.click('.go');
  const report = page.frameLocator('iframe.report');
  await report.locator('header h1').waitFor({ timeout });
  return (await report.locator('header h1').textContent()).trim();
}
