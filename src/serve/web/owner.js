// SPDX-License-Identifier: Apache-2.0
// Lists of judgments, and the overview of who owns the session.

// ------------------------------------------------------------------- lists --

const seconds = (ms) => (ms === null || !(ms > 0) ? '–' : ms < 9950 ? `${(ms / 1000).toFixed(1)} s`
  : ms < 59500 ? `${Math.round(ms / 1000)} s`
  : `${Math.floor(ms / 60000)} min ${Math.round((ms % 60000) / 1000)} s`);
// Swedish writes dates as ISO 8601 does: 2026-11-17 22:36.
const when = (at) => (at ? new Date(at).toLocaleString('sv', { dateStyle: 'short', timeStyle: 'short' }) : '–');
let listFrom = 0;
let listAsked = 0; // how often: only the answer to the last question is shown

function cells(...values) {
  const tr = make('tr');
  for (const [text, className, label] of values) {
    const td = text instanceof Node ? make('td') : make('td', text, className);
    if (text instanceof Node) td.append(text);
    if (label) td.dataset.label = label; // a card on a phone
    tr.append(td);
  }
  return tr;
}

// A title in a row of the list.
const brief = (title) => spelled('', title.length > 300 ? `${title.slice(0, 300)}…` : title);

// What the list can show: states, grades, tags, and for who decides them, disagreements.
function listChoices() {
  const option = (text, value) => new Option(text, value);
  fill($('list-state'), option('all, newest first', ''), option('later', 'state:later'), option('cannot judge', 'state:cannot'),
    option('with a note', 'state:noted'), ...(session.adjudicates ? [option('disagreements', 'state:conflict')] : []),
    ...session.grades.map((g) => option(`${g.word} (${g.grade})`, `grade:${g.grade}`)),
    ...tagsOf().map(({ tag }) => option(`#${tag}`, `tag:${tag}`)));
}

function listFilter(text) {
  const chosen = $('list-state').value;
  const [kind, ...value] = chosen.split(':');
  const by = chosen ? { [kind]: kind === 'grade' ? Number(value[0]) : value.join(':') } : {};
  return { ...by, ...(text ? { text } : {}), from: listFrom };
}

