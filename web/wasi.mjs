// SPDX-License-Identifier: Apache-2.0
// The system that the tool's module sees: files in memory or behind a Blob, a clock, standard
// streams.  As much of WASI (preview 1) as the tool needs, and no more.

const OK = 0, BADF = 8, EXIST = 20, INVAL = 28, IO = 29, ISDIR = 31, NOENT = 44, NOTDIR = 54,
  NOTEMPTY = 55, NOSYS = 52;
const CHARACTERS = 2, DIRECTORY = 3;
export const REGULAR = 4;
const CREATE = 1, ONLY_DIRECTORY = 2, EXCLUSIVE = 4, TRUNCATE = 8, APPEND = 1;
const text = new TextDecoder(), bytes = new TextEncoder();

/** What the module says by proc_exit. */
export class Exit extends Error {
  constructor(status) { super(`exit ${status}`); this.status = status; }
}

// ------------------------------------------------------------------ files

let inodes = 1;
export const nextInode = () => inodes++;

/** A file that is written: bytes that grow. */
export class Written {
  constructor(start = new Uint8Array(0)) {
    Object.assign(this, { kind: REGULAR, room: start, size: start.length, inode: inodes++,
      written: false });
  }

  read(from, out) {
    const part = this.room.subarray(from, Math.min(this.size, from + out.length));
    out.set(part);
    return part.length;
  }

  write(at, data) {
    const need = at + data.length;
    if (need > this.room.length) {
      const grown = new Uint8Array(Math.max(need, 2 * this.room.length, 4096));
      grown.set(this.room.subarray(0, this.size));
      this.room = grown;
    }
    this.room.set(data, at);
    this.size = Math.max(this.size, need);
    this.written = true;
  }

  get bytes() { return this.room.subarray(0, this.size); }
}

/** A file could not be read: it was changed or taken away since the page got it. */
export class Unreadable extends Error {}

/** A file that the page holds: read piece by piece, never all of it at once. */
class Held {
  constructor(blob) {
    Object.assign(this, { kind: REGULAR, blob, size: blob.size, inode: inodes++,
      reader: new FileReaderSync(), from: 0, window: new Uint8Array(0) });
  }

  read(from, out) {
    const end = Math.min(this.size, from + out.length);
    if (from >= end) return 0;
    if (from < this.from || end > this.from + this.window.length) {
      const most = Math.max(end, Math.min(this.size, from + (1 << 22)));
      try {
        this.window = new Uint8Array(this.reader.readAsArrayBuffer(this.blob.slice(from, most)));
      } catch (problem) {
        throw new Unreadable(problem.message);
      }
      this.from = from;
    }
    out.set(this.window.subarray(from - this.from, end - this.from));
    return end - from;
  }
}

export const folder = () => ({ kind: DIRECTORY, size: 0, inode: inodes++ });
const parts = (path) => path.split('/').filter((part) => part !== '' && part !== '.');

/** A tree of files by path; "" is its root. */
export class Files {
  constructor() { this.at = new Map([['', folder()]]); }

  static path(name) {
    const kept = [];
    for (const part of parts(name)) {
      if (part === '..') kept.pop(); else kept.push(part);
    }
    return kept.join('/');
  }

  /** Puts bytes or a Blob there, and the folders above it. */
  put(name, content) {
    const path = Files.path(name);
    const above = path.split('/').slice(0, -1);
    above.forEach((_, i) => this.folder(above.slice(0, i + 1).join('/')));
    this.at.set(path, content instanceof Uint8Array ? new Written(content) : new Held(content));
  }

  folder(name) {
    const path = Files.path(name);
    if (!this.at.has(path)) this.at.set(path, folder());
  }

  /** The path of what the module names from its only folder. */
  named(name) { return Files.path(name); }

  parent(path) { return this.at.get(path.split('/').slice(0, -1).join('/')); }

  inside(path) {
    const before = path === '' ? '' : `${path}/`;
    return [...this.at.keys()].filter((p) => p !== '' && p.startsWith(before)
      && !p.slice(before.length).includes('/')).map((p) => p.slice(before.length)).sort();
  }

  /** What the run wrote: [path, bytes], by path. */
  written() {
    return [...this.at].filter(([, node]) => node.written)
      .map(([path, node]) => [path, node.bytes]).sort(([a], [b]) => (a < b ? -1 : 1));
  }

  rename(from, to) {
    const moved = [...this.at].filter(([p]) => p === from || p.startsWith(`${from}/`));
    if (moved.length === 0) return NOENT;
    for (const [path, node] of moved) {
      this.at.delete(path);
      this.at.set(to + path.slice(from.length), node);
    }
    return OK;
  }
}

// ---------------------------------------------------------------- the calls

