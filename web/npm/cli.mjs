#!/usr/bin/env node
// SPDX-License-Identifier: Apache-2.0
// The command intervale of the npm package.
import fs from 'node:fs';

import { onThisDisk } from './index.mjs';

const words = process.argv.slice(2);
const { status, out, err } = await onThisDisk(words,
  words.includes('-') ? new Uint8Array(fs.readFileSync(0)) : undefined);
const put = (stream, bytes) => {
  for (let at = 0; at < bytes.length;) {
    try {
      at += fs.writeSync(stream, bytes, at);
    } catch (problem) {
      if (problem.code === 'EPIPE') return; // the reader has seen enough
      if (problem.code !== 'EAGAIN') throw problem;
    }
  }
};
put(2, new TextEncoder().encode(err));
put(1, out);
process.exitCode = status;
