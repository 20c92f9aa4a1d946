// SPDX-License-Identifier: Apache-2.0
// The page's side of the worker: one run at a time, which can be stopped, and a new worker when
// one has died.

/** A run that was stopped rejects with this. */
export class Stopped extends Error {}

/** The worker died: a trap, or no memory. */
export class Crashed extends Error {}

export class Engine {
  constructor(script, module) {
    Object.assign(this, { script, module, worker: null, current: null, last: 0 });
    this.start();
  }

  start() {
    this.worker = new Worker(this.script);
    this.worker.onmessage = ({ data }) => this.take(data);
    this.worker.onerror = (event) => {
      event.preventDefault();
      this.end(new Crashed(event.message ?? 'the worker ended'));
    };
    this.module.then((module) => this.worker?.postMessage({ module }), () => {});
  }

  take({ id, share, left, done, failed }) {
    const run = this.current;
    if (!run || run.id !== id) return;
    if (share !== undefined) {
      run.progress?.(share, left);
    } else if (done) {
      this.current = null;
      run.resolve(done);
    } else {
      this.end(new Crashed(failed));
    }
  }

  /** Ends the run with a problem, and begins with a new worker. */
  end(problem) {
    const run = this.current;
    this.current = null;
    this.worker.terminate();
    this.start();
    run?.reject(problem);
  }

  stop() { if (this.current) this.end(new Stopped('stopped')); }

  /** args: words; files: [name, File or bytes].  A run that is under way is stopped. */
  async run(args, files, progress) {
    this.stop();
    await this.module;
    return new Promise((resolve, reject) => {
      const id = ++this.last;
      this.current = { id, resolve, reject, progress };
      this.worker.postMessage({ id, args, files });
    });
  }
}

/** The module, compiled while it arrives where the server names its type. */
export async function loadModule(url) {
  const response = await fetch(url);
  if (!response.ok) throw new Error(`${url}: the server says ${response.status}`);
  if (/^application\/wasm/.test(response.headers.get('content-type') ?? ''))
    return WebAssembly.compileStreaming(response);
  return WebAssembly.compile(await response.arrayBuffer());
}
