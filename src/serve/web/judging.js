// SPDX-License-Identifier: Apache-2.0
// The document on the screen, judgments, and the numbers beside it.

// ------------------------------------------------------------------- items --

const wants = () => (view === 'judge' || view === 'adjudicate' || view === 'done') && (!current || !ready);
const chosen = () => Number($('topic-choice').value);
// References and strata are of no topic: the tool calls it "review".
const hasTopics = () => session.topics.length > 1 || session.topics[0]?.name !== 'review';
// What the page waits for; an answer is dropped if the view or the topic has changed since it was asked for.
const wanted = () => `${view === 'done' ? doneOf : view} ${chosen()}`;
const adjudicates = () => wanted().startsWith('adjudicate');

// Judgments that the server has when it answers what is asked now.
const stored = (batch = []) => new Set([...past.filter((p) => p.seq !== undefined).map((p) => p.uuid), ...batch.map(([, e]) => e.uuid)]);

function arrived(json, asked, known) {
  if ('conflicts' in json) settled = json;
  if (json.next && view === 'overview') release().catch(() => {}); // it was asked for before
  if (!('next' in json) || asked !== wanted()) return;
  const next = json.next;
  if (next === null) {
    if (!current) showDone(json.held);
    return;
  }
  // An answer that was under way while its document was judged, or put off, here offers it once more.
  if (!adjudicates() && past.some((p) => p.item.item === next.item && (p.reason !== 'later' || !known.has(p.uuid)))) {
    if (!current && !delivering) fetchNext();
    return;
  }
  if (!current) show(next);
  else if (next.item !== current.item) ready = next;
}

let settled = null; // documents whose grades differ: all, and those settled
async function fetchNext() {
  if (!wants()) return;
  const asked = wanted();
  const known = stored();
  try {
    const { json } = await ask(`/api/next?topic=${chosen()}&not=${current?.item ?? 0}`
      + `&adjudicate=${adjudicates() ? 1 : 0}`);
    arrived(json, asked, known);
    if (current && !ready && json.next && asked === wanted()) fetchNext();
  } catch (problem) {
    if (problem.status === 401) { failed(problem); return; }
    waited = Math.min(waited ? 2 * waited : 500, 8000);
    again = setTimeout(() => { deliver(); fetchNext(); }, waited);
    warn(problem.status ? sentence(problem.message) : 'The server does not answer. This page tries again.');
  }
}

function forget() { current = null; ready = null; past.length = 0; }

// --------------------------------------------------------------- judgments --

const activity = { active: 0, away: 0, tick: performance.now(), last: performance.now(), hidden: document.hidden };
const IDLE = 60000;

function tally() {
  const now = performance.now();
  const passed = now - activity.tick;
  if (activity.hidden || now - activity.last > IDLE) activity.away += passed;
  else activity.active += passed;
  activity.tick = now;
  activity.hidden = document.hidden; // what passes from here on
}

function restart() { tally(); activity.active = 0; activity.away = 0; activity.last = activity.tick; }

function entry(item, reason, grade) {
  tally();
  const e = { uuid: uuid(), item: item.item, docno: item.named, reason, active_ms: Math.min(Math.round(activity.active), 86400000),
    away_ms: Math.min(Math.round(activity.away), 86400000) };
  if (grade !== undefined) e.grade = grade;
  return e;
}

function judge(reason, grade) {
  if (!current) return;
  if (view === 'adjudicate' && reason !== 'judged') { say('To adjudicate, give a grade.'); return; }
  const e = entry(current, view === 'adjudicate' ? 'adjudicated' : reason, grade);
  const note = $('note').value.trim();
  if (note) e.note = note;
  outbox.put(e);
  past.push({ item: current, uuid: e.uuid, reason, grade, note });
  if (past.length > 50) past.shift();
  if (view === 'adjudicate' && settled) settled.settled++;
  const next = ready;
  ready = null;
  current = null;
  if (next) show(next); else clear();
  deliver();
}

