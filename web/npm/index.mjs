// SPDX-License-Identifier: Apache-2.0
// intervale for Node: evaluation with intervals, by the tool's WebAssembly module.  Types and
// their descriptions are in index.d.ts.
import fs from 'node:fs';

import { Disk } from './disk.mjs';
import { run as runModule } from './tool.mjs';

let compiled = null;
const module = () => (compiled ??= WebAssembly.compile(
  fs.readFileSync(new URL('intervale.wasm', import.meta.url))));

const field = (value) => {
  if (value === null || value === undefined) return '';
  const text = String(value);
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
};

/** Rows as CSV: a column for each member that a row has, in the order in which they are met. */
export function csv(rows) {
  const names = [...new Set(rows.flatMap((row) => Object.keys(row)))];
  const lines = [names, ...rows.map((row) => names.map((name) => row[name]))];
  return lines.map((line) => `${line.map(field).join(',')}\n`).join('');
}

const content = (file) => (file instanceof Uint8Array ? file.slice()
  : new TextEncoder().encode(typeof file === 'string' ? file : csv(file)));

export class IntervaleError extends Error {
  constructor(message, status) {
    super(message);
    Object.assign(this, { name: 'IntervaleError', status });
  }
}

export async function run(words, { files = {}, input } = {}) {
  const given = Object.entries(files).map(([name, file]) => [name, content(file)]);
  const { status, out, err, written } = await runModule(await module(), { args: words,
    files: given, input: input === undefined ? undefined : content(input) });
  return { status, out: new TextDecoder().decode(out), err,
    files: Object.fromEntries(written.map(([name, bytes]) => [name, bytes.slice()])) };
}

/** The same with the files of this machine: for cli.mjs. */
export async function onThisDisk(words, input) {
  const files = new Disk(words);
  const done = await runModule(await module(), { args: words, files, input });
  files.save();
  return done;
}

/** Options as words: seed becomes --seed, gateOn becomes --gate-on. */
function optionWords(options) {
  const words = [];
  for (const [key, value] of Object.entries(options)) {
    const name = `--${key.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
    for (const one of Array.isArray(value) ? value : [value]) {
      if (one === true) words.push(name);
      else if (one !== false && one !== null && one !== undefined) words.push(name, String(one));
    }
  }
  return words;
}

export async function evaluate(command, options = {}, files = {}) {
  const words = optionWords(options);
  const operands = Object.keys(files).filter((name) => !words.includes(name));
  const { status, out, err } = await run([...command.split(' '), ...words, '--format', 'json', '--',
    ...operands], { files });
  if (status !== 0 && status !== 3 && status !== 4)
    throw new IntervaleError(err.trim().split('\n')[0], status);
  return JSON.parse(out);
}
