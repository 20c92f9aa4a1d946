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

class Refused extends Error {
  constructor(status, text) { super(text); this.status = status; }
}

async function ask(path, body, headers = {}) {
  const how = body === undefined ? { headers }
    : { method: 'POST', headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(body) };
  const answer = await fetch(path, { ...how, credentials: 'same-origin', cache: 'no-store' });
  if (answer.status === 204 || answer.status === 304) return { answer };
  if (!answer.headers.get('Content-Type')?.startsWith('application/json')) return { answer };
  const json = await answer.json();
  if (!answer.ok && answer.status !== 409) throw new Refused(answer.status, json.error ?? '');
  return { answer, json };
}

// ------------------------------------------------------------------ outbox --

// One key of the storage for each judgment, so that two windows do not overwrite each other.
const outbox = {
  memory: new Map(),
  prefix: () => `intervale:${session.file}:${session.assessor}:`,
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
      warn(`A judgment was not taken: ${one.why}.`);
    const at = past.find((p) => p.uuid === one.uuid);
    if (at) at.seq = one.seq;
  }
}

async function deliver() {
  if (delivering || !session) return;
  delivering = true;
  clearTimeout(again);
  try {
    for (let batch = outbox.list().slice(0, 50); batch.length > 0; batch = outbox.list().slice(0, 50)) {
      say('saving …');
      const { json } = await ask('/api/judgments', { judgments: batch.map(([, e]) => e), more: wants(),
        topic: chosen(), not: current?.item ?? 0, adjudicate: view === 'adjudicate' });
      settle(batch, json);
      waited = 0;
      warn($('banner').textContent.startsWith('A judgment') ? $('banner').textContent : '');
      arrived(json);
    }
    say('saved');
    refresh();
  } catch (problem) {
    failed(problem);
  } finally {
    delivering = false;
  }
  if (wants() && !current && session && outbox.list().length === 0 && waited === 0) fetchNext();
}

function failed(problem) {
  if (problem.status === 401) { showLogin(`Your link is not valid any more. ${waiting()} in this browser and will be saved when you open a new link here.`); return; }
  if (problem.status >= 400 && problem.status < 500 && problem.status !== 429) {
    say(`${waiting()} in this browser`, true);
    warn(`The server does not take this: ${problem.message}.`);
    return;
  }
  waited = Math.min(waited ? 2 * waited : 500, 8000);
  again = setTimeout(deliver, waited);
  say(`${waiting()} in this browser`, true);
  warn(problem.status === 507 ? `The server's disk is full. ${waiting()} in this browser: leave the page open or come back later.`
    : problem.status === 503 ? `The server cannot save and must be started again. ${waiting()} in this browser.`
      : `The server does not answer. You can close this page: ${waiting()} in this browser and will be sent when it is back.`);
}

// ------------------------------------------------------------------- items --

const wants = () => (view === 'judge' || view === 'adjudicate' || view === 'done') && (!current || !ready);
const chosen = () => Number($('topic-choice').value);

function arrived(json) {
  if (json.counts) progress(json.counts);
  if (!('next' in json)) return;
  const next = json.next;
  if (next === null) {
    if (!current) showDone();
    return;
  }
  if (past.some((p) => p.item.item === next.item && p.pending)) return;
  if (!current) show(next);
  else if (next.item !== current.item) ready = next;
}

async function fetchNext() {
  if (!wants()) return;
  try {
    const { json } = await ask(`/api/next?topic=${chosen()}&not=${current?.item ?? 0}`
      + `&adjudicate=${view === 'adjudicate' ? 1 : 0}`);
    arrived(json);
    if (current && !ready && json.next) fetchNext();
  } catch (problem) {
    if (problem.status === 401) { failed(problem); return; }
    waited = Math.min(waited ? 2 * waited : 500, 8000);
    again = setTimeout(() => { deliver(); fetchNext(); }, waited);
    warn(problem.status ? problem.message : 'The server does not answer; this page tries again.');
  }
}

