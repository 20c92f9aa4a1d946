#!/usr/bin/env node
// SPDX-License-Identifier: Apache-2.0
// The browser's module on the command line, through the same system as in the page, with the files
// of the disk.  For tests.
//
// usage: node node.mjs MODULE.wasm WORD...
//        node node.mjs MODULE.wasm <LINES
//
// Without words, each line of standard input is {"cwd": FOLDER, "args": [WORD, ...]}, and is
// answered by a line {"status": N, "out": TEXT, "err": TEXT}.
import fs from 'node:fs';
import readline from 'node:readline';

import { Disk } from './disk.mjs';
import { run } from './tool.mjs';

async function runHere(module, args, input) {
  const files = new Disk(args);
  const done = await run(module, { args, files, input });
  files.save();
  return done;
}

const [modulePath, ...words] = process.argv.slice(2);
const module = await WebAssembly.compile(fs.readFileSync(modulePath));
if (words.length > 0) {
  const input = words.includes('-') ? new Uint8Array(fs.readFileSync(0)) : undefined;
  const { status, out, err } = await runHere(module, words, input);
  fs.writeSync(2, err);
  let at = 0;
  while (at < out.length) at += fs.writeSync(1, out, at);
  process.exitCode = status;
} else {
  for await (const line of readline.createInterface({ input: process.stdin })) {
    const { cwd, args } = JSON.parse(line);
    process.chdir(cwd);
    let answer;
    try {
      const { status, out, err } = await runHere(module, args);
      answer = { status, out: new TextDecoder().decode(out), err };
    } catch (problem) {
      answer = { status: -1, out: '', err: String(problem) };
    }
    process.stdout.write(`${JSON.stringify(answer)}\n`);
  }
}
