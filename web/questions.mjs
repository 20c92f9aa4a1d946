// SPDX-License-Identifier: Apache-2.0
// What people come with.  A question opens the form of a command with an example in it that can
// be run at once; `first` are the options that are seen without unfolding, `parts` are words for
// the numbers of an option that takes several.

const COUNTS = ['documents', 'judged', 'relevant'];

export const QUESTIONS = [
  { id: 'complete', ask: 'How complete was my review?',
    about: 'Recall with its interval, from judged samples of the retrieved and the unretrieved '
      + 'documents.',
    command: 'recall', first: ['retrieved', 'unretrieved', 'target', 'one-sided', 'guaranteed'],
    parts: { retrieved: COUNTS, unretrieved: COUNTS },
    values: { retrieved: '10000,500,350', unretrieved: '990000,2000,3' } },
  { id: 'missed', ask: 'How much did we miss?',
    about: 'An elusion test: from a judged sample, the largest plausible proportion of relevant '
      + 'documents among the unretrieved ones.',
    command: 'recall', first: ['unretrieved', 'max-elusion'],
    parts: { unretrieved: COUNTS },
    values: { unretrieved: '858000,1500,9', 'max-elusion': '0.02' } },
  { id: 'better', ask: 'Which of my runs is better?',
    about: 'Differences between runs, with intervals and p-values that are corrected for the '
      + 'number of pairs.',
    command: 'compare', example: 'collection',
    first: ['measure', 'baseline', 'margin', 'test'] },
  { id: 'good', ask: 'How good is my run?',
    about: 'The mean of any measure over topics, with its interval.',
    command: 'eval', example: 'collection', first: ['measure', 'per-topic', 'level'] },
  { id: 'f1', ask: 'How sure is this F1?',
    about: 'Precision, recall and F1 with intervals, from true positives, false positives and '
      + 'false negatives, or from a table of labels.',
    command: 'prf', first: ['counts', 'labels', 'compare', 'guaranteed'],
    values: { counts: '80,20,40' } },
  { id: 'worse', ask: 'Is the new model worse?',
    about: 'The difference between models, agents or versions on the same items, against the loss that you allow.',
    command: 'compare', way: 1, example: 'scores', first: ['baseline', 'margin', 'measure', 'columns'],
    values: { baseline: ['main'], margin: '0.05' } },
  { id: 'prefer', ask: 'Which model do people prefer?',
    about: 'A ranking with intervals, from votes on pairs of answers.',
    command: 'prefer', example: 'votes', first: ['columns', 'judge', 'position'] },
  { id: 'judge', ask: 'How many documents must I judge?',
    about: 'The sample size that gives a recall interval of the width you want.',
    command: 'plan recall',
    first: ['population', 'retrieved', 'recall', 'precision', 'width', 'target'],
    values: { population: '100000', retrieved: '5000', recall: '0.8', precision: '0.5',
      width: '0.2' } },
  { id: 'topics', ask: 'How many topics do I need?',
    about: 'The number of topics, queries or questions needed to find a difference of a given size.',
    command: 'plan power', first: ['difference', 'sd', 'effect', 'topics', 'power'],
    values: { difference: '0.03', sd: '0.12', power: '0.8' } },
  { id: 'agree', ask: 'Do my assessors agree?',
    about: 'Kappa and other coefficients, with intervals, from judgments of the same documents.',
    command: 'agree', example: 'assessors', first: ['level', 'weights'] },
  { id: 'next', ask: 'What should I judge next?',
    about: 'The documents to judge next, to find the better of two runs with few judgments.',
    command: 'next', example: 'unfinished', first: ['count', 'write', 'level'] },
];

/** Numbers in [0, 1) that are the same everywhere. */
function* walk(seed) {
  for (let state = seed; ;) {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    yield state / 4294967296;
  }
}

const file = (name, lines) => [name, new TextEncoder().encode(`${lines.join('\n')}\n`)];

/* Two people judged the same documents; the second is a little more generous. */
function assessors() {
  const random = walk(11);
  const next = () => random.next().value;
  const first = [], second = [];
  for (let topic = 1; topic <= 10; topic++) {
    for (let d = 0; d < 30; d++) {
      const relevant = next() < 0.3;
      const other = next() < (relevant ? 0.85 : 0.08) ? 1 : 0;
      const name = `doc${String(topic * 100 + d)}`;
      first.push(`${topic} 0 ${name} ${relevant ? 1 : 0}`);
      second.push(`${topic} 0 ${name} ${other}`);
    }
  }
  return [[file('anna.qrels', first)], [file('ben.qrels', second)]];
}

/* Two models on the same questions; the new one is worse. */
function scores() {
  const random = walk(5), lines = ['item,system,score'];
  for (let item = 1; item <= 300; item++)
    for (const [system, right] of [['main', 0.8], ['new', 0.7]])
      lines.push(`q${item},${system},${random.next().value < right ? 1 : 0}`);
  return [[file('scores.csv', lines)]];
}

/* Votes of people on the answers of three models. */
function votes() {
  const random = walk(17), lines = ['model_a,model_b,winner'];
  for (let vote = 0; vote < 300; vote++) {
    const [a, b] = [[0, 1], [1, 2], [0, 2]][vote % 3];
    const wins = random.next().value < 0.5 + 0.1 * (b - a);
    lines.push(`model ${'ABC'[a]},model ${'ABC'[b]},${wins ? 'model_a' : 'model_b'}`);
  }
  return [[file('votes.csv', lines)]];
}

/* The tool makes a collection; what it writes goes to the operands in their order. */
async function collection(run) {
  const { written } = await run(['simulate', '--topics', '50', '--documents', '300', '--runs', '3',
    '--seed', '7', '--quiet', '-o', 'example']);
  const named = (test) => written.filter(([path]) => test(path))
    .map(([path, bytes]) => [path.replace(/^.*\//, ''), bytes]);
  return [named((path) => path === 'example/qrels'), named((path) => path.includes('/runs/'))];
}

async function unfinished(run) {
  const [[[name, bytes]], runs] = await collection(run);
  const lines = new TextDecoder().decode(bytes).trim().split('\n').filter((_, i) => i % 20 === 0);
  return [[file(name, lines)], runs.slice(0, 2)];
}

/** Files of each operand, by the example's name; run(args) is the tool. */
export const EXAMPLES = { assessors: async () => assessors(), collection, scores: async () => scores(), unfinished,
  votes: async () => votes() };