function undo() {
  const last = past.pop();
  if (!last) { say('nothing to undo here'); return; }
  const e = entry(last.item, 'undo');
  outbox.put(e);
  if (current) ready = current;
  show(last.item);
  $('note').value = last.note;
  $('note-row').hidden = !last.note;
  $('mine').textContent = `Undone: ${wordOf(last.reason, last.grade)}`;
  $('mine').hidden = false;
  deliver();
}

function wordOf(reason, grade) {
  if (reason === 'cannot') return 'cannot judge';
  if (reason === 'later') return 'later';
  if (reason === 'undo') return 'undone';
  const g = session.grades.find((x) => x.grade === grade);
  return g ? `${g.word} (${g.grade})` : String(grade ?? '');
}

// ------------------------------------------------------------- the document --

const COMMON = new Set(('about above after again against all also and any are because been before being '
  + 'below between both but can could did does doing down during each few for from further had has have having '
  + 'her here him his how into its just more most must not now off once only other our out over own same she '
  + 'should some such than that the their them then there these they this those through too under until very '
  + 'was were what when where which while who whom why will with would you your document documents relevant '
  + 'discuss describe identify find information').split(' '));

function wordsOf(text) {
  const words = new Set();
  for (const [w] of (text ?? '').toLowerCase().matchAll(/[\p{L}\p{N}]+/gu))
    if (w.length > 2 && !COMMON.has(w)) words.add(w.length > 4 ? w.replace(/(ies|es|s|ing|ed)$/u, '') : w);
  return [...words].sort((a, b) => b.length - a.length).slice(0, 60);
}

// Words of the settings, separated by commas: phrases, and beginnings with * at the end.
const listed = (text) => (text ?? '').split(/[,;\n]/).map((w) => w.trim()).filter(Boolean).slice(0, 200)
  .map((w) => w.replace(/\*$/, '').replace(/[.*+?^${}()|[\]\\]/g, '\\$&').replace(/\s+/g, '\\s+')
    + (w.endsWith('*') ? '[\\p{L}\\p{N}]*' : ''))
  .sort((a, b) => b.length - a.length);

// A group of a pattern: one of these, as whole words or with a short end.
const oneOf = (name, words) => (words.length === 0 ? ''
  : `(?<${name}>(?<![\\p{L}\\p{N}])(?:${words.join('|')})[\\p{L}\\p{N}]{0,4}(?![\\p{L}\\p{N}]))|`);

// What is put on the screen at once: so much text, so many marks.  More comes when it is asked for.
// What follows so many characters without a blank is laid out apart, when it is scrolled to.
const PIECE = 100000;
const MARKS = 2000;
const WORD = 2000;

// Text with words of the topic marked, and characters that act on what is around them shown; those
// that repeat once, with their number.  Returns how far it came.
function writeText(to, text, topic, from = 0) {
  const parts = [];
  const begin = () => parts.push(make(to === $('title') ? 'span' : 'div', undefined, 'piece'));
  const lists = settings.marks && to !== $('topic-text') ? settings.words : { include: '', exclude: '' };
  const pattern = new RegExp(`${oneOf('for', listed(lists.include))}${oneOf('against', listed(lists.exclude))}`
    + `${oneOf('topic', settings.marks ? wordsOf(topic) : [])}(?<strange>${STRANGE})`, 'giu');
  let end = Math.min(from + PIECE, text.length);
  const splits = (where) => /[\ud800-\udbff]/.test(text.charAt(where - 1)); // between characters
  if (splits(end)) end--;
  const piece = text.slice(from, end);
  let at = 0;
  let marks = 0;
  const put = (until) => {
    const base = at;
    for (const { 0: w, index } of piece.slice(at, until).matchAll(/\S+/gu))
      for (let cut = index + WORD; cut < index + w.length; cut += WORD) {
        const where = base + cut + splits(from + base + cut);
        parts.at(-1).append(piece.slice(at, where));
        at = where;
        begin();
      }
    parts.at(-1).append(piece.slice(at, until));
    at = until;
  };
  begin();
  for (const found of piece.matchAll(pattern)) {
    if (marks++ === MARKS) { end = from + at; break; }
    if (found.index > at) put(found.index);
    parts.at(-1).append(found.groups.strange ? make('span', codeOf(found[0]), 'odd') : make('mark', found[0], found.groups.for ? 'for' : found.groups.against ? 'against' : ''));
    at = found.index + found[0].length;
  }
  if (marks <= MARKS) put(piece.length);
  if (from === 0) fill(to);
  to.append(...parts);
  return end;
}

