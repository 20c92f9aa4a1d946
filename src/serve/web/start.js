// SPDX-License-Identifier: Apache-2.0
// Keys, settings, views, and the beginning.

// ---------------------------------------------------------------- settings --

const settings = { marks: true, shortcuts: true, words: { include: '', exclude: '' }, keys: {} };
let actions = [];

function usualKeys() {
  const keys = {};
  session.grades.forEach((g, i) => { keys[`grade:${g.grade}`] = g.grade <= 9 ? String(g.grade) : 'qwerty'[i] ?? ''; });
  const all = { ...keys, cannot: 'x', later: 'l', undo: 'u', note: 'n', keys: '?' };
  // Of a tag: its first letter that is free, else any that is.
  for (const { tag } of tagsOf()) {
    const taken = new Set(Object.values(all));
    all[`tag:${tag}`] = [...`${tag.toLowerCase()}abcdefghijklmnopqrstuvwyz`].find((c) => /[a-z]/.test(c) && !taken.has(c)) ?? '';
  }
  return all;
}

// "wrong-design=0,privileged": a tag with a grade judges, one without is only added.
const tagsOf = () => session.tags.split(',').map((t) => t.trim()).filter(Boolean).map((t) => {
  const [, tag, grade] = /^(.*?)(?:=(\d+))?$/.exec(t);
  return { tag, grade: grade === undefined ? null : Number(grade) };
});

function judgeTagged({ tag, grade }) {
  if (!current) return;
  if (grade === null || !$('note').value.split(/\s+/).includes(`#${tag}`)) toggleTag(tag);
  if (grade === null) { $('note-row').hidden = $('note').value === ''; return; }
  judge('judged', grade);
}

function readSettings(kept) {
  settings.marks = kept.marks !== 'off';
  settings.shortcuts = kept.shortcuts !== 'off';
  settings.keys = usualKeys();
  settings.words = { include: kept.include ?? '', exclude: kept.exclude ?? '' };
  for (const [name, key] of Object.entries(kept)) if (name in settings.keys) settings.keys[name] = key;
  actions = [...session.grades.map((g) => [`grade:${g.grade}`, `${g.grade} ${g.word}`, () => judge('judged', g.grade)]),
    ...tagsOf().map((t) => [`tag:${t.tag}`, `${t.tag}${t.grade === null ? '' : ` (${t.grade})`}`, () => judgeTagged(t)]),
    ['cannot', 'cannot judge', () => judge('cannot')], ['later', 'later', () => judge('later')],
    ['undo', 'undo', undo], ['note', 'note', openNote], ['keys', 'keys and settings', openSettings]];
}

async function keepSettings() {
  try {
    await ask('/api/keys', { ...settings.keys, ...settings.words, marks: settings.marks ? 'on' : 'off', shortcuts: settings.shortcuts ? 'on' : 'off' });
    $('keys-said').textContent = '';
  } catch (problem) {
    $('keys-said').textContent = problem.status ? sentence(problem.message) : 'The server does not answer. The new keys are lost when you leave the page.';
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
    // The digit of a grade is not said twice when it is its key, too.
    const digit = name.startsWith('grade:') ? name.slice(6) : null;
    const own = settings.shortcuts && settings.keys[name] === digit;
    b.append(own ? ` ${text.slice(digit.length + 1)}` : ` ${text}`);
    if (digit !== null) b.dataset.grade = digit;
    b.dataset.act = name;
    if (digit !== null) b.style.setProperty('--value', String(session.grades.findIndex((g) => String(g.grade) === digit) / Math.max(session.grades.length - 1, 1)));
    b.addEventListener('click', act);
    return b;
  };
  fill($('grades'), ...actions.filter(([n]) => n.startsWith('grade:')).map(one));
  fill($('reasons'), ...actions.filter(([n]) => n.startsWith('tag:')).map(one));
  $('reasons').hidden = $('reasons').children.length === 0;
  fill($('acts'), ...actions.filter(([n]) => !/^(grade|tag):/.test(n) && n !== 'keys').map(one));
  showTags();
  enable(current !== null);
}

