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

export function collections(folder, run) {
  run('simulate', '--topics', '30', '--documents', '200', '--runs', '17', '-o', 'c17');
  run('simulate', '--topics', '30', '--documents', '100', '--runs', '143', '-o', 'c143');
  run('simulate', '--topics', '1000', '--documents', '60', '--runs', '2', '-o', 'c1000');
  run('eval', '-m', 'AP', '--write-matrix', 'ap.csv', 'c17/qrels', ...r17);
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
const quicker = [...quick, '--permutations', '200'];

async function showsTags(page, { assert }) {
  const text = await page.locator('main').textContent();
  for (const tag of hostile.slice(0, 6)) assert.ok(text.includes(tag), `${tag} is not shown`);
  assert.ok(text.includes('\\x1b[31mred\\x07'));
  assert.ok(!text.includes('\x1b') && !text.includes('\u202e'));
}

async function savesNoFormula(page, { assert, download }) {
  await showsTags(page, { assert });
  const csv = await download(page, page.locator('.csv').first());
  assert.match(csv.bytes.toString('utf8'), /^'=cmd\(\),/m);
}

// charts: how many pictures; marks: at least so many in each; own: tables that
// only a page has; heavy: takes long to compute, so that one table is compared.
export const reports = {
  'eval-1': { args: ['eval', ...quick, 'c17/qrels', r17[0]], charts: 2, marks: [9, 20],
    own: ['topics'] },
  'eval-17': { args: ['eval', ...quick, 'c17/qrels', ...r17], charts: 2, marks: [34, 510],
    own: ['topics'] },
  'eval-143': { args: ['eval', '-m', 'AP', ...quick, 'c143/qrels', ...r143], charts: 2,
    marks: [286, 4000], own: ['topics'] },
  'eval-1000-topics': { args: ['eval', '-q', '-m', 'AP', '-m', 'P@10', ...quick, 'c1000/qrels',
    'c1000/runs/sim01'], charts: 2, marks: [4, 900] },
  'eval-hostile': { args: ['eval', '-m', 'AP', '-q', ...quick, 'c17/qrels',
    ...hostile.map((_, i) => `hostile/run${i}`)], charts: 2, marks: [20, 300],
  also: savesNoFormula },
  'compare-2': { args: ['compare', ...quicker, 'c17/qrels', r17[0], r17[9]], charts: 2,
    marks: [3, 30], own: ['topics'] },
  'compare-17': { args: ['compare', '-m', 'AP', '-m', 'P@10', ...quicker, 'c17/qrels', ...r17],
    charts: 5, marks: [30, 34, 34, 289, 289], own: ['topics', 'all_pairs'] },
  'compare-143': { args: ['compare', ...quicker, '--correct', 'holm', '--test', 't',
    'c143/qrels', ...r143], charts: 5, heavy: true, own: ['topics', 'all_pairs'] },
  'compare-hostile': { args: ['compare', ...quicker, '--baseline', hostile[0], 'c17/qrels',
    ...hostile.map((_, i) => `hostile/run${i}`)], charts: 4, marks: [19, 30, 20, 20],
  own: ['topics'], also: showsTags },
  recall: { args: ['recall', '--retrieved', '2000,100,50', '--unretrieved', '100000,100,3',
    '--target', '0.5'], charts: 4, marks: [4, 3, 3, 3], own: ['curves'] },
  'recall-all': { args: ['recall', '--retrieved', '200,100,50', '--unretrieved', '1000,100,3',
    '--method', 'all'], charts: 4, marks: [3, 3, 3, 22], own: ['curves'] },
  'study-map': { args: ['study', 'map', '--matrix', 'ap.csv', '--samples', '20', ...quick],
    charts: 2, marks: [33, 33] },
  'study-prf': { args: ['study', 'prf', '--metric', 'precision', '--sizes', '10,50'], charts: 2 },
  'study-power': { args: ['study', 'power', '--trials', '20', '--permutations', '99'],
    charts: 6, heavy: true },
  prf: { args: ['prf', '--counts', '10,10,5'], charts: 4, marks: [3, 3, 3, 6],
    own: ['curves'] },
  'prf-compare': { args: ['prf', '--compare', '--counts', 'A=80,20,30', '--counts', 'B=70,15,40',
    '--beta', '2'], charts: 6, own: ['curves'] },
  'plan-power': { args: ['plan', 'power', '--topics', '25,50,100', '--effect', '0.25,0.35,0.5'],
    charts: 1, marks: [12] },
  'plan-cost': { args: ['plan', 'cost', '--coefficients', '4.79,5.43,0.71', '--topics', '25'],
    charts: 2 },
  'plan-topics': { args: ['plan', 'topics', 'ap.csv'], charts: 1, marks: [150] },
  check: { args: ['check', 'c17/qrels', r17[0]], charts: 0 },
};