let written = 0; // characters of the document that are on the screen
function writeDocument(item, from = 0) {
  written = writeText($('text'), item.text, item.topic_text, from);
  const left = item.text.length - written;
  $('rest').hidden = left === 0 && !item.cut;
  $('rest-show').textContent = left > 0 ? `Show more (${number.format(left)} characters left)` : `Show all ${number.format(item.bytes)} bytes`;
}

async function showMore() {
  const item = current;
  if (item.cut && written === item.text.length) {
    const { json } = await ask(`/api/item?id=${item.item}&whole=1`);
    if (current !== item || json.next.item !== item.item) return;
    item.text = json.next.text;
    item.cut = false;
  }
  writeDocument(item, written);
}

function show(item) {
  current = item;
  setView(item.adjudicate ? 'adjudicate' : 'judge');
  $('topic-head').textContent = `Topic ${item.topic_name}`;
  const told = item.topic_text || '';
  const left = told.length - writeText($('topic-text'), told);
  if (left > 0) $('topic-text').append(`… (${number.format(left)} more characters)`);
  $('topic-head').parentElement.hidden = !hasTopics() && !item.topic_text;
  $('docno').textContent = item.docno;
  writeText($('title'), (item.title || '').slice(0, 2000), item.topic_text);
  $('title').hidden = !item.title;
  showPublished(item);
  if (item.missing) fill($('text'), make('em', 'The text of this document is missing.'));
  else writeDocument(item);
  if (item.missing) $('rest').hidden = true;
  $('note').value = item.others.length === 0 ? item.mine?.note ?? '' : '';
  $('note-row').hidden = !$('note').value;
  const mine = item.mine !== undefined && item.others.length === 0;
  $('mine').hidden = !mine;
  if (mine) $('mine').textContent = `Your judgment: ${wordOf(item.mine.reason, item.mine.grade)}`;
  showTags();
  for (const b of $('grades').children)
    b.classList.toggle('was', mine && item.mine.grade === Number(b.dataset.grade));
  showOthers(item);
  enable(true);
  $('document').scrollTop = 0;
  $('text').scrollTop = 0;
  if (matchMedia('(max-width: 46rem)').matches) scrollTo(0, 0);
  where();
  restart();
}

// Where a reference was published, with links.
function showPublished(item) {
  const links = [[item.doi && `https://doi.org/${encodeURI(item.doi)}`, 'DOI'], [item.url, 'Full text or page']]
    .filter(([url]) => url).map(([url, word]) => link(url, word));
  fill($('published'), item.journal ? `${item.journal} ` : '', ...links);
  $('published').hidden = !item.journal && links.length === 0;
}

// Another site, in another tab, which does not learn where it was opened.
function link(url, text) {
  const a = make('a', text);
  a.href = url;
  a.target = '_blank';
  a.rel = 'noopener noreferrer';
  return a;
}

