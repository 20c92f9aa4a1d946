// SPDX-License-Identifier: Apache-2.0
// A form for a command, made from its option table: what it takes, its help, its default.
import { operandWays, optionKey } from './command.mjs';
import { QUESTIONS } from './questions.mjs';

/** el('p', { class: 'soft' }, 'text', child): an element. */
export function el(name, attributes = {}, ...children) {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    if (key.startsWith('on')) made.addEventListener(key.slice(2), value);
    else if (value === true) made.setAttribute(key, '');
    else if (value !== false && value !== undefined && value !== null)
      made.setAttribute(key, value);
  }
  made.append(...children.filter((child) => child !== null && child !== undefined));
  return made;
}

// The page has its own way to choose these, or no use for them.
const HIDDEN = ['output', 'force', 'help', 'cite', 'threads', 'format', 'quiet', 'table',
  'max-input', 'gate', 'gate-on', 'verbose', 'help-all'];
const FIRST = 7; // options that are seen at once, where no question says which

export const sentence = (text) => `${text.charAt(0).toUpperCase()}${text.slice(1)}`
  + (/[.?!:]$/.test(text) ? '' : '.');
const label = (name) => sentence(name.replaceAll('-', ' ')).replace(/\.$/, '');

// A label is the first clause of the help, "Recall to demonstrate"; the help goes on behind it.
const words = (option) => {
  const [clause] = option.help.split(/(?<=\?)|[.;:](?= |$)| \(/);
  const first = clause.length <= 60 ? clause : clause.split(',')[0];
  return first.length >= 4 && first.length <= 60 && !first.startsWith('the same') ? first : '';
};
const title = (option) => (words(option) ? sentence(words(option)).replace(/\.$/, '') : label(optionKey(option)));
const rest = (option) => option.help.slice(words(option).length).replace(/^[\s.;:,]+/, '')
  .replace(/^\(([^)]*)\)/, '$1');

// The labels of the form, by the names of their options.
const labels = (command) => new Map(command.options.filter((o) => o.kind !== 'heading' && isShown(o))
  .map((o) => [o.name, title(o).split(',')[0]]));

/** What the tool says, in the words of the form: an option is named by its label. */
export function inWords(text, command) {
  const fields = labels(command);
  return text.replaceAll(/(?:option )?('?)--([a-z-]+)\1/g, (as, _, name) => (fields.has(name)
    ? `“${fields.get(name)}”` : as)).replaceAll(/'intervale ([a-z ]+)'/g, 'the form “$1”').replaceAll(/(?<=^|\. )the form “/g, 'The form “');
}

/** Help and description in the words of the form; what the form lacks is left out. */
export function told(command) {
  const fields = labels(command);
  const has = (clause) => [...clause.matchAll(/--([a-z-]+)/g)].every(([, name]) => fields.has(name));
  const clauses = (text) => text.split(/(?<=[.;]) /).map((clause, i, all) => (!has(clause) ? ''
    : i > 0 && !has(all[i - 1]) ? clause.charAt(0).toUpperCase() + clause.slice(1) : clause)).filter(Boolean).join(' ');
  const words = (text) => text && inWords(clauses(text).replace(/;$/, ''), command);
  return { ...command, description: command.description.split('\n\n').map((text) =>
    (text.startsWith(' ') ? text : words(text))).filter(Boolean).join('\n\n'),
  options: command.options.map((o) => ({ ...o, help: words(o.help), usual: words(o.usual) })) };
}

const isShown = (option) => option.kind === 'heading'
  || !(option.shared && HIDDEN.includes(option.name));

/** Which options are seen without unfolding: a question's, or those that examples use. */
function firstOptions(command, question) {
  if (question) return [...question.first, 'confidence'];
  const used = new Set(command.examples.flatMap(({ line }) =>
    [...line.matchAll(/ --?([a-z-]+)/gi)].map(([, name]) => name)));
  const own = command.options.filter((o) => o.kind !== 'heading' && !o.shared);
  const known = own.filter((o) => used.has(o.name) || used.has(o.letter));
  return [...(known.length > 0 ? known : own).slice(0, FIRST).map(optionKey), 'confidence'];
}

// ----------------------------------------------------------------- fields