function forget() { current = null; ready = null; past.length = 0; }

// --------------------------------------------------------------- judgments --

const activity = { active: 0, away: 0, tick: performance.now(), last: performance.now() };
const IDLE = 60000;

function tally() {
  const now = performance.now();
  const passed = now - activity.tick;
  if (document.hidden || now - activity.last > IDLE) activity.away += passed;
  else activity.active += passed;
  activity.tick = now;
}

function restart() { tally(); activity.active = 0; activity.away = 0; activity.last = activity.tick; }

function entry(item, reason, grade) {
  tally();
  const e = { uuid: uuid(), item, reason, active_ms: Math.min(Math.round(activity.active), 86400000),
    away_ms: Math.min(Math.round(activity.away), 86400000) };
  if (grade !== undefined) e.grade = grade;
  return e;
}

function judge(reason, grade) {
  if (!current) return;
  const e = entry(current.item, view === 'adjudicate' && reason === 'judged' ? 'adjudicated' : reason, grade);
  const note = $('note').value.trim();
  if (note) e.note = note;
  outbox.put(e);
  past.push({ item: current, uuid: e.uuid, reason, grade, note });
  if (past.length > 50) past.shift();
  const next = ready;
  ready = null;
  current = null;
  if (next) show(next); else clear();
  deliver();
}

function undo() {
  const last = past.pop();
  if (!last) { say('nothing to undo here'); return; }
  const e = entry(last.item.item, 'undo');
  outbox.put(e);
  if (current) ready = current;
  show(last.item);
  $('note').value = last.note;
  $('note-row').hidden = !last.note;
  $('mine').textContent = `Taken back: ${wordOf(last.reason, last.grade)}`;
  $('mine').hidden = false;
  deliver();
}

function wordOf(reason, grade) {
  if (reason === 'cannot') return 'cannot judge';
  if (reason === 'later') return 'later';
  if (reason === 'undo') return 'taken back';
  const g = session.grades.find((x) => x.grade === grade);
  return g ? `${g.grade} ${g.word}` : String(grade ?? '');
}

// ------------------------------------------------------------- the document --

const COMMON = new Set(('about above after again against all also and any are because been before being '
  + 'below between both but can could did does doing down during each few for from further had has have having '
  + 'her here him his how into its just more most must not now off once only other our out over own same she '
  + 'should some such than that the their them then there these they this those through too under until very '
  + 'was were what when where which while who whom why will with would you your document documents relevant '
  + 'discuss describe identify find information').split(' '));
const ODD = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff\u2028\u2029]/;

function wordsOf(text) {
  const words = new Set();
  for (const [w] of (text ?? '').toLowerCase().matchAll(/[\p{L}\p{N}]+/gu))
    if (w.length > 2 && !COMMON.has(w)) words.add(w.length > 4 ? w.replace(/(ies|es|s|ing|ed)$/u, '') : w);
  return [...words].sort((a, b) => b.length - a.length).slice(0, 60);
}

// Text with words of the topic marked, and characters that act on what is around them shown.
function writeText(to, text, topic) {
  const parts = document.createDocumentFragment();
  const words = settings.marks ? wordsOf(topic) : [];
  const word = words.length ? `(?<![\\p{L}\\p{N}])(?:${words.join('|')})[\\p{L}\\p{N}]{0,4}(?![\\p{L}\\p{N}])|` : '';
  const pattern = new RegExp(`${word}${ODD.source}`, 'giu');
  let at = 0;
  for (const found of text.matchAll(pattern)) {
    if (found.index > at) parts.append(text.slice(at, found.index));
    if (ODD.test(found[0])) {
      const code = `U+${found[0].codePointAt(0).toString(16).toUpperCase().padStart(4, '0')}`;
      parts.append(make('span', code, 'odd'));
    } else parts.append(make('mark', found[0]));
    at = found.index + found[0].length;
  }
  parts.append(text.slice(at));
  fill(to, parts);
}