/**
 * What the module imports.  files: Files; args: the words, the tool's name first; input: the
 * bytes of standard input; out and err get what is written to the streams; watched: standard
 * error is a terminal, on which the tool shows how far it is.
 */
export function system({ files, args, input = new Uint8Array(0), out, err, watched = false }) {
  let memory;
  const view = () => new DataView(memory.buffer);
  const raw = (at, size) => new Uint8Array(memory.buffer, at, size);
  const words = args.map((word) => bytes.encode(`${word}\0`));
  const stdin = new Written(input);
  const stream = (node, take) => ({ node, take, at: 0, kind: CHARACTERS });
  const opened = [{ node: stdin, at: 0, kind: REGULAR }, { ...stream(null, out), kind: REGULAR },
    { ...stream(null, err), kind: watched ? CHARACTERS : REGULAR },
    { node: files.at.get(''), path: '', at: 0, kind: DIRECTORY }];
  const start = performance.now();

  const resolve = (fd, at, size) => {
    const name = text.decode(raw(at, size)), above = opened[fd]?.path;
    return above ? Files.path(`${above}/${name}`) : files.named(name);
  };
  function hold(file) {
    const free = opened.findIndex((other, i) => i > 3 && other === undefined);
    if (free < 0) return opened.push(file) - 1;
    opened[free] = file;
    return free;
  }
  function putStat(at, node, kind) {
    const v = view();
    raw(at, 64).fill(0);
    v.setBigUint64(at + 8, BigInt(node?.inode ?? 0), true);
    v.setUint8(at + 16, kind);
    v.setBigUint64(at + 24, 1n, true);
    v.setBigUint64(at + 32, BigInt(node?.size ?? 0), true);
    return OK;
  }
  function move(fd, at, count, done, step) {
    const v = view();
    let all = 0;
    for (let i = 0; i < count; i++) {
      const room = raw(v.getUint32(at + 8 * i, true), v.getUint32(at + 8 * i + 4, true));
      let n;
      try {
        n = step(room);
      } catch (problem) {
        if (problem instanceof Unreadable) return IO;
        throw problem;
      }
      all += n;
      if (n < room.length) break;
    }
    v.setUint32(done, all, true);
    return OK;
  }

  const calls = {
    args_sizes_get(count, size) {
      view().setUint32(count, words.length, true);
      view().setUint32(size, words.reduce((sum, w) => sum + w.length, 0), true);
      return OK;
    },
    args_get(list, room) {
      for (const word of words) {
        view().setUint32(list, room, true);
        raw(room, word.length).set(word);
        list += 4;
        room += word.length;
      }
      return OK;
    },
    environ_sizes_get(count, size) {
      view().setUint32(count, 0, true);
      view().setUint32(size, 0, true);
      return OK;
    },
    environ_get: () => OK,
    clock_time_get(id, precision, at) {
      const ms = id === 0 ? Date.now() : performance.now() - start + 1;
      view().setBigUint64(at, BigInt(Math.round(ms * 1e6)), true);
      return OK;
    },
    fd_close(fd) {
      if (!opened[fd]) return BADF;
      opened[fd] = undefined;
      return OK;
    },
    fd_fdstat_get(fd, at) {
      const file = opened[fd];
      if (!file) return BADF;
      raw(at, 24).fill(0);
      view().setUint8(at, file.kind);
      view().setUint16(at + 2, file.append ? APPEND : 0, true);
      // A terminal is what cannot be sought in.
      const all = file.kind === CHARACTERS ? (1n << 6n) | (1n << 1n) : (1n << 30n) - 1n;
      view().setBigUint64(at + 8, all, true);
      view().setBigUint64(at + 16, all, true);
      return OK;
    },
    fd_fdstat_set_flags: () => OK,
    fd_filestat_get(fd, at) {
      const file = opened[fd];
      return file ? putStat(at, file.node, file.kind) : BADF;
    },
    fd_prestat_get(fd, at) {
      if (fd !== 3) return BADF;
      view().setUint32(at, 0, true);
      view().setUint32(at + 4, 1, true);
      return OK;
    },
    fd_prestat_dir_name(fd, at) {
      raw(at, 1)[0] = 47; // "/"
      return OK;
    },
    fd_read(fd, at, count, done) {
      const file = opened[fd];
      if (!file?.node?.read) return file?.kind === DIRECTORY ? ISDIR : BADF;
      return move(fd, at, count, done, (room) => {
        const n = file.node.read(file.at, room);
        file.at += n;
        return n;
      });
    },
    fd_pread(fd, at, count, from, done) {
      const file = opened[fd];
      if (!file?.node?.read) return file?.kind === DIRECTORY ? ISDIR : BADF;
      let where = Number(from);
      return move(fd, at, count, done, (room) => {
        const n = file.node.read(where, room);
        where += n;
        return n;
      });
    },
    fd_write(fd, at, count, done) {
      const file = opened[fd];
      if (!file || !(file.take || file.node?.write)) return BADF;
      return move(fd, at, count, done, (room) => {
        if (file.take) { file.take(room.slice()); return room.length; }
        if (file.append) file.at = file.node.size;
        file.node.write(file.at, room);
        file.at += room.length;
        return room.length;
      });
    },
    fd_seek(fd, offset, whence, at) {
      const file = opened[fd];
      if (!file?.node) return file ? INVAL : BADF;
      const base = [0, file.at, file.node.size][whence];
      if (base === undefined || base + Number(offset) < 0) return INVAL;
      file.at = base + Number(offset);
      view().setBigUint64(at, BigInt(file.at), true);
      return OK;
    },
    fd_sync: () => OK,
    fd_advise: () => OK,
    fd_readdir(fd, at, size, cookie, done) {
      const file = opened[fd];
      if (file?.kind !== DIRECTORY) return NOTDIR;
      const names = ['.', '..', ...files.inside(file.path)];
      let used = 0;
      for (let i = Number(cookie); i < names.length && used < size; i++) {
        const name = bytes.encode(names[i]);
        const node = i < 2 ? file.node : files.at.get(Files.path(`${file.path}/${names[i]}`));
        const entry = new Uint8Array(24 + name.length);
        const v = new DataView(entry.buffer);
        v.setBigUint64(0, BigInt(i + 1), true);
        v.setBigUint64(8, BigInt(node.inode), true);
        v.setUint32(16, name.length, true);
        v.setUint8(20, node.kind);
        entry.set(name, 24);
        const part = entry.subarray(0, size - used);
        raw(at + used, part.length).set(part);
        used += part.length;
      }
      view().setUint32(done, used, true);
      return OK;
    },
    path_filestat_get(fd, flags, at, size, out_) {
      const node = files.at.get(resolve(fd, at, size));
      return node ? putStat(out_, node, node.kind) : NOENT;
    },
    path_open(fd, how, at, size, flags, rights, inherited, mode, out_) {
      const path = resolve(fd, at, size);
      let node = files.at.get(path);
      if (node && (flags & CREATE) && (flags & EXCLUSIVE)) return EXIST;
      if (!node) {
        if (!(flags & CREATE)) return NOENT;
        const above = files.parent(path);
        if (!above) return NOENT;
        if (above.kind !== DIRECTORY) return NOTDIR;
        node = new Written();
        node.written = true;
        files.at.set(path, node);
      }
      if (node.kind !== DIRECTORY && (flags & ONLY_DIRECTORY)) return NOTDIR;
      if (flags & TRUNCATE) {
        if (node.kind === DIRECTORY) return ISDIR;
        node = new Written();
        node.written = true;
        files.at.set(path, node);
      }
      view().setUint32(out_, hold({ node, path, at: 0, kind: node.kind,
        append: (mode & APPEND) !== 0 }), true);
      return OK;
    },
    path_create_directory(fd, at, size) {
      const path = resolve(fd, at, size);
      if (files.at.has(path)) return EXIST;
      const above = files.parent(path);
      if (!above) return NOENT;
      if (above.kind !== DIRECTORY) return NOTDIR;
      files.folder(path);
      return OK;
    },
    path_link: () => INVAL,
    path_remove_directory(fd, at, size) {
      const path = resolve(fd, at, size);
      const node = files.at.get(path);
      if (!node) return NOENT;
      if (node.kind !== DIRECTORY) return NOTDIR;
      if (files.inside(path).length > 0) return NOTEMPTY;
      files.at.delete(path);
      return OK;
    },
    path_unlink_file(fd, at, size) {
      const path = resolve(fd, at, size);
      const node = files.at.get(path);
      if (!node) return NOENT;
      if (node.kind === DIRECTORY) return ISDIR;
      files.at.delete(path);
      return OK;
    },
    path_rename(fd, at, size, fd2, at2, size2) {
      return files.rename(resolve(fd, at, size), resolve(fd2, at2, size2));
    },
    proc_exit(status) { throw new Exit(status); },
  };
  // What is not here is refused when it is called, not when the module is loaded.
  const all = new Proxy(calls, { get: (known, name) => known[name] ?? (() => NOSYS) });
  // WASI has no dup(): two numbers of one open file (web/lacking.h).
  const own = { dup: (fd) => (opened[fd] ? hold(opened[fd]) : -1) };
  return { imports: { wasi_snapshot_preview1: all, intervale: own },
    attach(instance) { memory = instance.exports.memory; } };
}