/** The frame of a field: label, input, help, and room for what the tool says about it. */
function field(key, name, help, input, extra = {}) {
  const id = `f-${key.replaceAll(/[^\w-]/g, '-')}`;
  const error = el('p', { class: 'error', id: `${id}-error`, hidden: true });
  const about = help ? el('p', { class: 'help', id: `${id}-help` }, help) : null;
  const main = extra.main ?? input;
  main.id = id;
  main.setAttribute('aria-describedby', `${id}-error${help ? ` ${id}-help` : ''}`);
  const title = extra.group ? el('span', { class: 'label', id: `${id}-label` }, name)
    : el('label', { class: 'label', for: id }, name);
  if (extra.group) input.setAttribute('aria-labelledby', `${id}-label`);
  const box = el('div', { class: `field ${extra.class ?? ''}`, 'data-field': key },
    ...(extra.before ? [input, title] : [title, input]), about, error);
  return { key, box, main, error, option: extra.option, read: extra.read, write: extra.write };
}

// A value is written as it is chosen: "auto is holm".
const about = (option, text) => (option.words?.includes(/^[\w-]*/.exec(text)[0])
  ? text.charAt(0) + sentence(text).slice(1) : sentence(text));

const hint = (option) => (rest(option) ? about(option, rest(option)) : '') + (option.kind === 'list'
  ? `${option.words ? ` Any of ${option.words.join(', ')}.` : ''} One ${option.value} per line.` : '') + (option.usual && option.kind !== 'choice' && !option.words
  ? ` Default: ${option.usual}.` : '');

function flagField(option, key) {
  const input = el('input', { type: 'checkbox' });
  return field(key, title(option), hint(option), input, { option, before: true,
    class: 'flag', read: () => (input.checked ? true : ''),
    write: (value) => { input.checked = Boolean(value); } });
}

function choiceField(option, key) {
  const input = el('select', {}, el('option', { value: '' },
    option.usual ? `${option.usual} (default)` : 'default'),
  ...option.words.filter((word) => word !== option.usual)
    .map((word) => el('option', { value: word }, word)));
  return field(key, title(option), hint(option), input, { option,
    read: () => input.value, write: (value) => {
      if (value && ![...input.options].some((o) => o.value === value))
        input.append(el('option', { value }, value)); // the tool says what it thinks of it
      input.value = value ?? '';
    } });
}

/* Several numbers that belong together: an input each. */
function partsField(option, key, names) {
  const inputs = names.map((name) => el('input', { type: 'text', inputmode: 'decimal',
    autocomplete: 'off', 'aria-label': `${title(option)}: ${name}` }));
  const group = el('div', { class: 'parts', role: 'group' }, ...inputs.map((input, i) =>
    el('span', {}, input, el('span', { class: 'part', 'aria-hidden': 'true' }, names[i]))));
  return field(key, title(option), hint(option), group, { option, group: true,
    main: inputs[0],
    read: () => inputs.map((input) => input.value.trim().replaceAll(' ', '')).join(',')
      .replace(/,+$/, ''),
    write: (value) => {
      for (const input of inputs) input.value = '';
      (value ?? '').split(',').forEach((part, i) => {
        if (inputs[i]) inputs[i].value = part; else inputs.at(-1).value += `,${part}`;
      });
    } });
}

function textField(option, key) {
  const many = option.kind === 'list';
  const number = ['integer', 'real'].includes(option.kind);
  const input = many ? el('textarea', { rows: 2, placeholder: option.usual ?? option.value,
    spellcheck: 'false' })
    : el('input', { type: 'text', inputmode: number ? 'decimal' : null, autocomplete: 'off',
      placeholder: option.usual ?? option.value, spellcheck: 'false' });
  return field(key, title(option), hint(option), input, { option,
    read: () => (many ? input.value.split('\n').map((s) => s.trim()).filter(Boolean)
      : input.value.trim()),
    write: (value) => { input.value = [value ?? ''].flat().join('\n'); } });
}

/** Files by picker, by drop or pasted: on.own() is called before own files come, on.changed() after
 * every change. */