function show(item) {
  current = item;
  setView(view === 'adjudicate' ? 'adjudicate' : 'judge');
  $('topic-head').textContent = `Topic ${item.topic_name}`;
  $('topic-text').textContent = item.topic_text || '';
  $('docno').textContent = item.docno;
  writeText($('title'), item.title || '', item.topic_text);
  $('title').hidden = !item.title;
  if (item.missing) fill($('text'), make('em', 'The collection lacks the text of this document.'));
  else writeText($('text'), item.text, item.topic_text);
  $('rest').hidden = !item.cut;
  $('rest-show').textContent = `Show all ${number.format(item.bytes)} bytes`;
  $('note').value = item.mine?.note ?? '';
  $('note-row').hidden = !$('note').value;
  $('mine').hidden = !item.mine;
  if (item.mine) $('mine').textContent = `You said: ${wordOf(item.mine.reason, item.mine.grade)}`;
  for (const b of $('grades').children)
    b.classList.toggle('was', item.mine?.grade === Number(b.dataset.grade));
  showOthers(item);
  enable(true);
  $('document').scrollTop = 0;
  $('text').scrollTop = 0;
  if (matchMedia('(max-width: 46rem)').matches) scrollTo(0, 0);
  where();
  restart();
}

function showOthers(item) {
  $('others').hidden = item.others.length === 0;
  fill($('others-list'), ...item.others.map((o) => {
    const li = make('li');
    li.append(make('strong', wordOf(o.reason, o.grade)), `${o.assessor ?? ''}`);
    if (o.note) li.append(make('p', o.note));
    return li;
  }));
}

function clear() {
  for (const id of ['docno', 'title', 'text', 'mine']) fill($(id));
  $('rest').hidden = true;
  $('note').value = '';
  $('note-row').hidden = true;
  enable(false);
  $('docno').textContent = 'The next document is on its way …';
}

function enable(on) {
  for (const b of document.querySelectorAll('#grades button, #acts button[data-act]'))
    b.disabled = !on && b.dataset.act !== 'undo';
}

function where() {
  const t = current ? `topic ${current.topic_name} · ${number.format(current.topic_done)} of ${number.format(current.topic_items)} · ` : '';
  $('where').textContent = session ? `${t}${session.assessor}` : 'Judging';
  document.title = session ? `Judging · ${session.file}` : 'Judging';
}

function progress(c) {
  $('progress').max = Math.max(c.items, 1);
  $('progress').value = c.judged;
  $('progress-text').textContent = `${number.format(c.judged)} of ${number.format(c.items)} judged`
    + (c.later ? `, ${number.format(c.later)} put off` : '');
}

// ----------------------------------------------------------------- numbers --

const SVG = 'http://www.w3.org/2000/svg';
function shape(name, attributes) {
  const e = document.createElementNS(SVG, name);
  for (const [k, v] of Object.entries(attributes)) e.setAttribute(k, v);
  return e;
}

function drawing(n, target) {
  const most = n.upper <= 1 && n.value <= 1 ? 1 : n.upper * 1.15;
  const x = (v) => 4 + 192 * Math.min(Math.max(v / most, 0), 1);
  const svg = shape('svg', { viewBox: '0 0 200 24', class: 'interval', role: 'img',
    'aria-label': `${n.of}: ${shown(n.value)}, interval ${shown(n.lower)} to ${shown(n.upper)}` });
  svg.append(shape('line', { x1: 4, x2: 196, y1: 12, y2: 12, class: 'axis' }),
    shape('line', { x1: x(n.lower), x2: x(n.upper), y1: 12, y2: 12, class: 'span' }));
  if (target > 0 && most === 1)
    svg.append(shape('line', { x1: x(target), x2: x(target), y1: 2, y2: 22, class: 'target' }));
  svg.append(shape('circle', { cx: x(n.value), cy: 12, r: 5, class: 'at' }));
  return svg;
}

function row(name, text, small, picture) {
  const dd = make('dd', text);
  if (picture) dd.append(picture);
  if (small) dd.append(make('small', small));
  return [make('dt', name), dd];
}