// Guidelines: headings, lists, bold, italics, code and links of Markdown, as elements.
function inline(text) {
  const parts = [];
  let at = 0;
  for (const m of text.matchAll(/\*\*(?<b>[^*]+)\*\*|\*(?<i>[^*\s][^*]*)\*|`(?<code>[^`]+)`|\[(?<word>[^\]]+)\]\((?<url>https?:[^)\s]+)\)/gu)) {
    parts.push(text.slice(at, m.index));
    const { b, i, code, word, url } = m.groups;
    parts.push(b ? make('strong', b) : i ? make('em', i) : code ? make('code', code) : link(url, word));
    at = m.index + m[0].length;
  }
  return [...parts, text.slice(at)];
}

function markdown(text) {
  const out = [];
  let open = null; // a list or a paragraph that goes on
  for (const line of text.split(/\r?\n/)) {
    const [, marks, head] = /^(#{1,6})\s+(.*)$/.exec(line) ?? [];
    const [, sign, item] = /^\s*([-*+]|\d+[.)])\s+(.*)$/.exec(line) ?? [];
    const kind = head !== undefined ? (marks.length < 2 ? 'h2' : 'h3') : item !== undefined ? (/\d/.test(sign) ? 'ol' : 'ul') : 'p';
    if (line.trim() === '') { open = null; continue; }
    if (open?.localName !== kind || kind[0] === 'h') out.push(open = make(kind));
    else if (kind === 'p') open.append(make('br'));
    if (item === undefined) { open.append(...inline(head ?? line.trim())); continue; }
    open.append(make('li'));
    open.lastChild.append(...inline(item));
  }
  return out;
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
      $('keys-said').textContent = other ? `${key} is already the key of “${other[1]}”.` : 'Press one letter, digit or sign.';
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
  showTags();
  $('note').focus();
}

// A tag is a word of the note: the button puts it there and takes it away.
function tagButton(tag) {
  const b = make('button', `#${tag}`);
  b.type = 'button';
  b.addEventListener('click', () => toggleTag(tag));
  return b;
}

function toggleTag(tag) {
  const words = $('note').value.split(/\s+/).filter(Boolean);
  const has = words.includes(`#${tag}`);
  $('note').value = (has ? words.filter((w) => w !== `#${tag}`) : [...words, `#${tag}`]).join(' ');
  showTags();
}

function showTags() {
  const words = $('note').value.split(/\s+/);
  for (const b of $('tags').children) b.setAttribute('aria-pressed', String(words.includes(b.textContent)));
  for (const b of $('reasons').children) b.setAttribute('aria-pressed', String(words.includes(`#${b.dataset.act.slice(4)}`)));
}

function openSettings() {
  fill($('keys'), ...actions.flatMap(keyField));
  $('set-keys').checked = settings.shortcuts;
  $('set-marks').checked = settings.marks;
  $('set-include').value = settings.words.include;
  $('set-exclude').value = settings.words.exclude;
  $('keys-said').textContent = '';
  if (!$('settings').open) $('settings').showModal();
}

const writes = (e) => e instanceof HTMLElement && e.type !== 'checkbox'
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
    const here = location.hash === a.getAttribute('href') || a.hash === `#${name}`;
    if (here) a.setAttribute('aria-current', 'page'); else a.removeAttribute('aria-current');
  }
}

let doneOf = '';
let waitsForOthers = false;
function showDone(held = []) {
  doneOf = view === 'adjudicate' || location.hash === '#adjudicate' ? 'adjudicate' : 'judge';
  setView('done');
  waitsForOthers = held.length > 0;
  const count = held.reduce((sum, h) => sum + h.documents, 0);
  const by = held.map((h) => (held.length > 1 ? `${h.name} (${h.documents})` : h.name)).join(', ');
  $('done-head').textContent = doneOf === 'adjudicate' ? 'No disagreement is left'
    : waitsForOthers ? `${documents(count)} ${count === 1 ? 'is' : 'are'} held by ${by}` : 'Nothing is left for you to judge';
  $('done-text').textContent = waitsForOthers
    ? 'All other documents are judged. If an assessor is away, the documents held appear here after a while.'
      + (session.owner ? ' You can release them in the overview now.' : '')
    : doneOf === 'adjudicate' ? ''
    : chosen() ? 'Other topics may have documents to judge: choose a topic under Judge.' : 'Thank you.';
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
    const name = (to === 'adjudicate' && session.adjudicates) || !session.judges ? 'adjudicate' : 'judge';
    if (view !== name || !current) forget();
    setView(name);
    if (!current) { clear(); deliver(); fetchNext(); }
    refresh();
  }
}

// What a session of each kind can be exported as, the usual one first.
const FORMS = { sample: ['prels', 'qrels', 'log', 'labels'], queue: ['qrels', 'log', 'labels', 'ris', 'csv'],
  review: ['strata', 'qrels', 'log', 'labels', 'csv'] };
const FORM_WORDS = { prels: 'prels (the completed sample)', strata: 'strata (the table with n and r)', qrels: 'qrels (grades)', log: 'log (judgments in order)',
  labels: 'labels (of each assessor)', ris: 'RIS (references)', csv: 'CSV (with tags and notes)' };

