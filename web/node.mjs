#!/usr/bin/env node
// SPDX-License-Identifier: Apache-2.0
// The browser's module on the command line, through the same system as in the page: files that
// the words name are read before, what is written is put on disk after.  For tests.
//
// usage: node node.mjs MODULE.wasm WORD...
import fs from 'node:fs';
import path from 'node:path';

import { run } from './tool.mjs';
import { Files } from './wasi.mjs';

const [modulePath, ...args] = process.argv.slice(2);
const files = new Files();
const above = new Set(); // folders of the disk that absolute paths name

function load(name) {
  const found = fs.statSync(name, { throwIfNoEntry: false });
  if (found?.isDirectory()) {
    files.folder(name);
    for (const inside of fs.readdirSync(name)) load(path.join(name, inside));
  } else if (found?.isFile()) {
    files.put(name, new Uint8Array(fs.readFileSync(name)));
  } else if (name !== '' && fs.existsSync(path.dirname(name))) {
    files.folder(path.dirname(name)); // something is to be written there
  }
}

for (const word of args) {
  for (const name of [word, ...word.split('=').slice(1)]) {
    if (name.startsWith('-')) continue;
    if (path.isAbsolute(name)) above.add(Files.path(path.dirname(name)));
    load(name);
  }
}
const module = await WebAssembly.compile(fs.readFileSync(modulePath));
const input = args.includes('-') ? new Uint8Array(fs.readFileSync(0)) : undefined;
const { status, out, err, written } = await run(module, { args, files, input });
for (const [name, bytes] of written) {
  const absolute = [...above].some((folder) => name.startsWith(`${folder}/`));
  const where = absolute ? `/${name}` : name;
  fs.mkdirSync(path.dirname(path.resolve(where)), { recursive: true });
  fs.writeFileSync(where, bytes);
}
fs.writeSync(2, err);
let at = 0;
while (at < out.length) at += fs.writeSync(1, out, at);
process.exitCode = status;