// Blind unless asked: whose label it is does not matter.
function showOthers(item) {
  $('others').hidden = item.others.length === 0;
  const counted = view === 'adjudicate' && settled;
  if (counted) item.number ??= Math.min(settled.settled + 1, settled.conflicts); // kept after Undo
  $('others-head').textContent = counted ? `Document ${item.number} of ${settled.conflicts} with different grades` : 'Grades of the assessors';
  fill($('others-list'), ...item.others.map((o, i) => {
    const li = make('li');
    li.append(make('strong', wordOf(o.reason, o.grade)), $('others-names').checked ? `${o.assessor ?? ''}` : `Assessor ${'ABCDEFGH'[i] ?? i + 1}`);
    if (o.note) li.append(make('p', o.note));
    return li;
  }));
}

function clear() {
  for (const id of ['docno', 'title', 'text', 'published', 'mine']) fill($(id));
  $('rest').hidden = true;
  $('note').value = '';
  $('note-row').hidden = true;
  enable(false);
  $('docno').textContent = 'Loading the next document …';
}

function enable(on) {
  for (const b of document.querySelectorAll('#grades button, #reasons button, #acts button[data-act]'))
    b.disabled = !on && b.dataset.act !== 'undo';
}

let mine = null; // documents judged by who looks at the page
function where() {
  const judging = view === 'judge' || view === 'adjudicate';
  const parts = [judging && current && hasTopics() ? `topic ${current.topic_name}` : '', (mine === null ? '' : `${number.format(mine)} judged by `) + session?.assessor];
  $('where').textContent = session ? parts.filter(Boolean).join(' · ') : 'Judging';
  document.title = session ? `Judging · ${session.file}` : 'Judging';
}

// Of all assessors, and of this one.
function progress(c, own) {
  mine = own;
  $('progress').max = Math.max(c.items, 1);
  $('progress').value = c.judged;
  $('progress-text').textContent = `${number.format(c.judged)} of ${documents(c.items)} judged, ${number.format(mine)} by you.`
    + (c.open > c.items - c.judged ? ` ${number.format(c.open)} judgments left (some documents need more than one).` : '');
  where();
}

// ----------------------------------------------------------------- numbers --

const SVG = 'http://www.w3.org/2000/svg';
function shape(name, attributes, text) {
  const e = document.createElementNS(SVG, name);
  if (text !== undefined) e.textContent = text;
  for (const [k, v] of Object.entries(attributes)) e.setAttribute(k, v);
  return e;
}

// Recall is in percent, as in the verdict.
const figure = (x, of) => (x === null || x === undefined ? '–'
  : of.startsWith('relevant') ? number.format(Math.round(x)) : `${Math.round(100 * x)} %`);

// A limit that holds is rounded down.
const least = (x) => `${Math.floor(100 * x + 1e-7)} %`;

function drawing(n, target) {
  const most = n.upper <= 1 && n.value <= 1 ? 1 : n.upper * 1.15;
  const x = (v) => 4 + 192 * Math.min(Math.max(v / most, 0), 1);
  const svg = shape('svg', { viewBox: '0 0 200 36', preserveAspectRatio: 'xMinYMid meet', class: 'interval', role: 'img',
    'aria-label': `${n.of}: ${figure(n.value, n.of)}, interval ${figure(n.lower, n.of)} to ${figure(n.upper, n.of)}` });
  svg.append(shape('line', { x1: 4, x2: 196, y1: 12, y2: 12, class: 'axis' }),
    shape('line', { x1: x(n.lower), x2: x(n.upper), y1: 12, y2: 12, class: 'span' }));
  if (target > 0 && most === 1)
    svg.append(shape('line', { x1: x(target), x2: x(target), y1: 2, y2: 22, class: 'target' }));
  svg.append(shape('circle', { cx: x(n.value), cy: 12, r: 5, class: 'at' }));
  for (const [at, anchor] of [[0, 'start'], [most / 2, 'middle'], [most, 'end']])
    svg.append(shape('text', { x: x(at), y: 33, 'text-anchor': anchor }, most === 1 ? `${100 * at} %` : number.format(Math.round(at))));
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
  const say = (x) => figure(x, n.now.of);
  const percent = `${Math.round(100 * n.confidence)} %`;
  if (n.now.value !== null) {
    const has = n.now.lower !== null && n.now.upper !== null;
    rows.push(...row('now', `${n.now.of}: ${say(n.now.value)}`
      + (has ? ` (${percent} interval ${say(n.now.lower)} to ${say(n.now.upper)})` : ''),
    has ? 'Do not use this number to decide when to stop.' : '', has ? drawing(n.now, n.target) : null));
  } else {
    rows.push(...row('now', 'too few documents are judged for an estimate'));
  }
  if (n.guaranteed !== undefined)
    rows.push(...row('guaranteed', `recall at least ${least(n.guaranteed)}`, 'Valid whenever you stop judging.'));
  if (n.looks > 0)
    rows.push(...row('plan', n.prefix >= n.look_at ? `all ${n.looks} interim analyses are done`
      : `next: interim analysis ${n.look} of ${n.looks}, after ${number.format(n.look_at)} documents (${number.format(n.prefix)} so far)`,
    n.look_lower === null ? '' : `Interim analysis after ${documents(n.judged_at_last)}: recall at least ${least(n.look_lower)}.`));
  return rows;
}