function panel(n) {
  const rows = [];
  const share = n.now.upper === null || n.now.upper <= 1;
  const digits = share ? 3 : 0;
  const percent = `${Math.round(100 * n.confidence)} %`;
  if (n.now.value !== null) {
    const has = n.now.lower !== null && n.now.upper !== null;
    rows.push(...row('now', `${n.now.of} ${shown(n.now.value, digits)}`
      + (has ? `, ${percent} interval ${shown(n.now.lower, digits)} to ${shown(n.now.upper, digits)}` : ''),
    'for a sample of this size; not to stop by', has ? drawing(n.now, n.target) : null));
  } else {
    rows.push(...row('now', 'too little is judged'));
  }
  if (n.guaranteed !== undefined)
    rows.push(...row('guaranteed', `at least ${shown(n.guaranteed)}`, 'however you stop'
      + (n.evidence !== null && n.target > 0 ? `; e-value ${shown(n.evidence, 1)} of ${shown(n.evidence_needed, 0)}` : '')));
  if (n.looks > 0)
    rows.push(...row('plan', n.look > n.looks ? `all ${n.looks} looks are taken`
      : `look ${n.look} of ${n.looks} at ${number.format(n.look_at)} (now ${number.format(n.prefix)})`,
    n.look_lower === null ? '' : `at the last look: at least ${shown(n.look_lower)}`));
  return rows;
}

function showLive() {
  const has = live?.now !== undefined;
  fill($('panel'), ...(has ? panel(live) : []));
  $('advice').textContent = has ? live.advice : '';
}

let refreshing = false;
async function refresh() {
  if (refreshing || !session || document.hidden || !['judge', 'adjudicate', 'done'].includes(view)) return;
  refreshing = true;
  try {
    const { answer, json } = await ask('/api/live', undefined, liveTag ? { 'If-None-Match': liveTag } : {});
    if (json) {
      live = json.live;
      liveTag = answer.headers.get('ETag') ?? '';
      showLive();
    }
  } catch { /* the numbers wait; judgments tell of trouble */ }
  refreshing = false;
}

// ------------------------------------------------------------------- lists --

const seconds = (ms) => (ms === null || !(ms > 0) ? '–' : ms < 60000 ? `${Math.round(ms / 1000)} s`
  : `${Math.floor(ms / 60000)} min ${Math.round((ms % 60000) / 1000)} s`);
const when = (at) => (at ? new Date(at).toLocaleString() : '–');
let listFrom = 0;

function cells(...values) {
  const tr = make('tr');
  for (const [text, className] of values) {
    const td = text instanceof Node ? make('td') : make('td', text, className);
    if (text instanceof Node) td.append(text);
    tr.append(td);
  }
  return tr;
}

async function showList(more = false) {
  setView('list');
  const state = $('list-state').value;
  if (!more) { listFrom = 0; fill($('list').tBodies[0]); }
  try {
    const { json } = await ask(state ? `/api/items?state=${state}&from=${listFrom}` : `/api/history?before=${listFrom}`);
    for (const i of json.items) {
      const change = make('button', 'Open');
      change.type = 'button';
      change.setAttribute('aria-label', `Open ${i.docno}`);
      change.addEventListener('click', () => open(i.item));
      $('list').tBodies[0].append(cells([i.title ? `${i.docno} ${i.title}` : i.docno], [session.topics[i.topic]?.name ?? ''],
        [wordOf(i.reason, i.grade)], [i.note ?? ''], [when(i.at)], [seconds(i.active_ms)], [change]));
      listFrom = state ? i.item + 1 : i.seq;
    }
    $('list-more').hidden = json.items.length < 50;
    warn('');
  } catch (problem) { trouble(problem); }
}

async function open(item) {
  try {
    const { json } = await ask(`/api/item?id=${item}`);
    if (current && current.item !== item) ready = current;
    view = 'judge';
    show(json.next);
    history.replaceState(null, '', '#judge');
    $('text').focus();
  } catch (problem) { trouble(problem); }
}