function fileField(key, name, help, many, option, on) {
  let held = [];
  const input = el('input', { type: 'file', multiple: many });
  const list = el('ul', { class: 'files', 'aria-label': `Files of ${name}` });
  const pasted = el('textarea', { rows: 5, spellcheck: 'false',
    'aria-label': `${name}: pasted text` });
  const take = (files, more) => {
    if (more) on.own();
    held = more && many ? [...held, ...files] : [...files].slice(0, many ? undefined : 1);
    show();
    on.changed();
  };
  const show = () => {
    list.replaceChildren(...held.map((file, i) => el('li', {}, file[0],
      el('span', { class: 'soft' }, ` ${sizeText(file[1].size ?? file[1].length)}`),
      el('button', { type: 'button', 'aria-label': `Remove ${file[0]}`,
        onclick: () => take(held.filter((_, k) => k !== i)) }, 'Remove'))));
  };
  input.addEventListener('change', () => {
    take([...input.files].map((file) => [file.name, file]), true);
    input.value = '';
  });
  const paste = el('details', { class: 'paste' }, el('summary', {}, 'or paste a table'), pasted,
    el('button', { type: 'button', onclick: () => {
      if (pasted.value.trim() === '') return;
      const text = pasted.value.endsWith('\n') ? pasted.value : `${pasted.value}\n`;
      take([[`pasted-${name.toLowerCase().replaceAll(/\W+/g, '-')}.txt`,
        new TextEncoder().encode(text)]], true);
    } }, 'Use this text'));
  const drop = el('div', { class: 'drop' }, input, list, paste);
  drop.addEventListener('dragover', (event) => {
    event.preventDefault();
    drop.classList.add('over');
  });
  drop.addEventListener('dragleave', () => drop.classList.remove('over'));
  drop.addEventListener('drop', (event) => {
    event.preventDefault();
    drop.classList.remove('over');
    take([...event.dataTransfer.files].map((file) => [file.name, file]), true);
  });
  const made = field(key, name, help, drop, { option, main: input });
  return Object.assign(made, { files: () => held, example: false,
    hold: (files, example = false) => { held = files; made.example = example; show(); } });
}

export function sizeText(bytes) {
  return bytes < 1000 ? `${bytes} bytes` : bytes < 1e6 ? `${(bytes / 1e3).toFixed(1)} kB`
    : `${(bytes / 1e6).toFixed(1)} MB`;
}

function optionField(option, parts, on) {
  const key = `option:${optionKey(option)}`;
  const given = parts?.[optionKey(option)];
  const letters = /^[A-Za-z]+(,[A-Za-z]+)+$/.test(option.value ?? '') ? option.value.split(',')
    .map((name) => (name.length > 1 ? name.toLowerCase() : name)) : null;
  if (option.file)
    return fileField(key, title(option), hint(option).replace(/ One \S+ per line\./, ''),
      option.kind === 'list', option, on);
  if (option.kind === 'flag') return flagField(option, key);
  if (option.kind === 'choice' || (option.words && option.kind === 'text'))
    return choiceField(option, key);
  if (['reals', 'integers'].includes(option.kind) && (given ?? letters))
    return partsField(option, key, given ?? letters);
  return textField(option, key);
}

const slotName = (slot) => slot.name.toLowerCase()
  + (slot.many && !slot.name.endsWith('S') ? 's' : '');

const SLOT_HELP = { JUDGMENTS: 'Relevance judgments: TREC qrels, BEIR, MS MARCO, or a judged '
  + 'sample.', RUN: 'Rankings: TREC runs or MS MARCO lines.', FILE: '', MATRIX: 'Scores, systems '
  + 'x topics, as CSV.', REFERENCE: 'Judgments or labels to compare with.',
LABELS: 'Judgments or labels of others.', QRELS: 'Relevance judgments.' };

function operandField(slot, on) {
  const key = `operand:${slot.name}`;
  if (slot.text) {
    const input = el('input', { type: 'text', autocomplete: 'off', placeholder: slot.name });
    return field(key, label(slot.name.toLowerCase()), '', input, { read: () => input.value.trim(),
      write: (value) => { input.value = value ?? ''; } });
  }
  const help = [SLOT_HELP[slot.name] ?? '', slot.many ? 'Choose files or drop them here; plain, gzip or zstd.'
      : 'Choose a file or drop it here; plain, gzip or zstd.',
    slot.optional ? 'Optional.' : ''].filter(Boolean).join(' ');
  return fileField(key, label(slotName(slot)), help, slot.many, undefined, on);
}

// ------------------------------------------------------------------- form