async function showList(more = false) {
  setView('list');
  const state = $('list-state').value;
  const text = $('search-text').value.trim();
  if (!more) { listFrom = 0; fill($('list').tBodies[0]); }
  const asked = ++listAsked;
  try {
    const { json } = await (text || state ? ask('/api/search', listFilter(text)) : ask(`/api/history?before=${listFrom}`));
    if (asked !== listAsked) return;
    for (const i of json.items) {
      const change = make('button', 'Open');
      change.type = 'button';
      change.setAttribute('aria-label', `Open ${i.docno}`);
      change.addEventListener('click', () => open(i.item));
      const said = i.seq > 0;
      $('list').tBodies[0].append(cells([`${i.docno} ${brief(i.title ?? '')}`.trim()], [session.topics[i.topic]?.name ?? '', 'topics', 'Topic'],
        [said ? wordOf(i.reason, i.grade) : 'not judged', '', 'Judgment'], [i.note ?? '', 'long', 'Note'],
        [when(i.at), '', 'When'], [seconds(i.active_ms), '', 'Time spent'], [change]));
      listFrom = state || text ? i.item + 1 : i.seq;
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
  else warn(problem.status ? sentence(problem.message) : 'The server does not answer.');
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

function minutes(m, open) {
  if (open === 0) return 'none';
  if (m === null || m === undefined) return '–';
  return m < 1 ? '< 1 min' : m < 90 ? `${Math.round(m)} min` : `${(m / 60).toFixed(1)} h`;
}

const documents = (n) => `${number.format(n)} ${n === 1 ? 'document' : 'documents'}`;

// Who holds which documents: a row an assessor.
function holdsTable(held) {
  const names = [...new Set(held.map((h) => h.name))];
  $('o-holds').hidden = names.length === 0;
  $('o-holds-text').textContent = names.length === 0 ? 'No document is held.'
    : 'A held document is reserved for its assessor until the assessor judges it or leaves the page, or you release it.';
  fill($('o-holds').tBodies[0], ...names.map((name) => {
    const theirs = held.filter((h) => h.name === name);
    const release = make('button', 'Release');
    release.type = 'button';
    release.setAttribute('aria-label', `Release: ${name}`);
    release.addEventListener('click', () => assessor('release', name));
    return cells([name], [theirs.map((h) => h.docno).join(', '), 'long'], [`${theirs[0].idle} s ago`, 'n'], [release]);
  }));
}

function askRevoke(a, held) {
  const theirs = held.filter((h) => h.name === a.name).map((h) => h.docno);
  $('revoke-yes').textContent = `Revoke ${a.name}\u2019s access`;
  $('revoke-head').textContent = `Revoke ${a.name}\u2019s access?`;
  $('revoke-text').textContent = `${a.name} will not be able to judge any more. ${a.name}\u2019s judgments (${number.format(a.judged)}) are kept.`
    + (theirs.length > 0 ? ` ${documents(theirs.length)} held by ${a.name} will be released: ${theirs.join(', ')}.` : '');
  $('revoke-yes').onclick = () => { $('revoke').close(); assessor('revoke', a.name); };
  $('revoke').showModal();
}

function assessorRow(a, held) {
  const buttons = make('span', null, 'row');
  for (const [act, text] of [['link', 'New link'], ['revoke', 'Revoke']]) {
    if (a.revoked || (act === 'revoke' && a.name === session.assessor)) continue;
    const b = make('button', text);
    b.type = 'button';
    b.setAttribute('aria-label', `${text}: ${a.name}`);
    b.addEventListener('click', () => (act === 'revoke' ? askRevoke(a, held) : assessor(act, a.name)));
    if (act === 'revoke') b.setAttribute('aria-haspopup', 'dialog');
    buttons.append(b);
  }
  return cells([a.revoked ? `${a.name} (revoked)` : a.name], ...[a.judged, a.relevant, a.cannot, a.later, a.undone]
    .map((n) => [number.format(n), 'n']), [seconds(a.median_ms), 'n'], [when(a.last)], [buttons]);
}

async function assessor(act, name) {
  try {
    const { answer, json } = await ask('/api/assessor', { do: act, name });
    if (!answer.ok) throw new Refused(answer.status, json.error);
    $('o-copy-row').hidden = !json.link;
    $('o-copy-text').textContent = json.link ?? '';
    $('o-link').textContent = json.link ? `Link for ${name} (shown only once):`
      : `${act === 'revoke' ? `${name} cannot judge any more. ` : ''}The documents held by ${name} were released.`;
    await showOverview(true);
  } catch (problem) { trouble(problem); }
}

function topicsTable(topics) {
  fill($('o-topics').tBodies[0], ...topics.slice(0, topicsShown).map((t) =>
    cells([t.name], [number.format(t.items), 'n'], [number.format(t.judged), 'n'],
      [bar(t.judged, t.items, `Proportion of topic ${t.name} that is judged`)])));
  $('o-topics-more').hidden = topics.length <= topicsShown;
}

// Who looks at the overview judges nothing, and holds nothing.
const release = () => ask('/api/assessor', { do: 'release', name: session.assessor });

async function showOverview(again = false) {
  if (!again) { forget(); setView('overview'); $('o-export-said').textContent = ''; }
  try {
    if (!again) await release();
    const { json } = await ask('/api/overview');
    const c = json.counts;
    if (again && c.judged !== $('progress').value) $('o-export-said').textContent = ''; // untrue by now
    progress(c, json.assessors.find((a) => a.name === session.assessor)?.judged ?? 0);
    fill($('tiles'), tile('judged', `${number.format(c.judged)} of ${number.format(c.items)}`),
      tile('judgments left', number.format(c.open)), tile('time left', minutes(json.live.minutes_left, c.open)), tile('later', number.format(c.later)),
      tile('cannot judge', number.format(c.cannot)), tile('disagreements', number.format(c.conflicts)));
    fill($('o-panel'), ...panel(json.live));
    fill($('o-curve'), ...curve(json.live));
    $('o-advice').textContent = json.live.advice;
    fill($('o-assessors').tBodies[0], ...json.assessors.map((a) => assessorRow(a, json.held)));
    holdsTable(json.held);
    session.topics = json.topics;
    topicsTable(json.topics);
    $('o-flow-part').hidden = json.prisma.length === 0;
    if (json.prisma.length > 0) fill($('o-flow'), prismaFlow(json.prisma));
    if (!again) fill($('o-combine'), ...['adjudicated', 'last', 'majority', 'median', ...json.assessors.map((a) => a.name)]
      .map((name) => make('option', name)));
    warn('');
    await showAgreement();
  } catch (problem) { trouble(problem); }
}

const range = (a, b, say = shown) => (a === null || b === null ? '–' : `${say(a)} to ${say(b)}`);
async function showAgreement() {
  const { json } = await ask('/api/agreement');
  $('o-agree-text').textContent = json.items > 0
    ? `${documents(json.items)} ${json.items === 1 ? 'has' : 'have'} grades from two or more assessors; ${shown(100 * json.prevalence, 1)} % of these grades mean \u201crelevant\u201d.`
    : 'No document has grades from two assessors yet.';
  $('o-agree').hidden = json.pairs.length === 0;
  const under = json.under.filter((u) => u.value !== null);
  $('o-under').hidden = $('o-under-text').hidden = under.length === 0;
  fill($('o-agree').tBodies[0], ...json.pairs.map((p) => cells([`${p.a}, ${p.b}`], [number.format(p.items), 'n'],
    [shown(p.agreement), 'n'], [range(p.agreement_lower, p.agreement_upper), 'n'],
    [shown(p.kappa), 'n'], [range(p.kappa_lower, p.kappa_upper) + (p.few && p.kappa_lower !== null ? ' (few documents)' : ''), 'n'])));
  fill($('o-under').tBodies[0], ...under.map((u) => cells([u.of], [figure(u.value, u.of), 'n'],
    [range(u.lower, u.upper, (x) => figure(x, u.of)), 'n'],
    [number.format(u.documents), 'n'])));
}

function download(blob, name) {
  const link = make('a');
  link.href = URL.createObjectURL(blob);
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10000);
}

const saveFlow = () => download(new Blob([new XMLSerializer().serializeToString($('o-flow').firstChild)],
  { type: 'image/svg+xml' }), 'prisma.svg');

async function save() {
  const as = $('o-as').value;
  const path = `/api/export?as=${as}&combine=${encodeURIComponent($('o-combine').value)}&partial=${$('o-partial').checked ? 1 : 0}`;
  try {
    const { answer, json } = await ask(path);
    if (json) {
      $('o-export-said').textContent = `Not saved: ${json.error}.`
        + ($('o-partial').checked ? '' : ' To save anyway, tick \u201cexport even if documents are left to judge\u201d.');
      return;
    }
    const name = /filename="([\w.-]+)"/.exec(answer.headers.get('Content-Disposition') ?? '')?.[1] ?? 'judgments.txt';
    download(await answer.blob(), name);
    $('o-export-said').textContent = `Saved as ${name}.`;
  } catch (problem) { trouble(problem); }
}

