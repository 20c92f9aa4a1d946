// SPDX-License-Identifier: Apache-2.0
// A session to judge in, its server, and browsers that look at it.
import assert from 'node:assert/strict';
import { execFile, spawn } from 'node:child_process';
import fs from 'node:fs';
import http from 'node:http';
import path from 'node:path';
import { promisify } from 'node:util';

// Milliseconds that anything may take: no machine is so busy, and what never comes still fails.
export const patience = 120000;

export class Session {
  static all = [];

  constructor(tool, folder, name) {
    Session.all.push(this);
    this.tool = tool;
    this.folder = folder;
    this.name = name;
    this.file = path.join(folder, `${name}.db`);
    this.urls = path.join(folder, `${name}.urls`);
  }

  async run(...args) {
    try {
      return (await promisify(execFile)(this.tool, args, { cwd: this.folder, maxBuffer: 1 << 26 })).stdout;
    } catch (problem) {
      throw new Error(`intervale ${args.join(' ')}: ${problem.stderr || problem.message}`);
    }
  }

  // Starts the server; links of an earlier start are not taken for new ones.
  async serve(...args) {
    fs.rmSync(this.urls, { force: true });
    await this.serveAgain(...args);
  }

  // Starts it with the file of links that is there.
  async serveAgain(...args) {
    const before = fs.existsSync(this.urls) ? fs.readFileSync(this.urls, 'utf8') : '';
    this.server = spawn(this.tool, ['judge', 'serve', this.file, '--url-file', this.urls, ...args],
      { cwd: this.folder, stdio: ['ignore', 'ignore', 'pipe'] });
    this.said = '';
    this.server.stderr.on('data', (d) => { this.said += d; });
    this.ended = new Promise((done) => { this.server.on('exit', (code, signal) => done(signal ?? code)); });
    for (let tries = 0; tries < patience / 25; tries++) {
      if (this.server.exitCode !== null) break;
      if (fs.existsSync(this.urls) && fs.readFileSync(this.urls, 'utf8') !== before
        && fs.readFileSync(this.urls, 'utf8').includes('#t=')) {
        this.links = Object.fromEntries(fs.readFileSync(this.urls, 'utf8').trim().split('\n')
          .map((line) => line.split(': ')));
        this.owner = Object.values(this.links)[0];
        this.base = this.owner.replace(/\/#.*/, '');
        return;
      }
      await new Promise((go) => { setTimeout(go, 25); });
    }
    throw new Error(`the server did not start: ${this.said}`);
  }

  async end(signal = 'SIGTERM') {
    this.server.kill(signal);
    const how = await this.ended;
    assert.equal(how, signal, this.said);
  }

  // A request made by hand: fetch() may not choose Host.
  ask(method, where, headers = {}, body = '') {
    const url = new URL(this.base);
    return new Promise((done, fail) => {
      const request = http.request({ host: url.hostname, port: url.port, method, path: where,
        headers: { ...(body ? { 'Content-Length': Buffer.byteLength(body) } : {}), ...headers } }, (answer) => {
        let text = '';
        answer.setEncoding('utf8');
        answer.on('data', (d) => { text += d; });
        answer.on('end', () => done({ status: answer.statusCode, headers: answer.headers, text }));
      });
      request.on('error', fail);
      request.end(body);
    });
  }

  // What a page that was opened by a link sends as Authorization.
  async enter(link) {
    const { status, text } = await this.ask('POST', '/api/login', { Origin: this.base,
      'Content-Type': 'application/json' }, JSON.stringify({ token: link.split('#t=')[1] }));
    assert.equal(status, 200);
    return `Bearer ${JSON.parse(text).key}`;
  }
}

// Opens a link; everything odd that the browser says is kept in page.trouble.
export async function openPage(browser, link, options = {}) {
  const context = await browser.newContext({ viewport: { width: 1200, height: 800 }, ...options });
  context.setDefaultTimeout(patience);
  const page = await context.newPage();
  page.trouble = [];
  page.on('console', (m) => { if (m.type() === 'error' || m.type() === 'warning') page.trouble.push(m.text()); });
  page.on('pageerror', (e) => page.trouble.push(`error: ${e.message}`));
  page.on('dialog', (d) => { page.trouble.push(`dialog: ${d.message()}`); d.dismiss(); });
  await page.goto(link);
  return page;
}

export const docno = (page) => page.locator('#docno').textContent();

// The document that is on the screen, when it is there.
export async function ready(page, not) {
  await page.waitForFunction((old) => {
    const name = document.getElementById('docno').textContent;
    return !document.getElementById('view-judge').hidden && name !== old && !name.includes('Loading')
      && document.querySelector('#grades button')?.disabled === false;
  }, not ?? '', { timeout: patience });
  return docno(page);
}

export async function saved(page) {
  await page.waitForFunction(() => document.getElementById('saved').textContent === 'saved'
    && Object.keys(localStorage).every((k) => !k.startsWith('intervale:')), null, { timeout: patience });
}

// Waits until the text of an element matches a pattern.
export async function shows(page, selector, pattern) {
  await page.waitForFunction(([where, what]) => new RegExp(what).test(document.querySelector(where)?.textContent ?? ''),
    [selector, pattern], { timeout: patience });
}
