// SPDX-License-Identifier: Apache-2.0
// What --format vega writes: Vega-Lite compiles it without a warning, and Vega
// draws something of it that holds no script; --format svg is the same picture, with all pages.  In a
// thread of its own, while the browser looks at the next page.
import assert from 'node:assert/strict';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads';

const MANY = 3000; // fields of a matrix that take long to write as SVG

// Vega counts clips on from picture to picture of one process.
const unnumbered = (svg) => svg.replace(/\b(clip|gradient_?)\d+/g, '$1');

async function load(modules) {
  const from = (...parts) => import(pathToFileURL(path.resolve(modules, ...parts)));
  return { vega: await from('vega', 'build', 'vega.module.js'),
    vegaLite: await from('vega-lite', 'build', 'index.js') };
}

async function checkOne({ vega, vegaLite }, text, picture) {
  const spec = JSON.parse(text);
  assert.equal(typeof spec.$schema, 'string');
  assert.ok(spec.layer || spec.vconcat, 'no chart');
  const warnings = [];
  const say = (...args) => { warnings.push(args.join(' ')); return logger; };
  const logger = { level: () => logger, error: say, warn: say, info: () => logger,
    debug: () => logger };
  const compiled = vegaLite.compile(spec, { logger }).spec;
  const flow = vega.parse(compiled);
  const rows = (spec.vconcat ?? [spec]).map((one) => one.data.values.length);
  if (Math.max(...rows) < MANY) {
    const svg = await new vega.View(flow, { renderer: 'none', logger }).toSVG();
    assert.match(svg, /class="mark-(symbol|rule|rect|line|area)[^"]*role-mark/);
    assert.doesNotMatch(svg, /<script|<img|<foreignObject/i);
    const pages = (spec.params ?? []).flatMap(({ bind }) => bind.options.slice(0, 12));
    for (const page of picture ? pages : []) assert.ok(picture.includes(`>${page}<`), `no page ${page}`);
    if (picture && pages.length === 0) assert.equal(unnumbered(picture), unnumbered(`${svg}\n`));
  }
  assert.deepEqual(warnings, []);
}

/** { check(text, picture), end() }: check() resolves when all is well, in the order asked. */
export function specifications(modules) {
  const worker = new Worker(new URL(import.meta.url), { workerData: modules });
  const asked = [];
  worker.on('message', (wrong) => {
    const { done, fail } = asked.shift();
    if (wrong) fail(new Error(wrong)); else done();
  });
  worker.on('error', (problem) => asked.splice(0).forEach(({ fail }) => fail(problem)));
  return { end: () => worker.terminate(),
    check: (text, picture) => new Promise((done, fail) => {
      asked.push({ done, fail });
      worker.postMessage({ text, picture });
    }) };
}

if (!isMainThread) {
  const loaded = load(workerData);
  let before = Promise.resolve();
  parentPort.on('message', ({ text, picture }) => {
    before = before.then(async () => {
      try {
        await checkOne(await loaded, text, picture);
        parentPort.postMessage(null);
      } catch (problem) {
        parentPort.postMessage(problem.message);
      }
    });
  });
}