function trouble(problem) {
  if (problem.status === 401) failed(problem);
  else warn(problem.status ? problem.message : 'The server does not answer.');
}

// ---------------------------------------------------------------- overview --

const TOPICS = 100;
let topicsShown = TOPICS;

function tile(name, value) {
  const div = make('div');
  div.append(make('dt', name), make('dd', value));
  return div;
}

function bar(value, most, label) {
  const p = make('progress');
  p.max = Math.max(most, 1);
  p.value = value;
  p.setAttribute('aria-label', label);
  return p;
}

function minutes(m) {
  if (m === null || m === undefined) return '–';
  return m < 90 ? `${Math.ceil(m)} min` : `${(m / 60).toFixed(1)} h`;
}

function assessorRow(a) {
  const buttons = make('span', null, 'row');
  for (const [act, text] of [['link', 'New link'], ['revoke', 'Revoke']]) {
    if (a.revoked || (act === 'revoke' && a.name === session.assessor)) continue;
    const b = make('button', text);
    b.type = 'button';
    b.setAttribute('aria-label', `${text}: ${a.name}`);
    b.addEventListener('click', () => assessor(act, a.name));
    buttons.append(b);
  }
  return cells([a.revoked ? `${a.name} (revoked)` : a.name], ...[a.judged, a.relevant, a.cannot, a.later, a.undone]
    .map((n) => [number.format(n), 'n']), [seconds(a.median_ms), 'n'], [when(a.last)], [buttons]);
}

async function assessor(act, name) {
  try {
    const { answer, json } = await ask('/api/assessor', { do: act, name });
    if (!answer.ok) throw new Refused(answer.status, json.error);
    $('o-link').textContent = json.link ? `The link of ${name}, to be shown once: ${json.link}` : `${name} cannot judge any more.`;
    await showOverview(true);
  } catch (problem) { trouble(problem); }
}

function topicsTable(topics) {
  fill($('o-topics').tBodies[0], ...topics.slice(0, topicsShown).map((t) =>
    cells([t.name], [number.format(t.items), 'n'], [number.format(t.done), 'n'],
      [bar(t.done, t.items, `Share of topic ${t.name} that is done`)])));
  $('o-topics-more').hidden = topics.length <= topicsShown;
}

async function showOverview(again = false) {
  if (!again) setView('overview');
  try {
    const { json } = await ask('/api/overview');
    const c = json.counts;
    fill($('tiles'), tile('judged', `${number.format(c.judged)} of ${number.format(c.items)}`),
      tile('time left', minutes(json.live.minutes_left)), tile('put off', number.format(c.later)),
      tile('cannot judge', number.format(c.cannot)), tile('judged twice', number.format(c.twice)),
      tile('grades differ', number.format(c.conflicts)));
    fill($('o-panel'), ...panel(json.live));
    $('o-advice').textContent = json.live.advice;
    fill($('o-assessors').tBodies[0], ...json.assessors.map(assessorRow));
    session.topics = json.topics;
    topicsTable(json.topics);
    fill($('o-combine'), ...['adjudicated', 'last', 'majority', 'median', ...json.assessors.map((a) => a.name)]
      .map((name) => make('option', name)));
    warn('');
    await showAgreement();
  } catch (problem) { trouble(problem); }
}

const range = (a, b) => (a === null || b === null ? '–' : `${shown(a)} to ${shown(b)}`);
async function showAgreement() {
  const { json } = await ask('/api/agreement');
  $('o-agree-text').textContent = json.items > 0
    ? `${number.format(json.items)} documents were judged by two or more; ${shown(100 * json.prevalence, 1)} % of their judgments are relevant.`
    : 'No document was judged by two assessors yet.';
  $('o-agree').hidden = json.pairs.length === 0;
  $('o-under').hidden = json.under.length === 0;
  fill($('o-agree').tBodies[0], ...json.pairs.map((p) => cells([`${p.a}, ${p.b}`], [number.format(p.items), 'n'],
    [shown(p.agreement), 'n'], [range(p.agreement_lower, p.agreement_upper), 'n'],
    [shown(p.kappa), 'n'], [range(p.kappa_lower, p.kappa_upper) + (p.few ? ' (few)' : ''), 'n'])));
  fill($('o-under').tBodies[0], ...json.under.map((u) => cells([u.of], [shown(u.value), 'n'], [range(u.lower, u.upper), 'n'])));
}

