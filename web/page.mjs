// SPDX-License-Identifier: Apache-2.0
// The page: questions, forms, and answers.
import { complaintOf, filesOf, fragmentOf, operandWays, quoted, stateOf, wordsOf }
  from './command.mjs';
import { Crashed, Engine, loadModule, Stopped } from './engine.mjs';
import { buildForm, complain, el, inWords, linked, sentence, told } from './form.mjs';
import { EXAMPLES, QUESTIONS } from './questions.mjs';

// What can be saved: [format, name, ending, type].
const SAVED = [['html', 'HTML', 'html', 'text/html'], ['text', 'Text', 'txt', 'text/plain'],
  ['csv', 'CSV', 'csv', 'text/csv'], ['json', 'JSON', 'json', 'application/json'],
  ['latex', 'LaTeX', 'tex', 'application/x-tex'], ['vega', 'Vega', 'vl.json', 'application/json']];

const WIDER = '; the command-line tool can use all of the computer\'s memory.';

const main = () => document.getElementById('main');
const status = () => document.getElementById('status');
const say = (text) => { status().textContent = text; };

let engine, commands;

function save(name, bytes, type) {
  const url = URL.createObjectURL(new Blob([bytes], { type }));
  const link = el('a', { href: url, download: name });
  link.click();
  setTimeout(() => URL.revokeObjectURL(url), 10000);
}

const heading = (text) => el('h1', { tabindex: '-1' }, text);

function show(...children) {
  main().replaceChildren(...children);
  say('');
  const first = main().querySelector('h1');
  document.title = `intervale: ${first.textContent}`;
  return first;
}

// ------------------------------------------------------------------ start

const linkTo = (state) => fragmentOf({ values: {}, files: {}, ...state });

const questionLink = (q) => linkTo({ command: q.command, values: q.values ?? {}, way: q.way, question: q.id,
  example: q.example !== undefined });

function showStart() {
  const groups = new Map();
  for (const command of commands.filter((c) => c.reports))
    groups.set(command.group, [...(groups.get(command.group) ?? []), command]);
  return show(heading('What do you want to know?'),
    el('ul', { class: 'questions' }, ...QUESTIONS.map((q) => el('li', {},
      el('a', { href: questionLink(q) }, el('strong', {}, q.ask), el('span', {}, q.about))))),
    el('h2', {}, 'All commands'),
    ...[...groups].map(([group, list]) => el('details', { class: 'group' },
      el('summary', {}, group), el('ul', {}, ...list.map((c) => el('li', {},
        el('a', { href: linkTo({ command: c.name }) }, c.name), ` ${c.summary}`))))));
}

// ------------------------------------------------------------------- form

/** Do two states ask for the same, of the same files? */
function sameState(a, b) {
  const [x, y] = [a, b].map(filesOf);
  return fragmentOf({ ...a, example: false }) === fragmentOf({ ...b, example: false })
    && x.length === y.length && x.every(([name, content], i) => name === y[i][0]
      && content === y[i][1]);
}