async function begin() {
  const { json } = await ask('/api/session');
  session = json;
  mine = null; // another assessor's, maybe
  liveTag = '';
  readSettings(session.keys);
  buttons();
  $('views').hidden = false;
  $('settings-open').hidden = false;
  for (const [what, may] of Object.entries({ owners: session.owner, adjudicates: session.adjudicates,
    judges: session.judges })) for (const e of document.querySelectorAll(`.${what}`)) e.hidden = !may;
  $('guidelines').hidden = !session.guidelines;
  fill($('guidelines-text'), ...markdown(session.guidelines));
  if (matchMedia('(max-width: 46rem)').matches) { $('guidelines').open = false; $('standing').open = false; }
  fill($('topic-choice'), new Option('all topics, in order', 0),
    ...session.topics.map((t, i) => new Option(`${t.name} (${t.items})`, i + 1)));
  document.body.classList.toggle('one-topic', session.topics.length < 2);
  fill($('o-as'), ...FORMS[session.kind].map((n) => new Option(FORM_WORDS[n], n)));
  fill($('tags'), ...tagsOf().map(({ tag }) => tagButton(tag)));
  listChoices();
  $('tags').hidden = session.tags === '';
  where();
  go();
  const left = outbox.left();
  if (left > 0) warn(`${left === 1 ? '1 judgment' : `${left} judgments`} of version 0.3 wait in this browser and cannot be saved: they do not say of which session they are. Judge these documents again.`);
}

async function login(link) {
  const token = /(?:#t=|^)([0-9a-f]{32})$/.exec(link.trim())?.[1] ?? '';
  try {
    sessionStorage.setItem('key', (await ask('/api/login', { token })).json.key);
    history.replaceState(null, '', location.pathname);
    await begin();
  } catch (problem) {
    history.replaceState(null, '', location.pathname);
    showLogin(problem.status ? `${sentence(problem.message)} Ask the person who invited you for a new link.` : 'The server does not answer. Try again in a moment.');
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
setInterval(() => { if (view === 'overview' && !document.hidden && !document.querySelector('dialog[open]')) showOverview(true); }, 10000);

$('login').addEventListener('submit', (e) => { e.preventDefault(); login($('login-link').value); });
$('settings-open').addEventListener('click', openSettings);
$('keys-usual').addEventListener('click', () => { settings.keys = usualKeys(); buttons(); openSettings(); keepSettings(); });
$('set-keys').addEventListener('change', () => { settings.shortcuts = $('set-keys').checked; buttons(); keepSettings(); });
$('set-marks').addEventListener('change', () => {
  settings.marks = $('set-marks').checked;
  if (current && !current.missing) writeDocument(current);
  keepSettings();
});
for (const name of ['include', 'exclude'])
  $(`set-${name}`).addEventListener('change', () => {
    settings.words[name] = $(`set-${name}`).value;
    if (current && !current.missing) writeDocument(current);
    keepSettings();
  });
$('o-flow-save').addEventListener('click', saveFlow);
$('revoke-no').addEventListener('click', () => $('revoke').close());
async function leave(everywhere) {
  try {
    await ask('/api/logout', { everywhere });
  } catch (problem) {
    if (everywhere && problem.status !== 401) { $('keys-said').textContent = 'The server does not answer. You are still logged in elsewhere.'; return; }
  }
  sessionStorage.removeItem('key');
  $('settings').close();
  session = null;
  forget();
  showLogin(everywhere ? 'You have logged out in all browsers. Links that were not opened stay valid.' : 'You have logged out.');
}
$('leave').addEventListener('click', () => leave(false));
$('leave-all').addEventListener('click', () => leave(true));
$('topic-choice').addEventListener('change', () => { forget(); clear(); deliver(); fetchNext(); });
$('rest-show').addEventListener('click', showMore);
$('done-again').addEventListener('click', () => { setView(doneOf); clear(); fetchNext(); });
$('list-state').addEventListener('change', () => showList());
$('search').addEventListener('submit', (e) => { e.preventDefault(); showList(); });
$('others-names').addEventListener('change', () => { if (current) showOthers(current); });
$('note').addEventListener('input', showTags);
$('o-copy').addEventListener('click', async () => {
  await navigator.clipboard.writeText($('o-copy-text').textContent);
  $('o-copy').textContent = 'Copied';
  setTimeout(() => { $('o-copy').textContent = 'Copy'; }, 2000);
});
$('list-more').addEventListener('click', () => showList(true));
$('o-add').addEventListener('submit', (e) => { e.preventDefault(); assessor('add', $('o-name').value.trim()); $('o-name').value = ''; });
$('o-export').addEventListener('submit', (e) => { e.preventDefault(); save(); });
$('o-topics-more').addEventListener('click', () => { topicsShown += TOPICS; topicsTable(session.topics); });

if (location.hash.startsWith('#t=')) login(location.hash);
else begin().catch((problem) => { if (problem.status === 401) showLogin(); else { showLogin('The server does not answer. Reload the page in a moment.'); } });