async function save() {
  const as = $('o-as').value;
  const path = `/api/export?as=${as}&combine=${encodeURIComponent($('o-combine').value)}&partial=${$('o-partial').checked ? 1 : 0}`;
  try {
    const { answer, json } = await ask(path);
    if (json) { $('o-export-said').textContent = json.error; return; }
    const name = /filename="([\w.-]+)"/.exec(answer.headers.get('Content-Disposition') ?? '')?.[1] ?? 'judgments.txt';
    const link = make('a');
    link.href = URL.createObjectURL(await answer.blob());
    link.download = name;
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 10000);
    $('o-export-said').textContent = `Saved as ${name}.`;
  } catch (problem) { trouble(problem); }
}

// ---------------------------------------------------------------- settings --

const settings = { marks: true, shortcuts: true, keys: {} };
let actions = [];

function usualKeys() {
  const keys = {};
  session.grades.forEach((g, i) => { keys[`grade:${g.grade}`] = g.grade <= 9 ? String(g.grade) : 'qwerty'[i] ?? ''; });
  return { ...keys, cannot: 'x', later: 'l', undo: 'u', note: 'n', keys: '?' };
}

function readSettings(kept) {
  settings.marks = kept.marks !== 'off';
  settings.shortcuts = kept.shortcuts !== 'off';
  settings.keys = usualKeys();
  for (const [name, key] of Object.entries(kept)) if (name in settings.keys) settings.keys[name] = key;
  actions = [...session.grades.map((g) => [`grade:${g.grade}`, `${g.grade} ${g.word}`, () => judge('judged', g.grade)]),
    ['cannot', 'cannot judge', () => judge('cannot')], ['later', 'later', () => judge('later')],
    ['undo', 'undo', undo], ['note', 'note', openNote], ['keys', 'keys and settings', openSettings]];
}

async function keepSettings() {
  try {
    await ask('/api/keys', { ...settings.keys, marks: settings.marks ? 'on' : 'off', shortcuts: settings.shortcuts ? 'on' : 'off' });
    $('keys-said').textContent = '';
  } catch (problem) {
    $('keys-said').textContent = problem.status ? problem.message : 'The server does not answer: the keys hold until you leave the page.';
  }
}

function buttons() {
  const one = ([name, text, act]) => {
    const b = make('button');
    b.type = 'button';
    if (settings.shortcuts && settings.keys[name]) {
      b.append(make('kbd', settings.keys[name].toUpperCase()));
      b.setAttribute('aria-keyshortcuts', settings.keys[name]);
    }
    b.append(name.startsWith('grade:') ? text.replace(/^\d+ /, `${settings.keys[name] === text.split(' ')[0] && settings.shortcuts ? '' : `${text.split(' ')[0]} `}`) : text);
    if (name.startsWith('grade:')) { b.dataset.grade = name.slice(6); b.setAttribute('aria-label', text); }
    b.dataset.act = name;
    b.addEventListener('click', act);
    return b;
  };
  fill($('grades'), ...actions.filter(([n]) => n.startsWith('grade:')).map(one));
  fill($('acts'), ...actions.filter(([n]) => !n.startsWith('grade:') && n !== 'keys').map(one));
  enable(current !== null);
}

