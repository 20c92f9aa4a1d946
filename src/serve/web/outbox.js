// SPDX-License-Identifier: Apache-2.0
// The page: one key judges, saves and goes on.  All text enters by textContent: a document
// is never HTML.  A judgment waits in the browser's storage until the server has said that it
// is on the disk; it is sent again, with the same uuid, as often as that takes.

const $ = (id) => document.getElementById(id);
const make = (name, text, className) => {
  const e = document.createElement(name);
  if (text !== undefined && text !== null) e.textContent = text;
  if (className) e.className = className;
  return e;
};
const fill = (e, ...children) => e.replaceChildren(...children);
const number = new Intl.NumberFormat('en');
const shown = (x, digits = 3) => (x === null || x === undefined ? '–' : x.toFixed(digits));

let session = null;
let current = null;   // the item on the screen
let ready = null;     // the one behind it
let view = '';        // login, judge, adjudicate, done, list, overview
let live = null;
let liveTag = '';
const past = [];      // items judged here, the newest last, for undo

// ------------------------------------------------------------------ server --

const sentence = (text) => `${text.charAt(0).toUpperCase()}${text.slice(1)}.`;

class Refused extends Error {
  constructor(status, text) { super(text); this.status = status; }
}

// Characters that act on what is around them, or are not seen (iv_is_control()).
const ODD = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u061c\u200b\u200e\u200f\u2028-\u202e\u2060\u2066-\u2069\ufeff]/;
// They, each as often as it follows itself; and more accents on one letter than any script has, for
// which a browser takes minutes.
const STRANGE = `(?<odd>${ODD.source})\\k<odd>*|\\p{M}{17,}`;
function codeOf(run) {
  const one = String.fromCodePoint(run.codePointAt(0));
  const code = `U+${one.codePointAt(0).toString(16).toUpperCase().padStart(4, '0')}`;
  const times = [...run].length;
  if (run !== one.repeat(times)) return `${number.format(times)} combining characters`;
  return times > 1 ? `${code} × ${number.format(times)}` : code;
}
// In names and notes they are spelled; in texts and titles writeText() marks them.  A judgment goes
// back with the name as it came.
function spelled(key, value) {
  if (typeof value !== 'string' || key === 'text' || key === 'title') return value;
  if (key === 'docno') this.named = value;
  return value.replaceAll('\r\n', '\n').replace(new RegExp(STRANGE, 'gu'), (run) => codeOf(run));
}

async function ask(path, body, headers = {}) {
  // Of this tab alone: a cookie would go to every server of this machine, whatever its port.
  const key = sessionStorage.getItem('key');
  const how = body === undefined ? { headers: { ...headers } }
    : { method: 'POST', headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(body) };
  if (key) how.headers.Authorization = `Bearer ${key}`;
  const answer = await fetch(path, { ...how, credentials: 'omit', cache: 'no-store' });
  if (answer.status === 204 || answer.status === 304) return { answer };
  if (!answer.headers.get('Content-Type')?.startsWith('application/json')) return { answer };
  const json = JSON.parse(await answer.text(), spelled);
  if (!answer.ok && answer.status !== 409) throw new Refused(answer.status, json.error ?? '');
  return { answer, json };
}

// ------------------------------------------------------------------ outbox --

// One key of the storage for each judgment, so that two windows do not overwrite each other.  It
// names the session: another one at the same address never gets what waits here.
const outbox = {
  memory: new Map(),
  prefix: () => `intervale:${session.session}:${session.assessor}:`,
  put(entry) {
    const key = `${this.prefix()}${String(Date.now()).padStart(15, '0')}:${String(this.count++).padStart(6, '0')}:${entry.uuid}`;
    try { localStorage.setItem(key, JSON.stringify(entry)); } catch { this.memory.set(key, entry); }
  },
  count: 0,
  list() {
    const found = [...this.memory];
    try {
      for (let i = 0; i < localStorage.length; i++) {
        const key = localStorage.key(i);
        if (!key.startsWith(this.prefix())) continue;
        try { found.push([key, JSON.parse(localStorage.getItem(key))]); } catch { /* not ours */ }
      }
    } catch { /* no storage: the memory is all */ }
    return found.sort(([a], [b]) => (a < b ? -1 : 1));
  },
  // What version 0.3 left behind: it does not say of which session it is.
  left() {
    try {
      return Object.keys(localStorage).filter((key) => key.startsWith(`intervale:${session.file}:`)).length;
    } catch { return 0; }
  },
  drop(key) {
    this.memory.delete(key);
    try { localStorage.removeItem(key); } catch { /* it is not there */ }
  },
};