// Relevant documents found, over documents judged in their order.
function curve(n) {
  const points = n.curve ?? [];
  const most = points[points.length - 1];
  if (!(most > 0)) return [];
  const svg = shape('svg', { viewBox: '0 0 200 84', class: 'curve', role: 'img',
    'aria-label': `Relevant documents, in the order of judging: ${most} of ${n.prefix}` });
  const across = (i) => 24 + 172 * i / (points.length - 1);
  svg.append(shape('path', { d: 'M24 4V64H196' }),
    shape('polyline', { points: points.map((y, i) => `${across(i).toFixed(1)},${(64 - 56 * y / most).toFixed(1)}`).join(' ') }),
    shape('text', { x: 21, y: 12, 'text-anchor': 'end' }, number.format(most)),
    shape('text', { x: 21, y: 66, 'text-anchor': 'end' }, '0'),
    shape('text', { x: 28, y: 12 }, 'relevant'),
    shape('text', { x: 24, y: 75, 'text-anchor': 'middle' }, '0'),
    shape('text', { x: 110, y: 75, 'text-anchor': 'middle' }, 'judged, in order'),
    shape('text', { x: 196, y: 75, 'text-anchor': 'end' }, number.format(n.prefix)));
  const all = n.prefix === n.items;
  const text = `${all ? 'The whole list' : 'Before the first unjudged document'}: ${number.format(n.prefix)} judged, ${number.format(most)} relevant`
    + `${n.streak > 1 ? `; the last ${number.format(n.streak)} are not relevant` : ''}.`
    + (n.advice || all ? '' : ' Do not use these numbers to decide when to stop.');
  return [svg, ...(n.advice ? [] : [make('p', text, 'soft')])]; // advice has its own order
}

function showLive(own) {
  progress(live, own);
  const has = live?.now !== undefined;
  fill($('panel'), ...(has ? panel(live) : []));
  fill($('curve'), ...(has ? curve(live) : []));
  $('advice').textContent = has ? live.advice : '';
}

let refreshing = false;
async function refresh() {
  if (refreshing || !session || document.hidden || !['judge', 'adjudicate', 'done'].includes(view)) return;
  if (performance.now() - activity.last > IDLE) return; // nobody is here: no sign of life
  if (view === 'done' && waitsForOthers) fetchNext();
  refreshing = true;
  try {
    const { answer, json } = await ask('/api/live', undefined, liveTag ? { 'If-None-Match': liveTag } : {});
    if (json) {
      live = json.live;
      liveTag = answer.headers.get('ETag') ?? '';
      showLive(json.mine);
    }
  } catch { /* the numbers wait; judgments tell of trouble */ }
  refreshing = false;
}

