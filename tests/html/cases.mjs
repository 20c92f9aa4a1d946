// SPDX-License-Identifier: Apache-2.0
// The reports that the browser opens, and the data they are made from.
import fs from 'node:fs';
import path from 'node:path';

// What a run tag may try: it has no blanks, and any other byte.
export const hostile = [
  '<script>window.harmed=1;alert(1)</script>',
  '</script><script>window.harmed=2</script>',
  '</title><img/src=x/onerror=window.harmed=3>',
  '"><svg/onload=window.harmed=4>',
  '<!--<script>',
  '=cmd()',
  '\x1b[31mred\x07',
  'a\u2028b\u202ec',
  '\'+window.harmed+\'',
  '{{constructor.constructor("window.harmed=5")()}}',
];

function range(prefix, count) {
  const digits = String(count).length < 2 ? 2 : String(count).length;
  return Array.from({ length: count }, (_, i) =>
    `${prefix}${String(i + 1).padStart(digits, '0')}`);
}

export async function collections(folder, run, names) {
  fs.writeFileSync(path.join(folder, 'strata.csv'), 'stratum,segment,N,n,r\nhigh,retrieved,18000,172,120\n'
    + 'low,retrieved,2000,100,40\nrest,unretrieved,232000,2228,24\n');
  const asked = (word) => names.some((name) => reports[name].args.join(' ').includes(word));
  await run('simulate', '--topics', '30', '--documents', '200', '--runs', '17', '-o', 'c17');
  if (asked('c143/'))
    await run('simulate', '--topics', '30', '--documents', '100', '--runs', '143', '-o', 'c143');
  if (asked('c1000/'))
    await run('simulate', '--topics', '1000', '--documents', '60', '--runs', '2', '-o', 'c1000');
  await run('eval', '-m', 'AP', '--write-matrix', 'ap.csv', 'c17/qrels', ...r17);
  // A sample, judged by those who know.
  await run('sample', '--budget', '40', '-o', 'judge', ...r17);
  const truth = new Map(fs.readFileSync(path.join(folder, 'c17/qrels'), 'utf8').split('\n')
    .map((line) => line.split(/\s+/)).map(([topic, , docno, grade]) => [`${topic} ${docno}`, grade]));
  fs.writeFileSync(path.join(folder, 'judged'), fs.readFileSync(path.join(folder, 'judge'), 'utf8')
    .split('\n').map((line) => {
      const [topic, docno, , ...rest] = line.split(/\s+/);
      return line.startsWith('#') || line === '' ? line
        : [topic, docno, truth.get(`${topic} ${docno}`) ?? '0', ...rest].join(' ');
    }).join('\n'));
  const right = (i, system) => (i * 7 + system * 3) % 10 < 8 - system;
  fs.writeFileSync(path.join(folder, 'labels.csv'), `id,gold,A,B\n${Array.from({ length: 90 },
    (_, i) => [i, i % 3, ...[0, 1].map((s) => (right(i, s) ? i % 3 : i % 3 === 2 ? 1 : 2))]
      .map((x, c) => (c === 0 ? x : 'xyz'[x])).join(',')).join('\n')}\n`);
  // Scores of eight sets, each item three times; and of a board of 40 systems.
  const noise = (...n) => Math.abs(Math.sin(n.reduce((x, y) => 31 * x + y, 7)) * 1e4) % 1;
  const rows = (systems, items, repeats, row) => systems.flatMap((s) => items.flatMap((i) =>
    repeats.map((r) => row(s, i, r)))).join('\n');
  const to = (n) => Array.from({ length: n }, (_, i) => i);
  fs.writeFileSync(path.join(folder, 'suite.csv'), `system,item,score,suite,repeat\n${
    rows(to(5), to(96), to(3), (s, i, r) => `m${s},q${i},${(0.3 + 0.05 * s + 0.2 * noise(i)
      + 0.2 * noise(s, i, r)).toFixed(4)},set${i % 8},${r}`)}\n`);
  fs.writeFileSync(path.join(folder, 'board.csv'), `system,item,score\n${
    rows(to(40), to(200), [0], (s, i) => `s${s},q${i},${Number(noise(i) + noise(s, i)
      > 1.3 - s / 50)}`)}\n`);
  fs.writeFileSync(path.join(folder, 'loans.csv'), `id,label,one,two,region\n${to(300).map((i) => [i,
    Number(noise(i) < 0.3), ...[1, 2].map((s) => (0.2 + (noise(i) < 0.3 ? 0.4 / s : 0)
      + 0.4 * noise(s, i)).toFixed(3)), ['north', 'south', 'east'][i % 3]]).join('\n')}\n`);
  fs.mkdirSync(path.join(folder, 'hostile'), { recursive: true });
  hostile.forEach((tag, i) => {
    const lines = fs.readFileSync(path.join(folder, r17[i]), 'utf8').split('\n')
      .filter((line) => line !== '')
      .map((line) => [...line.split(/\s+/).slice(0, 5), tag].join(' '));
    fs.writeFileSync(path.join(folder, 'hostile', `run${i}`), `${lines.join('\n')}\n`);
  });
}