/** The options under their headings, but for those of `first`: [heading, options] each. */
function folded(command, first) {
  const groups = [['More options', []]];
  for (const option of command.options.filter(isShown)) {
    if (option.kind === 'heading') groups.push([option.help, []]);
    else if (option.shared && groups.at(-1)[0] !== 'Randomness and the report')
      groups.push(['Randomness and the report', []]);
    if (option.kind !== 'heading' && !first.includes(optionKey(option)))
      groups.at(-1)[1].push(option);
  }
  return groups.filter(([, options]) => options.length > 0);
}

/**
 * Builds the form of a command into a folder of fields: { root, fields, read(), complain() }.
 * on.changed() is called on every input, on.own() before the first file of the user's comes.
 */
export function buildForm(asked, state, question, on) {
  const command = told(asked);
  const first = firstOptions(command, question);
  const { parts } = QUESTIONS.find((q) => q.command === asked.name) ?? {};
  const ways = operandWays(command);
  const fields = [];
  const add = (made) => { fields.push(made); return made.box; };
  const root = el('div', { class: 'fields' });
  const operands = el('div', {});
  let way = Math.min(state.way ?? 0, ways.length - 1);

  function showOperands() {
    for (let i = fields.length; i-- > 0;)
      if (fields[i].key.startsWith('operand:')) fields.splice(i, 1);
    operands.replaceChildren(...ways[way].slots.map((slot) => add(operandField(slot, on))));
  }
  if (ways.length > 1) {
    const choose = el('select', { id: 'way', onchange: () => {
      way = choose.selectedIndex;
      showOperands();
      on.changed();
    } }, ...ways.map(({ slots, flags }) => el('option', {},
      slots.map(slotName).join(', ') + flags.map((flag) => ` (${flag})`).join(''))));
    choose.selectedIndex = way;
    root.append(el('div', { class: 'field' }, el('label', { class: 'label', for: 'way' },
      'What you have'), choose));
  }
  showOperands();
  root.append(operands);
  const own = command.options.filter((o) => o.kind !== 'heading' && isShown(o));
  for (const key of first) {
    const option = own.find((o) => optionKey(o) === key);
    if (option) root.append(add(optionField(option, parts, on)));
  }
  for (const [heading, options] of folded(command, first)) {
    const open = options.some((o) => state.values[optionKey(o)] !== undefined);
    root.append(el('details', { class: 'more', open },
      el('summary', {}, heading), ...options.map((o) => add(optionField(o, parts, on)))));
  }
  for (const made of fields) {
    const key = made.key.startsWith('option:') ? made.key.slice(7) : made.key;
    if (made.write && state.values[key] !== undefined) made.write(state.values[key]);
    if (made.hold && state.files[made.key]) made.hold(state.files[made.key]);
  }
  root.addEventListener('input', on.changed);
  return { root, fields, get way() { return way; }, read: () => readForm(fields, way) };
}

function readForm(fields, way) {
  const values = {}, files = {};
  const names = new Map();
  for (const made of fields) {
    const key = made.key.startsWith('option:') ? made.key.slice(7) : made.key;
    if (made.files) {
      if (made.files().length > 0) files[made.key] = made.files().map(([name, content]) =>
        [freeName(names, name, content), content]);
      continue;
    }
    const value = made.read();
    if (value !== '' && [value].flat().length > 0) values[key] = value;
  }
  return { values, files, way };
}

/* Two files of one name are two files. */
function freeName(names, name, content) {
  let free = name;
  for (let i = 2; names.has(free) && names.get(free) !== content; i++)
    free = name.replace(/(\.[^.]*)?$/, `-${i}$1`);
  names.set(free, content);
  return free;
}

/** Shows what the tool said beside its field; null: nothing is wrong. Returns whether it could. */
export function complain(form, complaint) {
  for (const { error, main } of form.fields) {
    error.hidden = true;
    error.textContent = '';
    main.removeAttribute('aria-invalid');
  }
  const at = complaint && form.fields.find(({ key }) => key === complaint.field);
  if (!at) return false;
  at.error.textContent = complaint.text;
  at.error.hidden = false;
  at.main.setAttribute('aria-invalid', 'true');
  for (let up = at.box.parentElement; up; up = up.parentElement) if (up.open === false) up.open = true;
  at.main.focus();
  return true;
}
