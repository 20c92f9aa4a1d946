// SPDX-License-Identifier: Apache-2.0
// The disk as the module sees it: files are read where they are; what is written stays in
// memory until the run ends, and is then put in place.
import fs from 'node:fs';
import path from 'node:path';

import { Files, REGULAR, Unreadable, Written, folder, nextInode } from './wasi.mjs';

/** A name of this system as a path of the tree, and back: "C:\a" is "C:/a", "/a" is "a". */
const inTree = (name) => Files.path(path.resolve(name).replaceAll(path.sep, '/'));
const onDisk = (name) => (path.sep === '/' ? `/${name}` : name);

/** A file of the disk, read piece by piece. */
class OnDisk {
  constructor(name, size) {
    Object.assign(this, { kind: REGULAR, name, size, inode: nextInode(), file: null });
  }

  read(from, out) {
    let all = 0;
    try {
      this.file ??= fs.openSync(this.name);
      for (let n = -1; n !== 0 && all < out.length; all += n)
        n = fs.readSync(this.file, out, all, out.length - all, from + all);
    } catch (problem) {
      throw new Unreadable(problem.message);
    }
    return all;
  }
}

/** Nodes by path; what is not known yet is looked up on the disk. */
class Nodes extends Map {
  constructor() {
    super([['', folder()]]);
    this.gone = new Set();
  }

  get(name) {
    const known = super.get(name);
    if (known || this.gone?.has(name)) return known;
    let found;
    try { found = fs.statSync(onDisk(name), { throwIfNoEntry: false }); } catch { return undefined; }
    if (!found) return undefined;
    // What is no file, such as a pipe, can be read once.
    const node = found.isDirectory() ? folder() : found.isFile()
      ? new OnDisk(onDisk(name), found.size) : new Written(fs.readFileSync(onDisk(name)));
    super.set(name, node);
    return node;
  }

  has(name) { return this.get(name) !== undefined; }

  set(name, node) {
    this.gone?.delete(name);
    return super.set(name, node);
  }

  delete(name) {
    this.gone.add(name);
    return super.delete(name);
  }
}

/** The files of this machine.  WASI takes the first "/" away: words tell which names had one. */
export class Disk extends Files {
  constructor(words) {
    super();
    this.at = new Nodes();
    this.here = inTree('.');
    const names = words.flatMap((word) => [word, ...word.split('=').slice(1)]);
    this.relative = new Set(names.filter((n) => !path.isAbsolute(n)).map((n) => Files.path(n)));
    this.above = names.filter((n) => path.isAbsolute(n)).map((n) => inTree(path.dirname(n)));
  }

  named(name) {
    if (path.sep !== '/' && /^[A-Za-z]:/.test(name)) return inTree(name);
    const here = Files.path(`${this.here}/${name.replaceAll(path.sep, '/')}`);
    if (this.relative.has(Files.path(name)) || this.at.has(here)) return here;
    const there = Files.path(name);
    const absolute = this.above.some((f) => f === '' || there === f || there.startsWith(`${f}/`));
    return absolute || this.at.has(there) || !this.parent(here) ? there : here;
  }

  inside(name) {
    let there = [];
    try { there = fs.readdirSync(onDisk(name)); } catch { /* a new folder */ }
    const before = name === '' ? '' : `${name}/`;
    return [...new Set([...there, ...super.inside(name)])]
      .filter((n) => !this.at.gone.has(before + n)).sort();
  }

  rename(from, to) {
    this.at.get(from);
    return super.rename(from, to);
  }

  /** Puts what was written on the disk: a file is there whole or not at all. */
  save() {
    for (const [name, bytes] of this.written()) {
      let real = onDisk(name);
      fs.mkdirSync(path.dirname(real), { recursive: true });
      const found = fs.statSync(real, { throwIfNoEntry: false });
      if (found) real = fs.realpathSync(real);
      if (found && !found.isFile()) {
        fs.writeFileSync(real, bytes);
        continue;
      }
      const part = `${real}.${process.pid}.part`;
      fs.writeFileSync(part, bytes);
      fs.renameSync(part, real);
    }
  }
}