const r17 = range('c17/runs/sim', 17);
const r143 = range('c143/runs/sim', 143);
const quick = ['--resamples', '200'];

async function showsTags(page, { assert }) {
  const text = await page.locator('main').textContent();
  for (const tag of hostile.slice(0, 6)) assert.ok(text.includes(tag), `${tag} is not shown`);
  assert.ok(text.includes('\\x1b[31mred\\x07'));
  assert.ok(!text.includes('\x1b') && !text.includes('\u202e'));
}

// Also in the files that are not pages.
async function harmsNowhere(page, { assert, download, run }) {
  await showsTags(page, { assert });
  const saved = await download(page, page.locator('.csv').first());
  assert.match(saved.bytes.toString('utf8'), /^'=cmd\(\),/m);
  for (const format of ['text', 'tsv', 'csv', 'json', 'jsonl', 'markdown', 'latex', 'vega']) {
    const text = await run(...reports['eval-hostile'].args, '--format', format, '--quiet');
    assert.doesNotMatch(text, /[\x00-\x08\x0b-\x1f\x7f\u202e]/, format);
    if (format === 'csv') assert.doesNotMatch(text, /(^|,)"?[=+@]/m);
    if (format === 'markdown') assert.doesNotMatch(text, /<(script|img|svg)/i);
  }
}

// Counts have no decimals, also where the script wrote the rows, and no place among shares.
async function countsAreWhole(page, { assert }) {
  await page.locator('#table-0 th:not(.unseen) button').first().click();
  const cells = await page.locator('#table-0 tbody tr').evaluateAll((rows) => rows
    .map((row) => [...row.children].map((cell) => cell.textContent)));
  assert.equal(cells.find((row) => row.includes('num_q')).filter((x) => x === '30').length, 2);
  assert.ok(cells.some((row) => row.includes('map') && row.some((x) => /^0\.\d{4}$/.test(x))));
  const labels = await page.locator('figure').first().locator('text').allTextContents();
  assert.ok(labels.includes('map') && !labels.includes('num_q'), labels.join());
}

// In a wide window a wide table needs no scrolling; text and charts stay narrow.
async function usesTheWindow(page, { assert }) {
  const before = page.viewportSize();
  await page.setViewportSize({ width: 1920, height: 900 });
  const [hidden, beyond, figure, leftOver] = await page.evaluate(() => [
    Math.max(...[...document.querySelectorAll('section.table > .scroll')]
      .map((e) => e.scrollWidth - e.clientWidth)),
    document.documentElement.scrollWidth - document.documentElement.clientWidth,
    document.querySelector('figure').clientWidth,
    Math.min(...[...document.querySelectorAll('section.table')]
      .map((e) => e.getBoundingClientRect().left))]);
  await page.setViewportSize(before);
  assert.equal(hidden, 0, 'a table has to be scrolled in a wide window');
  assert.ok(beyond <= 0 && leftOver >= 0, 'a table leaves the window');
  assert.ok(figure <= 992, `a chart is ${figure} wide`);
}

// Both sides of the heat maps say what they are, and pages of pairs turn as they do.
async function namesBothSides(page, { assert }) {
  await usesTheWindow(page, { assert });
  const titles = await page.evaluate(() => [...document.querySelectorAll('figure')]
    .filter((f) => f.querySelector('h3').textContent.startsWith('All pairs'))
    .map((f) => [...f.querySelectorAll('.role-axis-title text')].map((e) => e.textContent).sort()));
  assert.deepEqual(titles, [['a', 'b'], ['a', 'b']]);
  const turned = await page.evaluate(() => {
    const { tables } = JSON.parse(document.getElementById('data').textContent);
    const words = (table, c) => {
      const { words: all, data } = tables.find((t) => t.name === table).columns
        .find((x) => x.name === c);
      return data.split(' ').map((i) => all[i]);
    };
    const a = words('pairs', 'a');
    const b = words('pairs', 'b');
    const measure = words('pairs', 'measure');
    const shown = new Set(a.map((x, i) => `${x} - ${b[i]}, ${measure[i]}`));
    return [...new Set(words('topics', 'pair'))].filter((pair) => !shown.has(pair));
  });
  assert.deepEqual(turned, []);
}

// What would reverse the answer stands under it, not behind the tables.
async function warnsFirst(page, { assert }) {
  assert.match(await page.locator('header .warning').textContent(), /^Warning: Not guaranteed: /);
}

// The dark part of a density ends at the limits: they are points of its curve.
async function endsAtTheLimits(page, { assert }) {
  const curves = await page.evaluate(() => {
    const table = JSON.parse(document.getElementById('data').textContent).tables
      .find((t) => t.name === 'curves');
    const fields = (c) => {
      const column = table.columns[c];
      return column.same ? Array(table.rows).fill(column.data) : column.data.split(' ');
    };
    const [who, what, x, , lower, upper] = [0, 1, 2, 3, 4, 5].map(fields);
    const found = {};
    x.forEach((at, i) => {
      const curve = found[`${who[i]} ${what[i]}`] ??= { ends: 0, ordered: true, last: -1 };
      curve.ends += (at === lower[i]) + (at === upper[i]);
      curve.ordered &&= Number(at) > curve.last;
      curve.last = Number(at);
    });
    return Object.values(found);
  });
  assert.ok(curves.length >= 3);
  for (const { ends, ordered } of curves) assert.deepEqual([ends, ordered], [2, true]);
}

// Of classes, the answer is about the macro average.
async function speaksOfMacro(page, { assert, run }) {
  assert.match(await page.locator('h1').textContent(), /macro F1/);
  assert.match(await run('prf', '--draws', '5000', '--labels', 'labels.csv'), /^[^\n]*macro F1/);
}

// A report of a review, to hand over: what it says first, what it leaves out, on a phone and on paper.
async function isToHandOver(page, { assert }) {
  assert.equal(await page.locator('h1').textContent(), 'Matter 12-345');
  assert.deepEqual(await page.locator('.answer strong').allTextContents(), ['Inconclusive']);
  assert.match(await page.locator('.answer').textContent(), /^Inconclusive\. Recall is estimated at 84 % /);
  const strata = page.locator('section.table', { has: page.locator('h3', { hasText: /^data$/ }) });
  assert.match(await strata.locator('tbody').textContent(), /232,000\s*2,228/, 'strata, with separators');
  assert.equal(await page.locator('.unseen:visible').count(), 0, 'constant columns are shown');
  assert.ok(await page.locator('th.unseen').count() > 0, 'nothing is constant here');
  assert.equal(await page.locator('#glossary').count(), 1);
  assert.doesNotMatch(await page.locator('#glossary').textContent(), /topic/);
  const shown = await page.evaluate(() => [...document.querySelectorAll('.chart')].filter((f) => !f.closest('details')).length);
  assert.ok(shown <= 4, `${shown} charts unasked`);
  const size = page.viewportSize();
  await page.setViewportSize({ width: 390, height: 800 });
  const limits = await page.evaluate(() => [...document.querySelectorAll('section.table th')]
    .filter((th) => ['from', 'to', 'lower', 'upper'].includes(th.textContent) && th.checkVisibility())
    .slice(0, 2).map((th) => th.getBoundingClientRect().right));
  assert.ok(limits.length === 2 && limits.every((x) => x <= 390), `limits end at ${limits}`);
  await page.setViewportSize(size);
  await page.emulateMedia({ media: 'print' });
  const orphans = await page.evaluate(() => [...document.querySelectorAll('h1, h2, h3, .head')]
    .filter((h) => getComputedStyle(h).breakAfter !== 'avoid').map((h) => h.textContent));
  assert.deepEqual(orphans, [], 'headings that may stand alone at the end of a sheet');
  await page.emulateMedia({ media: 'screen' });
}

// Every retrieved document was read, and the limits are guaranteed: nothing is said that does not hold then.
async function saysOnlyWhatHolds(page, { assert }) {
  const text = await page.locator('body').textContent();
  assert.match(text, /Yes, certified/);
  assert.match(text, /Every retrieved document was judged\. A simple random sample of the unretrieved documents/);
  assert.doesNotMatch(text, /without knowing/, 'who read all of one side knew it');
  assert.doesNotMatch(await page.locator('body').innerText(), /prior/, 'there is no prior');
  const odd = await page.evaluate(() => [...document.querySelectorAll('section.table')].flatMap((section) => {
    const heads = [...section.querySelectorAll('th')].map((th) => th.textContent);
    const empty = heads.filter((_, i) => [...section.querySelectorAll('tbody tr')]
      .every((tr) => ['', '–'].includes(tr.cells[i].textContent)));
    return [...section.querySelectorAll('.columns dt')].map((dt) => dt.textContent)
      .filter((name) => !heads.includes(name) || empty.includes(name));
  }));
  assert.deepEqual(odd, [], 'explained columns that are not shown');
}

// charts: how many pictures; marks: at least so many in each; own: tables that
// only a page has; all: every table is saved, not the first alone; saves: a
// chart is; heavy: its specification is that of a smaller report; long: a table
// of more rows than are shown at first is sorted, and more of it shown; large:
// only where it is asked for, in make test-all.
export const reports = {
  'eval-1': { args: ['eval', ...quick, 'c17/qrels', r17[0]], charts: 2, marks: [9, 20],
    own: ['topics'] },
  'eval-official': { args: ['eval', '-m', 'official', ...quick, 'c17/qrels', r17[0]], charts: 2,
    marks: [50, 20], own: ['topics'], also: countsAreWhole },
  'eval-17': { args: ['eval', ...quick, 'c17/qrels', ...r17], charts: 2, marks: [34, 510],
    own: ['topics'], all: true, saves: true },
  'eval-143': { args: ['eval', '-m', 'AP', ...quick, 'c143/qrels', ...r143], charts: 2,
    marks: [286, 4000], own: ['topics'], heavy: true, large: true },
  'eval-1000-topics': { args: ['eval', '-q', '-m', 'AP', '-m', 'P@10', ...quick, 'c1000/qrels',
    'c1000/runs/sim01'], charts: 2, marks: [4, 900], heavy: true, long: true, large: true },
  'eval-hostile': { args: ['eval', '-m', 'AP', '-q', ...quick, 'c17/qrels',
    ...hostile.map((_, i) => `hostile/run${i}`)], charts: 2, marks: [20, 300], saves: true,
  also: harmsNowhere },
  'eval-sampled': { args: ['eval', '-q', '-m', 'AP', 'judged', r17[0]], charts: 2,
    marks: [1, 30] },
  'eval-suite': { args: ['eval', '--scores', 'suite.csv'], charts: 3, marks: [10, 80, 8] },
  'compare-suite': { args: ['compare', '--scores', ...quick, 'suite.csv'], charts: 8 },
  'compare-board': { args: ['compare', '--scores', '--binary', ...quick, 'board.csv'], charts: 6,
    marks: [80, 80], heavy: true, large: true, own: ['topics'] },
  'plan-design': { args: ['plan', 'topics', '--scores', 'suite.csv'],
    charts: 2, marks: [20, 10] },
  'compare-2': { args: ['compare', ...quick, 'c17/qrels', r17[0], r17[9]], charts: 2,
    marks: [3, 30], own: ['topics'] },
  'compare-17': { args: ['compare', '-m', 'AP', '-m', 'P@10', ...quick, 'c17/qrels', ...r17],
    charts: 5, marks: [34, 34, 136, 136, 30], own: ['topics'], heavy: true,
  also: namesBothSides },
  'compare-143': { args: ['compare', ...quick, '--confidence', '0.8', 'c143/qrels', ...r143],
    charts: 5,
    marks: [286, 286], heavy: true, large: true, own: ['topics'] },
  'compare-hostile': { args: ['compare', ...quick, '--baseline', hostile[0], 'c17/qrels',
    ...hostile.map((_, i) => `hostile/run${i}`)], charts: 4, marks: [19, 20, 20, 30],
  own: ['topics'], also: showsTags },
  'compare-incomplete': { args: ['compare', '--incomplete', 'c17/qrels', ...r17.slice(0, 3)],
    charts: 1, marks: [7], own: ['expected'] },
  recall: { args: ['recall', '--retrieved', '2000,100,50', '--unretrieved', '100000,100,3',
    '--target', '0.5'], charts: 4, marks: [3, 4, 3, 3], own: ['curves'], saves: true,
  also: async (page, tools) => {
    await warnsFirst(page, tools);
    await endsAtTheLimits(page, tools);
  } },
  'recall-strata': { args: ['recall', '--strata', 'strata.csv', '--target', '80%'], title: ['--title', 'Matter 12-345'],
    charts: 4, own: ['curves'], also: isToHandOver },
  'recall-read': { args: ['recall', '--retrieved', '18000,18000,7300', '--unretrieved', '232000,2000,9',
    '--target', '75%', '--guaranteed'], charts: 1, also: saysOnlyWhatHolds },
  'recall-all': { args: ['recall', '--retrieved', '200,100,50', '--unretrieved', '1000,100,3',
    '--method', 'all'], charts: 4, marks: [22, 3, 3, 3], own: ['curves'] },
  prf: { args: ['prf', '--counts', '10,10,5'], charts: 4, marks: [6, 3, 3, 3],
    own: ['curves'], all: true, also: endsAtTheLimits },
  'prf-paired': { args: ['prf', '--paired', '--draws', '5000', '--labels', 'labels.csv'], charts: 3,
    also: speaksOfMacro },
  classify: { args: ['classify', 'loans.csv'], charts: 6 },
  'prf-compare': { args: ['prf', '--compare', '--counts', 'A=80,20,30', '--counts', 'B=70,15,40',
    '--beta', '2'], charts: 6, own: ['curves'] },
  'plan-power': { args: ['plan', 'power', '--topics', '25,50,100', '--effect', '0.25,0.35,0.5'],
    charts: 1 },
  'plan-topics': { args: ['plan', 'topics', '--test', 'sign', '--baseline', 'sim01', 'ap.csv'], charts: 1,
    marks: [16] },
  'plan-cost': { args: ['plan', 'cost', '--coefficients', '4.79,5.43,0.71', '--topics', '25'],
    charts: 1, marks: [47] },
  'plan-pilot': { args: ['plan', 'pilot', '--samples', '5', '--forecasts', '50', '--unjudged',
    'nonrelevant', 'c17/qrels', ...r17.slice(0, 2)], charts: 1,
  heavy: true },
  'plan-recall': { args: ['plan', 'recall', '--population', '2000', '--retrieved', '300',
    '--recall', '0.7', '--precision', '0.5', '--total', '200'], charts: 1,
  heavy: true },
  'plan-sample': { args: ['plan', 'sample', '--pilot', 'c17/qrels', '--se', '0.02',
    ...r17.slice(0, 3)], charts: 1, marks: [5] },
  'study-map': { args: ['study', 'map', '--matrix', 'ap.csv', '--replicates', '20', '--n', '5,10'],
    charts: 1 },
  'study-prf': { args: ['study', 'prf', '--n', '10,50', '--quick'], charts: 7 },
  'study-power': { args: ['study', 'power', '--replicates', '12', '--n', '10'], charts: 7,
    heavy: true },
  'study-sampling': { args: ['study', 'sampling', '--qrels', 'c17/qrels', '--replicates', '3',
    '--n', '20,40', ...r17.slice(0, 5)], charts: 4 },
  'study-judging': { args: ['study', 'judging', '--quick', '--qrels', 'c17/qrels',
    ...r17.slice(0, 3)], charts: 2, heavy: true },
  'study-recall': { args: ['study', 'recall', '--setting', 'small', '--replicates', '5'],
    charts: 2 },
  papers: { args: ['papers', 'goutte'], charts: 2 },
  sample: { args: ['sample', '--budget', '20', ...r17], charts: 2, marks: [30, 1] },
  check: { args: ['check', 'c17/qrels', r17[0]], charts: 0 },
};