/** The report as it is shown: its sentences name fields; its command line stays. */
function inFields(bytes, command) {
  const made = new DOMParser().parseFromString(new TextDecoder().decode(bytes), 'text/html');
  const texts = made.createTreeWalker(made.body, NodeFilter.SHOW_TEXT);
  for (let text = texts.nextNode(); text; text = texts.nextNode())
    if (/(^|[\s('])-(-[a-z]|[a-zA-Z]\b)/.test(text.data)
      && !text.parentElement.closest('code, pre, script, style, svg'))
      text.data = inWords(text.data, command);
  return `<!doctype html>${made.documentElement.outerHTML}`;
}

/** One form at a time, with its answer below it. */
class Asking {
  constructor(command, state) {
    this.command = command;
    this.question = QUESTIONS.find((q) => q.id === state.question && q.command === command.name);
    this.state = { ...state, files: {} };
    this.saved = new Map();
    this.line = el('code', { class: 'line', tabindex: '0' });
    this.problem = el('p', { class: 'error', role: 'alert', hidden: true });
    this.go = el('button', { type: 'submit', class: 'go' }, 'Answer');
    this.halt = el('button', { type: 'button', hidden: true, onclick: () => engine.stop() },
      'Stop');
    this.bar = el('progress', { max: 1, hidden: true, 'aria-label': 'Progress' });
    this.left = el('span', { class: 'soft', 'aria-hidden': 'true' }); // the status says it aloud
    this.answer = el('section', { class: 'answer', 'aria-label': 'Answer' });
    this.asked = null; // the state that the answer on the screen is of
    this.exampleOf = el('span', {});
    this.banner = el('p', { class: 'banner', hidden: true },
      el('span', {}, el('strong', {}, 'Example data'), this.exampleOf), el('button', { type: 'button', onclick: () => {
        this.dropExample();
        this.changed();
      } }, 'Clear'));
    this.place = el('div', {});
  }

  show() {
    const { command, question } = this;
    const copy = el('button', { type: 'button', onclick: () => this.copy(copy) }, 'Copy');
    const form = el('form', { novalidate: true, onsubmit: (event) => {
      event.preventDefault();
      this.run();
    } }, this.banner, this.place, el('div', { class: 'actions' }, this.go, this.halt, this.bar,
      this.left,
      el('button', { type: 'button', class: 'plain', onclick: () => this.clear() },
        'Start again')), this.problem);
    const about = question ? question.about : sentence(command.summary);
    const focus = show(el('p', {}, el('a', { href: '#' }, 'All questions')),
      heading(question?.ask ?? command.name), el('p', { class: 'soft' }, about), form,
      el('details', { class: 'group' }, el('summary', {}, `About intervale ${command.name}`),
        ...told(command).description.split('\n\n').map((text) => (text.startsWith(' ')
          ? el('pre', {}, text) : el('p', {}, ...linked(text))))),
      el('div', { class: 'same' }, el('p', { class: 'label' }, 'The same on the command line'),
        el('div', { class: 'copy' }, this.line, copy)), this.answer);
    this.build();
    return focus;
  }

  build() {
    this.form = buildForm(this.command, this.state, this.question,
      { changed: () => this.changed(), own: () => this.dropExample() });
    this.place.replaceChildren(this.form.root);
    this.changed();
    const example = this.question?.example;
    if (this.state.example && example) this.example(example);
  }

  async example(name) {
    try {
      const made = await EXAMPLES[name](async (args) => engine.run(args, []));
      if (!this.state.example) return; // own files came first
      const { slots } = operandWays(this.command)[this.form.way];
      slots.forEach((slot, i) => this.form.fields
        .find(({ key }) => key === `operand:${slot.name}`)?.hold(made[i] ?? [], true));
      this.changed();
    } catch (problem) {
      if (!(problem instanceof Stopped)) this.tell(`The example could not be made: ${problem.message}`);
    }
  }

  /** The fields that have the example's files or numbers. */
  exampleFields() {
    const given = this.question?.values ?? {};
    return this.form.fields.filter((made) => (made.files ? made.example && made.files().length > 0
      : given[made.key.slice(7)] !== undefined
        && String(made.read()) === String(given[made.key.slice(7)])));
  }

  dropExample() {
    for (const made of this.exampleFields())
      if (made.files) made.hold([]); else made.write('');
    this.state.example = false;
  }

  /** Says what is the example's, and greys out an answer that the form does not ask for. */
  mark() {
    const example = this.exampleFields();
    this.banner.hidden = example.length === 0;
    const names = example.map((made) => made.box.querySelector('.label').textContent);
    this.exampleOf.textContent = ` in ${names.map((name) => `“${name}”`).join(', ')}`;
    const stale = this.asked !== null && !sameState(this.asked, this.state);
    this.answer.classList.toggle('stale', stale);
    for (const button of this.answer.querySelectorAll('.saves button, .files button'))
      button.disabled = stale;
    const note = this.answer.querySelector('.changed');
    if (note) note.hidden = !stale;
  }

  /** The state of the form is the address, and the command line. */
  changed() {
    const read = this.form.read();
    const state = { ...this.state, ...read };
    this.state = state;
    const words = wordsOf(this.command, state);
    this.line.textContent = ['intervale', ...words.map(quoted)].join(' ');
    const fragment = fragmentOf(state);
    if (location.hash !== fragment) history.replaceState(null, '', fragment);
    this.mark();
  }

  clear() {
    this.state = { command: this.command.name, question: this.state.question, values: {},
      files: {}, way: 0 };
    this.asked = null;
    this.answer.replaceChildren();
    this.tell('');
    this.build();
  }

  async copy(button) {
    try {
      await navigator.clipboard.writeText(this.line.textContent);
      button.textContent = 'Copied';
    } catch {
      getSelection().selectAllChildren(this.line); // to be copied by hand
      button.textContent = 'Selected';
    }
    setTimeout(() => { button.textContent = 'Copy'; }, 2000);
  }

  tell(text) {
    this.problem.textContent = text;
    this.problem.hidden = text === '';
  }

  busy(is) {
    this.go.disabled = is;
    this.halt.hidden = !is;
    this.bar.hidden = true;
    this.left.textContent = is ? 'working' : '';
    this.answer.setAttribute('aria-busy', String(is));
    if (is) say('Working.');
  }

  /** Runs the tool with a format; null when there is no result to show, which was told. */
  async ask(format) {
    const { command, state } = this;
    complain(this.form, null);
    this.tell('');
    this.busy(true);
    try {
      const done = await engine.run(wordsOf(command, state, ['--format', format]),
        filesOf(state), (share, left) => {
          this.bar.hidden = false;
          this.bar.value = share;
          this.left.textContent = `${Math.round(100 * share)} %, about ${left} left`;
          say(`${10 * Math.round(10 * share)} %`);
        });
      say('');
      if (done.status !== 0) this.complain(done);
      return done.out.length > 0 ? done : null;
    } catch (problem) {
      say('');
      this.tell(problem instanceof Stopped ? 'Stopped.'
        : problem instanceof Crashed ? 'The computation ended unexpectedly, probably because memory '
          + `ran out (${problem.message}). You can go on using this page${WIDER}` : problem.message);
      return null;
    } finally {
      this.busy(false);
    }
  }

  complain(done) {
    const complaint = complaintOf(done.err, this.command, this.state);
    const labels = (complaint.lacking ?? []).map((key) => `“${this.form.fields
      .find((made) => made.key === key).box.querySelector('.label').textContent}”`);
    complaint.text = labels.length > 0 ? `Give ${complaint.more ? 'more ' : ''}${labels.join(' and ')}.`
      : inWords(complaint.text, this.command);
    if (/out of memory/.test(complaint.text)) complaint.text += WIDER;
    if (complaint.text !== '' && !complain(this.form, complaint)) this.tell(complaint.text);
    say(complaint.text);
  }

  async run() {
    const asked = this.state;
    this.saved = new Map();
    this.asked = null;
    this.answer.replaceChildren();
    const done = await this.ask('html');
    if (!done) return;
    this.saved.set('html', done.out);
    this.asked = asked;
    this.showAnswer(done);
    this.mark(); // the form may have been changed meanwhile
  }

  showAnswer(done) {
    const url = URL.createObjectURL(new Blob([inFields(done.out, this.command)], { type: 'text/html' }));
    const frame = el('iframe', { src: url, sandbox: 'allow-scripts allow-downloads',
      title: 'The report', class: 'report' });
    const wide = el('button', { type: 'button', 'aria-pressed': 'false', onclick: () => {
      const is = frame.parentElement.classList.toggle('wide');
      wide.setAttribute('aria-pressed', String(is));
      wide.textContent = is ? 'Back to the form' : 'Full size';
    } }, 'Full size');
    const saves = SAVED.map(([format, name, ending, type]) => el('button', { type: 'button',
      onclick: () => this.save(format, ending, type) }, name));
    this.answer.replaceChildren(
      el('p', { class: 'changed', role: 'status', hidden: true },
        'The form was changed after this answer. Press Answer to compute it again.'),
      el('div', { class: 'tools' }, el('span', { class: 'label' }, 'Save as'),
        el('span', { class: 'saves' }, ...saves), wide),
      ...this.filesWritten(done), frame);
    addEventListener('message', (event) => { // how tall it is: no scrolling inside scrolling
      if (event.source === frame.contentWindow && event.data?.height > 0)
        frame.style.height = `${Math.ceil(event.data.height) + 40}px`;
    });
    frame.addEventListener('load', () => {
      say('The answer is ready.');
      performance.mark('answered');
    });
    this.answer.scrollIntoView({ block: 'start', behavior: 'instant' });
  }

  filesWritten({ written }) {
    if (written.length === 0) return [];
    return [el('p', { class: 'label' }, 'Files written'), el('ul', { class: 'files' },
      ...written.map(([path, bytes]) => el('li', {}, el('button', { type: 'button',
        onclick: () => save(path.replaceAll('/', '-'), bytes, 'application/octet-stream') },
      path))))];
  }

  /** The same once more in another format; the numbers are the same, by the same seed. */
  async save(format, ending, type) {
    const { saved } = this; // of the answer on the screen now
    if (!saved.has(format)) {
      const done = await this.ask(format);
      if (!done) return;
      saved.set(format, done.out);
    }
    save(`intervale-${this.command.name.replaceAll(' ', '-')}.${ending}`, saved.get(format), type);
  }
}

// ------------------------------------------------------------------- page

function route(focus) {
  const state = stateOf(location.hash, commands);
  engine?.stop();
  const first = state
    ? new Asking(commands.find((c) => c.name === state.command), state).show() : showStart();
  if (focus) {
    scrollTo(0, 0);
    first.focus();
  }
}

/* What keeps the page from working at all, in one line. */
function obstacle() {
  if (typeof WebAssembly !== 'object')
    return 'This page needs WebAssembly; this browser has no WebAssembly, or it is switched off.';
  if (location.protocol === 'file:')
    return 'Open this page through a server, for example "intervale web --open": browsers do not run '
      + 'WebAssembly from a file on disk.';
  return null;
}

/* global __SITE__, __COMMANDS__ */
export function page() {
  commands = __COMMANDS__.commands;
  document.getElementById('version').textContent = `intervale ${__COMMANDS__.version}`;
  const problem = obstacle();
  if (problem) {
    show(heading('This page cannot run here'), el('p', { class: 'error', role: 'alert' }, problem));
    return;
  }
  const module = loadModule(__SITE__.files.at(-1));
  module.catch((why) => show(heading('The tool could not be loaded'),
    el('p', { class: 'error', role: 'alert' }, `${why.message}; load the page again.`)));
  engine = new Engine(document.currentScript?.src ?? __SITE__.files[1], module);
  addEventListener('hashchange', () => route(true));
  addEventListener('dragover', (event) => event.preventDefault()); // beside a field: not opened
  addEventListener('drop', (event) => event.preventDefault());
  addEventListener('keydown', (event) => {
    const wide = document.querySelector('.answer.wide button[aria-pressed="true"]');
    if (event.key === 'Escape' && wide) wide.click();
  });
  route(false);
  if ('serviceWorker' in navigator && isSecureContext)
    navigator.serviceWorker.register(__SITE__.files[1]).catch(() => {}); // it works without, too
}
