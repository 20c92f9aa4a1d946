#!/usr/bin/env node
// SPDX-License-Identifier: Apache-2.0
// The browser's module on the command line, through the same system as in the page: files that
// the words name are read before, what is written is put on disk after.  For tests.
//
// usage: node node.mjs MODULE.wasm WORD...
//        node node.mjs MODULE.wasm <LINES
//
// Without words, each line of standard input is {"cwd": FOLDER, "args": [WORD, ...]}, and is
// answered by a line {"status": N, "out": TEXT, "err": TEXT}.
import fs from 'node:fs';
import path from 'node:path';
import readline from 'node:readline';

import { run } from './tool.mjs';
import { Files } from './wasi.mjs';

function load(files, name) {
  const found = fs.statSync(name, { throwIfNoEntry: false });
  if (found?.isDirectory()) {
    files.folder(name);
    for (const inside of fs.readdirSync(name)) load(files, path.join(name, inside));
  } else if (found?.isFile()) {
    files.put(name, new Uint8Array(fs.readFileSync(name)));
  } else if (name !== '' && fs.existsSync(path.dirname(name))) {
    files.folder(path.dirname(name)); // something is to be written there
  }
}

async function runHere(module, args, input) {
  const files = new Files();
  const above = new Set(); // folders of the disk that absolute paths name
  for (const word of args) {
    for (const name of [word, ...word.split('=').slice(1)]) {
      if (name.startsWith('-')) continue;
      if (path.isAbsolute(name)) above.add(Files.path(path.dirname(name)));
      load(files, name);
    }
  }
  const done = await run(module, { args, files, input });
  for (const [name, bytes] of done.written) {
    const absolute = [...above].some((folder) => name.startsWith(`${folder}/`));
    const where = absolute ? `/${name}` : name;
    fs.mkdirSync(path.dirname(path.resolve(where)), { recursive: true });
    fs.writeFileSync(where, bytes);
  }
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