// A field takes the key that is pressed in it, if no other action has it.
function keyField([name, text]) {
  const label = make('label', text);
  const input = make('input');
  input.id = `key-${name.replace(':', '-')}`;
  label.htmlFor = input.id;
  input.type = 'text';
  input.value = settings.keys[name];
  input.autocomplete = 'off';
  input.addEventListener('keydown', (e) => {
    if (e.key === 'Tab' || e.key === 'Escape' || e.key === 'Enter' || e.ctrlKey || e.metaKey || e.altKey) return;
    e.preventDefault();
    const key = e.key === 'Backspace' || e.key === 'Delete' ? '' : e.key.length === 1 ? e.key.toLowerCase() : null;
    const other = key && actions.find(([n]) => n !== name && settings.keys[n] === key);
    if (key === null || key === ' ' || other) {
      $('keys-said').textContent = other ? `${key} is the key of: ${other[1]}` : 'One letter, digit or sign, please.';
      return;
    }
    input.value = key;
    settings.keys[name] = key;
    buttons();
    keepSettings();
  });
  return [label, input];
}

function openNote() {
  $('note-row').hidden = false;
  $('note').focus();
}

function openSettings() {
  fill($('keys'), ...actions.flatMap(keyField));
  $('set-keys').checked = settings.shortcuts;
  $('set-marks').checked = settings.marks;
  $('keys-said').textContent = '';
  if (!$('settings').open) $('settings').showModal();
}

const writes = (e) => e instanceof HTMLElement
  && (e.isContentEditable || ['INPUT', 'TEXTAREA', 'SELECT'].includes(e.tagName));

function onKey(e) {
  activity.last = performance.now();
  if (e.key === 'Escape' && document.activeElement === $('note')) { $('text').focus(); return; }
  if (e.ctrlKey || e.metaKey || e.altKey || e.isComposing || e.repeat || !settings.shortcuts) return;
  if (writes(e.target) || $('settings').open || !session) return;
  const found = actions.find(([name]) => settings.keys[name] === e.key.toLowerCase() && e.key.length === 1);
  if (!found || (found[0] !== 'keys' && view !== 'judge' && view !== 'adjudicate' && !(view === 'done' && found[0] === 'undo'))) return;
  e.preventDefault();
  found[2]();
}

// ------------------------------------------------------------------- views --

function setView(name) {
  view = name;
  for (const [id, names] of Object.entries({ 'view-login': ['login'], 'view-judge': ['judge', 'adjudicate'],
    'view-done': ['done'], 'view-list': ['list'], 'view-overview': ['overview'] }))
    $(id).hidden = !names.includes(name);
  document.body.classList.toggle('judging', name === 'judge' || name === 'adjudicate');
  for (const a of document.querySelectorAll('#views a')) {
    const here = location.hash === a.getAttribute('href') || (name === 'judge' && a.hash === '#judge');
    if (here) a.setAttribute('aria-current', 'page'); else a.removeAttribute('aria-current');
  }
}

let doneOf = '';
function showDone() {
  doneOf = view === 'adjudicate' || location.hash === '#adjudicate' ? 'adjudicate' : 'judge';
  setView('done');
  $('done-head').textContent = doneOf === 'adjudicate' ? 'No grades differ now' : 'Nothing is left to judge here';
  $('done-text').textContent = chosen() ? 'Other topics may have some: choose them under Judge.'
    : 'Thank you. What others have put off or hold now may come back later.';
  where();
}

function showLogin(why) {
  setView('login');
  $('views').hidden = true;
  $('settings-open').hidden = true;
  if (why) $('login-why').textContent = why;
}

function go() {
  if (!session || location.hash.startsWith('#t=')) return;
  const to = location.hash.slice(1);
  warn('');
  if (to === 'list') showList();
  else if (to === 'overview' && session.owner) showOverview();
  else {
    const name = to === 'adjudicate' && session.owner ? to : 'judge';
    if (view !== name || !current) forget();
    setView(name);
    if (!current) { clear(); deliver(); fetchNext(); }
    refresh();
  }
}