function uuid() {
  const b = crypto.getRandomValues(new Uint8Array(16));
  b[6] = (b[6] & 15) | 64;
  b[8] = (b[8] & 63) | 128;
  const h = [...b].map((x) => x.toString(16).padStart(2, '0')).join('');
  return `${h.slice(0, 8)}-${h.slice(8, 12)}-${h.slice(12, 16)}-${h.slice(16, 20)}-${h.slice(20)}`;
}

let delivering = false;
let waited = 0;
let again = 0;

function say(text, waiting = false) {
  const e = $('saved');
  if (e.textContent !== text) e.textContent = text;
  e.classList.toggle('waiting', waiting);
}

function warn(text) {
  $('banner').hidden = !text;
  $('banner').textContent = text ?? '';
}

function waiting() {
  const n = outbox.list().length;
  return n === 1 ? '1 judgment waits' : `${n} judgments wait`;
}

// What the server says about judgments: those that are stored leave the outbox, and those that
// it will never take do, too, but not in silence.
function settle(batch, json) {
  const keys = new Map(batch.map(([key, e]) => [e.uuid, key]));
  for (const one of json.stored ?? []) {
    outbox.drop(keys.get(one.uuid));
    if (one.stored === 'other' || one.stored === 'refused')
      warn(`A judgment was not stored: ${one.why}.`);
    const at = past.find((p) => p.uuid === one.uuid);
    if (at && one.seq === undefined) past.splice(past.indexOf(at), 1); // it may come again
    else if (at) at.seq = one.seq;
  }
}

async function deliver() {
  if (delivering || !session) return;
  delivering = true;
  clearTimeout(again);
  try {
    let sent = 0;
    for (let batch = outbox.list().slice(0, 50); batch.length > 0; batch = outbox.list().slice(0, 50)) {
      say('saving …');
      const asked = wanted();
      const known = stored(batch);
      const { json } = await ask('/api/judgments', { session: session.session, judgments: batch.map(([, e]) => e), more: wants(),
        topic: chosen(), not: current?.item ?? 0, adjudicate: adjudicates() });
      settle(batch, json);
      sent += batch.length;
      waited = 0;
      warn($('banner').textContent.startsWith('A judgment') ? $('banner').textContent : '');
      arrived(json, asked, known);
    }
    if (sent > 0 || $('saved').classList.contains('waiting')) say('saved'); // not before the first
    refresh();
  } catch (problem) {
    failed(problem);
  } finally {
    delivering = false;
  }
  if (wants() && !current && session && outbox.list().length === 0 && waited === 0) fetchNext();
}

function failed(problem) {
  if (problem.status === 401) { showLogin(`Your link is not valid any more. Open a new link here.${outbox.list().length > 0 ? ` ${waiting()} in this browser and will be saved then.` : ''}`); return; }
  if (problem.status >= 400 && problem.status < 500 && problem.status !== 429) {
    say(`${waiting()} in this browser`, true);
    warn(`The server refused the judgment: ${problem.message}.`);
    return;
  }
  waited = Math.min(waited ? 2 * waited : 500, 8000);
  again = setTimeout(deliver, waited);
  say(`${waiting()} in this browser`, true);
  warn(problem.status === 507 ? `The server's disk is full. ${waiting()} in this browser. Leave this page open, or open it again later.`
    : problem.status === 503 ? `The server cannot save judgments and must be restarted. ${waiting()} in this browser.`
      : `The server does not answer. ${waiting()} in this browser until it does. You can close this page and open it again later.`);
}

