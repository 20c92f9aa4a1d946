// SPDX-License-Identifier: Apache-2.0
// What a stranger can do: another name, another page, no key, another port.
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import fs from 'node:fs';
import http from 'node:http';
import { promisify } from 'node:util';

import { openPage, patience, ready } from './session.mjs';

const JSON_TYPE = { 'Content-Type': 'application/json' };

async function byHand(s) {
  const key = await s.enter(s.owner);
  const get = (where, headers) => s.ask('GET', where, headers);
  assert.equal((await get('/api/next', { Authorization: key })).status, 200);
  // Without a key, with a wrong one, with a token in its place.
  assert.equal((await get('/api/next')).status, 401);
  assert.equal((await get('/api/next', { Authorization: 'Bearer 00' })).status, 401);
  assert.equal((await get('/api/next', { Cookie: key.slice(7) })).status, 401);
  // Another name, as after a rebinding: nothing is said, key or not.
  const foreign = await get('/api/session', { Authorization: key, Host: 'rebind.example' });
  assert.equal(foreign.status, 421);
  assert.ok(!foreign.text.includes('anna'));
  // Another page.
  for (const headers of [{ Origin: 'http://evil.example' }, { Origin: 'null' }, {},
    { 'Sec-Fetch-Site': 'cross-site', Origin: s.base }, { 'Sec-Fetch-Site': 'same-site' }])
    assert.equal((await s.ask('POST', '/api/judgments', { Authorization: key, ...JSON_TYPE, ...headers }, '{}')).status, 403);
  assert.equal((await get('/api/next', { Authorization: key, 'Sec-Fetch-Site': 'cross-site' })).status, 403);
  const login = await s.ask('POST', '/api/login', { ...JSON_TYPE, Origin: 'http://evil.example' },
    JSON.stringify({ token: s.owner.split('#t=')[1] }));
  assert.equal(login.status, 403);
  assert.ok(!login.text.includes('key'));
  // Nothing is written by a read, and no page may read us from elsewhere.
  assert.equal((await get('/api/judgments', { Authorization: key })).status, 405);
  assert.equal((await s.ask('OPTIONS', '/api/judgments', { Origin: 'http://evil.example' })).status, 405);
  const page = await get('/');
  const policy = page.headers['content-security-policy'];
  for (const part of ["default-src 'none'", "frame-ancestors 'none'", "base-uri 'none'", "form-action 'none'",
    "require-trusted-types-for 'script'", "script-src 'sha256-", "style-src 'sha256-"])
    assert.ok(policy.includes(part), part);
  assert.ok(!/unsafe|\*|https?:/.test(policy), policy);
  assert.equal(page.headers['x-content-type-options'], 'nosniff');
  assert.equal(page.headers['referrer-policy'], 'no-referrer');
  assert.equal(page.headers['cross-origin-resource-policy'], 'same-origin');
  assert.equal(page.headers['cache-control'], 'no-store');
  assert.equal(page.headers.server, undefined);
  assert.equal(page.headers['access-control-allow-origin'], undefined);
  // A link is a secret of 128 bits; its file and the session are the owner's alone.
  assert.match(s.owner, /#t=[0-9a-f]{32}$/);
  for (const file of [s.urls, s.file]) assert.equal(fs.statSync(file).mode & 0o77, 0, file);
  const bytes = fs.readFileSync(s.file).toString('latin1') + fs.readFileSync(`${s.file}-wal`).toString('latin1');
  assert.ok(!bytes.includes(s.owner.split('#t=')[1]), 'the token is in the file');
  assert.ok(!bytes.includes(key.slice(7)), 'the key is in the file');
}

// Each wrong link ends its connection, and whoever has a right one gets in all the same.
async function guessing(s) {
  for (let i = 0; i < 23; i++) {
    const { status, headers } = await s.ask('POST', '/api/login', { ...JSON_TYPE, Origin: s.base },
      JSON.stringify({ token: String(i).padStart(32, '0') }));
    assert.equal(status, 401);
    assert.equal(headers.connection, 'close');
  }
  assert.match(await s.enter(s.owner), /^Bearer [0-9a-f]{32}$/);
}

// A page on another port of the same host, which the browser's owner has open beside ours.
async function otherPort(s, browser) {
  const heard = [];
  const evil = http.createServer((request, answer) => {
    heard.push(request.headers.cookie, request.headers.authorization);
    answer.setHeader('Content-Type', 'text/html');
    answer.end('<!DOCTYPE html><title>evil</title>');
  });
  await new Promise((go) => { evil.listen(0, '127.0.0.1', go); });
  const ours = await openPage(browser, s.owner);
  const shown = await ready(ours);
  const page = await ours.context().newPage();
  await page.goto(`http://127.0.0.1:${evil.address().port}/`);
  const tried = await page.evaluate(async (base) => {
    const out = {};
    const attempt = async (name, how) => { try { out[name] = await how(); } catch (e) { out[name] = e.name; } };
    await attempt('read', async () => (await fetch(`${base}/api/session`, { credentials: 'include' })).status);
    await attempt('write', async () => (await fetch(`${base}/api/judgments`, { method: 'POST', credentials: 'include',
      headers: { 'Content-Type': 'application/json' }, body: '{}' })).status);
    await attempt('simple', async () => (await fetch(`${base}/api/judgments`, { method: 'POST', mode: 'no-cors',
      credentials: 'include', body: '{"judgments":[]}' })).type);
    const frame = document.createElement('iframe');
    frame.src = base;
    await new Promise((done) => { frame.onload = done; setTimeout(done, 1500); document.body.append(frame); });
    await attempt('frame', async () => frame.contentDocument?.title ?? 'not readable');
    return out;
  }, s.base);
  evil.close();
  assert.deepEqual(heard.filter((x) => x !== undefined), [], 'the other server was sent what lets one in');
  assert.equal(tried.read, 'TypeError');
  assert.equal(tried.write, 'TypeError');
  assert.notEqual(tried.frame, 'Judging');
  assert.equal(await ours.locator('#docno').textContent(), shown);
  const key = await s.enter(s.owner);
  const { items } = JSON.parse((await s.ask('GET', '/api/history', { Authorization: key })).text);
  assert.deepEqual(items, [], 'something was judged');
}

// What is not safe, or contradicts itself, is refused before anything listens.
async function starting(s) {
  const refused = async (pattern, ...args) => {
    const { code, stderr } = await promisify(execFile)(s.tool, ['judge', 'serve', s.file, ...args], { timeout: patience })
      .then(() => ({ code: 0 }), (problem) => problem);
    assert.ok(code > 0, `${args.join(' ')}: ${code}`);
    assert.match(stderr, pattern);
    assert.equal(stderr.trim().split('\n').length, 1, stderr);
  };
  await refused(/no TLS/, '--listen', '0.0.0.0');
  await refused(/expected https/, '--listen', '0.0.0.0', '--public-url', 'http://judge.example.org/');
  await refused(/no path/, '--public-url', 'https://judge.example.org/judge/');
  await refused(/has no name/, '--socket', `${s.file}.sock`);
  await refused(/expected numbers/, '--listen', 'judge.example.org', '--insecure-lan');
  await refused(/holds no links/, '--url-file', s.file.replace(/[^/]*$/, 'queries.jsonl'));
}

export async function security(browser, makeSession) {
  const s = await makeSession('security');
  await starting(s);
  await s.serve();
  await byHand(s);
  await otherPort(s, browser);
  // One session, one server.
  const second = await promisify(execFile)(s.tool, ['judge', 'serve', s.file], { timeout: patience })
    .then(() => ({ code: 0 }), (problem) => problem);
  assert.equal(second.code, 1);
  assert.match(second.stderr, /another process/);
  await guessing(s);
  await s.end();
  // Behind a proxy: only the public name, only https.
  await s.serve('--public-url', 'https://judge.example.org/', '--port', '39417');
  s.base = 'http://127.0.0.1:39417';
  assert.match(s.owner, /^https:\/\/judge\.example\.org\/#t=/);
  assert.equal((await s.ask('GET', '/')).status, 421);
  const entered = await s.ask('POST', '/api/login', { Host: 'judge.example.org', ...JSON_TYPE,
    Origin: 'https://judge.example.org' }, JSON.stringify({ token: s.owner.split('#t=')[1] }));
  assert.equal(entered.status, 200);
  assert.equal(entered.headers['set-cookie'], undefined);
  await s.end();
}