async function begin() {
  const { json } = await ask('/api/session');
  session = json;
  readSettings(session.keys);
  buttons();
  $('views').hidden = false;
  $('settings-open').hidden = false;
  for (const e of document.querySelectorAll('.owners')) e.hidden = !session.owner;
  $('guidelines').hidden = !session.guidelines;
  $('guidelines-text').textContent = session.guidelines;
  if (matchMedia('(max-width: 46rem)').matches) { $('guidelines').open = false; $('standing').open = false; }
  fill($('topic-choice'), new Option('all topics, in order', 0),
    ...session.topics.map((t, i) => new Option(`${t.name} (${t.items})`, i + 1)));
  $('topic-choice').parentElement.hidden = session.topics.length < 2;
  fill($('o-as'), ...['usual', 'prels', 'qrels', 'strata', 'log', 'labels'].map((n) => new Option(
    n === 'usual' ? 'the form it came in' : n, n)));
  where();
  go();
}

async function login(link) {
  const token = /(?:#t=|^)([0-9a-f]{32})$/.exec(link.trim())?.[1] ?? '';
  try {
    await ask('/api/login', { token });
    history.replaceState(null, '', location.pathname);
    await begin();
  } catch (problem) {
    history.replaceState(null, '', location.pathname);
    showLogin(problem.status ? `${problem.message}. Ask whoever runs this session for a new one.` : 'The server does not answer. Try again in a moment.');
  }
}

// -------------------------------------------------------------------- start --

document.addEventListener('keydown', onKey);
for (const kind of ['pointerdown', 'pointermove', 'wheel', 'touchstart'])
  document.addEventListener(kind, () => { activity.last = performance.now(); }, { passive: true });
document.addEventListener('scroll', () => { activity.last = performance.now(); }, { passive: true, capture: true });
document.addEventListener('visibilitychange', () => { tally(); if (!document.hidden) { deliver(); refresh(); } });
addEventListener('online', deliver);
addEventListener('hashchange', () => { if (location.hash.startsWith('#t=')) login(location.hash); else go(); });
setInterval(() => {
  tally();
  const s = Math.floor(activity.active / 1000);
  $('clock').textContent = `${Math.floor(s / 60)}:${String(s % 60).padStart(2, '0')}`;
}, 1000);
setInterval(refresh, 3000);

$('login').addEventListener('submit', (e) => { e.preventDefault(); login($('login-link').value); });
$('settings-open').addEventListener('click', openSettings);
$('keys-usual').addEventListener('click', () => { settings.keys = usualKeys(); buttons(); openSettings(); keepSettings(); });
$('set-keys').addEventListener('change', () => { settings.shortcuts = $('set-keys').checked; buttons(); keepSettings(); });
$('set-marks').addEventListener('change', () => {
  settings.marks = $('set-marks').checked;
  if (current) writeText($('text'), current.text, current.topic_text);
  keepSettings();
});
$('leave').addEventListener('click', async () => {
  await ask('/api/logout', {}).catch(() => {});
  $('settings').close();
  session = null;
  forget();
  showLogin('You have logged out.');
});
$('topic-choice').addEventListener('change', () => { forget(); clear(); deliver(); fetchNext(); });
$('rest-show').addEventListener('click', async () => {
  const { json } = await ask(`/api/item?id=${current.item}&whole=1`);
  if (current?.item === json.next.item) { current.text = json.next.text; writeText($('text'), current.text, current.topic_text); $('rest').hidden = true; }
});
$('done-again').addEventListener('click', () => { setView(doneOf); clear(); fetchNext(); });
$('list-state').addEventListener('change', () => showList());
$('list-more').addEventListener('click', () => showList(true));
$('o-add').addEventListener('submit', (e) => { e.preventDefault(); assessor('add', $('o-name').value.trim()); $('o-name').value = ''; });
$('o-export').addEventListener('submit', (e) => { e.preventDefault(); save(); });
$('o-topics-more').addEventListener('click', () => { topicsShown += TOPICS; topicsTable(session.topics); });

if (location.hash.startsWith('#t=')) login(location.hash);
else begin().catch((problem) => { if (problem.status === 401) showLogin(); else { showLogin('The server does not answer. Load the page again in a moment.'); } });
