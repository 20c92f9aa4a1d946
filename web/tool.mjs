// SPDX-License-Identifier: Apache-2.0
// One run of the tool: words and files in, what it wrote out.
import { Exit, Files, system } from './wasi.mjs';

const joined = (pieces) => {
  const all = new Uint8Array(pieces.reduce((sum, piece) => sum + piece.length, 0));
  pieces.reduce((at, piece) => { all.set(piece, at); return at + piece.length; }, 0);
  return all;
};

/**
 * Runs a compiled module.  args: the words after "intervale"; files: a Files, or [name, bytes
 * or Blob] of each file; input: standard input; progress(share, left): called while it works.
 * Returns { status, out, err, written }: the exit status, the bytes of standard output, the
 * text of standard error, and [path, bytes] of the files that it wrote.  What ends the module
 * against its will (a trap, no memory) is thrown.
 */
export async function run(module, { args, files = [], input, progress }) {
  const tree = files instanceof Files ? files : new Files();
  if (tree !== files) for (const [name, content] of files) tree.put(name, content);
  tree.folder('tmp'); // where the tool keeps what it sorts
  const out = [], err = [];
  const decoder = new TextDecoder();
  const watch = (piece) => {
    const said = decoder.decode(piece);
    const shown = /^\r.*?: +(\d+) %, about (.*) left *$/.exec(said);
    if (shown) progress(Number(shown[1]) / 100, shown[2]);
    else if (!/^\r *\r?$/.test(said)) err.push(piece);
  };
  const host = system({ files: tree, args: ['intervale', ...args], input,
    out: (piece) => out.push(piece), err: progress ? watch : (piece) => err.push(piece),
    watched: progress !== undefined });
  const instance = await WebAssembly.instantiate(module, host.imports);
  host.attach(instance);
  let status = 0;
  try {
    instance.exports._start();
  } catch (problem) {
    if (!(problem instanceof Exit)) throw problem;
    status = problem.status;
  }
  return { status, out: joined(out), err: decoder.decode(joined(err)), written: tree.written() };
}
