// SPDX-License-Identifier: Apache-2.0
// Search, and examples that run in the page, for tools/site.py.  The worker is that of the browser tool.
(() => {
  'use strict';
  const here = document.currentScript;
  const { up } = here.dataset;
  const make = (name, attributes, ...children) => {
    const made = document.createElement(name);
    for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
    made.append(...children);
    return made;
  };

  // ------------------------------------------------------------------ search

  const COMMON = new Set(['a', 'an', 'and', 'are', 'at', 'by', 'can', 'do', 'does', 'for', 'from', 'have', 'how',
    'i', 'in', 'is', 'it', 'me', 'my', 'of', 'on', 'or', 'our', 'should', 'that', 'the', 'this', 'to', 'was', 'we',
    'what', 'when', 'which', 'with']);
  const stem = (word) => (word.length > 4 ? word.replace(/(ies|ing|ed|es|s|y)$/, '') : word);
  const wordsOf = (text) => text.toLowerCase().match(/-*[\p{L}\p{N}@_]+/gu) ?? [];
  const FIELDS = [[1, 12], [2, 8], [4, 6], [3, 1]]; // member of an entry, weight
  let index = null;

  async function load() {
    if (index) return;
    await new Promise((done) => {
      document.head.append(Object.assign(make('script', { src: `${up}index.js` }), { onload: done }));
    });
    const entries = window.searchIndex.map((entry) => ({ entry, counts: FIELDS.map(([member]) => {
      const counts = new Map();
      for (const word of wordsOf(entry[member]).map((w) => stem(w.replace(/^-+/, ''))))
        counts.set(word, (counts.get(word) ?? 0) + 1);
      return counts;
    }) }));
    const often = new Map();
    for (const { counts } of entries)
      for (const word of new Set(counts.flatMap((c) => [...c.keys()])))
        often.set(word, (often.get(word) ?? 0) + 1);
    index = { entries, weight: (word) => Math.log(1 + entries.length / (1 + (often.get(word) ?? 0))) };
  }

  /** Sections with most of the words, rare words and titles counting more; one of each page first. */
  function search(text) {
    const asked = wordsOf(text).map((w) => w.replace(/^-+/, ''));
    const content = asked.filter((w) => !COMMON.has(w));
    const words = [...new Set((content.length > 0 ? content : asked).map(stem))];
    if (words.length === 0) return [];
    const hits = [];
    for (const { entry, counts } of index.entries) {
      let score = 0, found = 0;
      for (const word of words) {
        let best = 0;
        counts.forEach((of, i) => {
          let n = of.get(word) ?? 0;
          if (n === 0 && word.length > 2)
            for (const [other, m] of of) if (other.startsWith(word)) n = Math.max(n, m * 0.6);
          if (n > 0) best += FIELDS[i][1] * (n / (n + 1.5));
        });
        if (best > 0) found += 1;
        score += best * index.weight(word);
      }
      if (found === 0) continue;
      if (entry[0].startsWith('commands/')) score *= 1.5;
      hits.push({ entry, score: score * (found / words.length) ** 2, words });
    }
    hits.sort((a, b) => b.score - a.score);
    const pages = new Map();
    return hits.filter(({ entry }) => {
      const page = entry[0].split('#')[0];
      pages.set(page, (pages.get(page) ?? 0) + 1);
      return pages.get(page) <= 2;
    }).slice(0, 12);
  }

  function excerpt(text, words) {
    const at = wordsOf(text).find((w) => words.some((q) => w.replace(/^-+/, '').startsWith(q)));
    const from = Math.max(0, (at ? text.toLowerCase().indexOf(at) : 0) - 60);
    const out = make('span', {});
    for (const part of text.slice(from, from + 180).split(/([\p{L}\p{N}@_]+)/u))
      out.append(words.some((q) => stem(part.toLowerCase()) === q) ? make('mark', {}, part) : part);
    return out;
  }

  const box = document.getElementById('search'), list = document.getElementById('found');
  async function find() {
    if (box.value.trim() === '') {
      list.hidden = true;
      return;
    }
    await load();
    const hits = search(box.value);
    list.replaceChildren(...hits.map(({ entry, words }) => make('li', {},
      make('a', { href: up + entry[0] }, entry[2] ? `${entry[1]}: ${entry[2]}` : entry[1]), excerpt(entry[3], words))));
    if (hits.length === 0) list.append(make('li', {}, 'Nothing found.'));
    list.hidden = false;
  }
  box.addEventListener('input', find);
  box.addEventListener('keydown', (event) => {
    if (event.key === 'Enter') list.querySelector('a')?.click();
    else if (event.key === 'Escape') {
      box.value = '';
      find();
    }
  });
  addEventListener('keydown', (event) => {
    if (event.key !== '/' || /INPUT|TEXTAREA|SELECT/.test(event.target.tagName)) return;
    event.preventDefault();
    box.focus();
  });

  // ---------------------------------------------------------------- examples

  let worker = null, turn = Promise.resolve();

  async function start() {
    worker = new Worker(`${up}tool/intervale.js`);
    const bytes = await (await fetch(`${up}tool/intervale.wasm`)).arrayBuffer();
    worker.postMessage({ module: await WebAssembly.compile(bytes) });
  }

  /** One run of the tool after the other: { status, out, err, written }. */
  function run(args, files) {
    const next = turn.catch(() => {}).then(async () => {
      if (!worker) await start();
      return new Promise((done, fail) => {
        worker.onmessage = ({ data }) => {
          if (data.done) done(data.done);
          else if (data.failed) fail(new Error(data.failed));
        };
        worker.onerror = (event) => {
          worker = null;
          fail(new Error(event.message ?? 'the computation ended'));
        };
        worker.postMessage({ id: 1, args, files });
      });
    });
    turn = next;
    return next;
  }

  /** The words of a line: quotes as in a shell. */
  function split(line) {
    const words = [];
    for (const [, plain] of line.matchAll(/((?:"[^"]*"|'[^']*'|\\.|[^\s"'])+)/g))
      words.push(plain.replace(/"([^"]*)"|'([^']*)'|\\(.)/g, (m, a, b, c) => a ?? b ?? c));
    return words[0] === 'intervale' ? words.slice(1) : words;
  }

  const quoted = (word) => (/^[\w+=./:,@%-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`);

  /** The files that an example reads: fetched, or written by examples before it. */
  async function filesFor({ files, before }) {
    const there = new Map();
    for (const [name, place] of Object.entries(files))
      there.set(name, new Uint8Array(await (await fetch(up + place)).arrayBuffer()));
    for (const args of before)
      for (const [name, bytes] of (await run(args, [...there])).written) there.set(name, bytes);
    return there;
  }

  function prepare(figure) {
    const given = JSON.parse(figure.dataset.run);
    const line = make('input', { 'aria-label': 'Command', spellcheck: 'false', autocomplete: 'off' });
    line.value = `intervale ${given.words.map(quoted).join(' ')}`;
    line.hidden = true;
    const shown = make('pre', { 'aria-live': 'polite' }), button = make('button', {}, 'Run here');
    const form = make('form', { class: 'run' }, line, button, shown);
    let files = null;
    form.addEventListener('submit', async (event) => {
      event.preventDefault();
      line.hidden = false;
      button.disabled = true;
      shown.textContent = 'Working ...';
      try {
        files ??= await filesFor(given);
        const done = await run(split(line.value), [...files]);
        for (const [name, bytes] of done.written) files.set(name, bytes);
        shown.textContent = (done.err + new TextDecoder().decode(done.out)).trimEnd() || `exit status ${done.status}`;
      } catch (problem) {
        shown.textContent = `This could not be run here: ${problem.message}`;
      }
      button.disabled = false;
      button.textContent = 'Run again';
      reachable();
    });
    figure.append(form);
  }

  // What scrolls can be scrolled from the keyboard.
  function reachable() {
    for (const box of document.querySelectorAll('pre, .scroll, header nav'))
      if (box.scrollWidth > box.clientWidth) box.tabIndex = 0; else box.removeAttribute('tabindex');
  }

  if (here.hasAttribute('data-tool') && location.protocol !== 'file:')
    document.querySelectorAll('[data-run]').forEach(prepare);
  addEventListener('resize', reachable);
  const open = () => document.querySelector(':target')?.closest('details')?.setAttribute('open', '');
  addEventListener('hashchange', open);
  open();
  reachable();
})();
