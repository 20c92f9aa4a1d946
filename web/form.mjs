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

// The page has its own way to choose these, or no use for them; DISK are a command's own.
const HIDDEN = ['output', 'force', 'help', 'cite', 'threads', 'format', 'quiet', 'table',
  'max-input', 'gate', 'gate-on', 'verbose', 'help-all'];
const DISK = ['memory', 'sort'];
const FIRST = 7; // options that are seen at once, where no question says which

export const sentence = (text) => `${text.charAt(0).toUpperCase()}${text.slice(1)}`
  + (/[.?!:]$/.test(text) ? '' : '.');
const label = (name) => sentence(name.replaceAll('-', ' ')).replace(/\.$/, '');

const slotName = (slot) => slot.name.toLowerCase()
  + (slot.many && !slot.name.endsWith('S') ? 's' : '');
const slotLabel = (slot) => label(slotName(slot));

// A label is the first clause of the help, "Recall to demonstrate"; the help goes on behind it.
const LONGEST = 64;
const clauseOf = (help) => help.split(/(?<=\?)|[.;:](?= |$)| \(/)[0];
const words = (option) => {
  const clause = clauseOf(option.help);
  const first = clause.length <= LONGEST && !/--|“/.test(clause) ? clause : clause.split(',')[0];
  return first.length >= 4 && first.length <= LONGEST && !first.startsWith('the same') ? first : '';
};
const title = (option) => (words(option) ? sentence(words(option)).replace(/\.$/, '') : label(optionKey(option)));
const rest = (option) => option.help.slice(words(option).length).replace(/^[\s.;:,]+/, '')
  .replace(/^\(([^)]*)\)/, '$1');

// ---------------------------------------------- the words of a command line

const namesIn = (text) => [...text.matchAll(/(?<![\w-])--([a-z-]+)/g)].map(([, name]) => name);

const isHidden = (option) => (option.shared ? HIDDEN : DISK).includes(option.name);

/** The options of the form: without those that only serve one that it lacks, as --gate. */
function offered(command) {
  const hidden = command.options.filter(isHidden).map((o) => o.name);
  return command.options.filter((o) => o.kind === 'heading'
    || !(isHidden(o) || namesIn(clauseOf(o.help)).some((name) => hidden.includes(name))));
}

/* Options by their labels: --level, -l, and --positive LABEL with its value. */
function withLabels(text, options, labelOf) {
  const put = (as, option, next) => (!option ? as
    : `“${labelOf(option)}”${next && next !== option.value ? ` ${next}` : ''}`);
  return text.replaceAll(/(?:option )?('?)(?<![\w-])--([a-z-]+)\1(?: ([A-Z]+)\b)?/g,
    (as, _, name, next) => put(as, options.find((o) => o.name === name), next))
    .replaceAll(/(?<=^|[\s(])-([A-Za-z])(?=[\s.,;)]|$)/g, (as, letter) =>
      put(as, options.find((o) => o.letter === letter)))
    .replaceAll(/'intervale ([a-z ]+)'/g, 'the form “$1”')
    .replaceAll(/(?<=^|\. )the form “/g, 'The form “');
}

/** What the tool says, in the words of the form: an option is named by its label. */
export const inWords = (text, command) => {
  const { options } = told(command);
  return withOperands(withLabels(text, options.filter((o) => o.kind !== 'heading'), title), command);
};

/* Operands by their labels: JUDGMENTS, RUNs.  `option` is spoken of: its own file is "this file". */
function withOperands(text, command, option, put = (name) => `“${name}”`) {
  const slots = command.files ? operandWays(command).flatMap((way) => way.slots) : [];
  return text.replaceAll(/\b([A-Z]{3,})s?\b(?![=>]|\.\w)/g, (as, name) => {
    if (name === option?.value) return option.file ? 'this file' : as;
    const slot = slots.find((s) => s.name === name && !s.option);
    return slot ? put(slotLabel(slot)) : as;
  });
}

/* Clauses that name an option that the form lacks are left out. */
function clauses(text, options) {
  const has = (clause) => namesIn(clause).every((name) => options.some((o) => o.name === name));
  return text.split(/(?<=[.;]) /).map((clause, i, all) => {
    if (!has(clause)) return '';
    const begun = i > 0 && !has(all[i - 1]) ? clause.charAt(0).toUpperCase() + clause.slice(1)
      : clause;
    return i + 1 < all.length && !has(all[i + 1]) ? begun.replace(/;$/, '.') : begun;
  }).filter(Boolean).join(' ');
}

/** The command in the words of the form: operands and options by their labels, JUDGMENTS, too. */
export function told(command) {
  const options = offered(command), real = options.filter((o) => o.kind !== 'heading');
  const plainly = (text, option) => withOperands(text, command, option, (name) => name.toLowerCase());
  // A label may name another option, whose label is then as it is written.
  const short = (o) => title({ ...o, help: plainly(o.help, o) });
  const words = (text, labelOf) => withLabels(clauses(text, real), real, labelOf);
  const inForm = (option) => {
    const help = words(option.help, short), first = clauseOf(help);
    return { ...option, usual: option.usual && words(option.usual, short),
      help: plainly(first, option) + withOperands(help.slice(first.length), command, option) };
  };
  const made = options.map((o) => (o.kind === 'heading' ? o : inForm(o)));
  const labelOf = (option) => title(made.find((o) => optionKey(o) === optionKey(option)));
  const paragraphs = command.description.split('\n\n').map((text) =>
    (text.startsWith(' ') ? text : withOperands(words(text, labelOf), command)));
  return { ...command, options: made, description: paragraphs.filter(Boolean).join('\n\n') };
}

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

/** A text whose forms are links, to another tab: files that were chosen here stay. */
export const linked = (text) => text.split(/(?<=the form )“([a-z ]+)”/i).map((part, i) =>
  (i % 2 === 0 ? part
    : el('a', { href: `#${part.replaceAll(' ', '-')}`, target: '_blank' }, `“${part}”`)));

/** The frame of a field: label, input, help, and room for what the tool says about it. */
function field(key, name, help, input, extra = {}) {
  const id = `f-${key.replaceAll(/[^\w-]/g, '-')}`;
  const error = el('p', { class: 'error', id: `${id}-error`, hidden: true });
  const about = help ? el('p', { class: 'help', id: `${id}-help` }, ...linked(help)) : null;
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
const about = (option, text) => (/^(?!default)[a-z]+[:=]/.test(text)
  || option.words?.includes(/^[\w-]*/.exec(text)[0])
  ? text.charAt(0) + sentence(text).slice(1) : sentence(text));

const hint = (option) => [rest(option) && about(option, rest(option)),
  option.kind === 'list' && option.words && `Any of ${option.words.join(', ')}.`,
  option.kind === 'list' && !option.file && `One ${option.value} per line.`,
  option.usual && !option.words?.includes(option.usual) && (option.words?.includes('auto')
    ? `auto: ${option.usual}.` : `Default: ${option.usual}.`)].filter(Boolean).join(' ');

function flagField(option, key) {
  const input = el('input', { type: 'checkbox' });
  return field(key, title(option), hint(option), input, { option, before: true,
    class: 'flag', read: () => (input.checked ? true : ''),
    write: (value) => { input.checked = Boolean(value); } });
}

function choiceField(option, key) {
  const [usual] = [option.usual, 'auto'].filter((word) => option.words.includes(word));
  const input = el('select', {}, el('option', { value: '' }, usual ? `${usual} (default)` : 'default'),
    ...option.words.filter((word) => word !== usual)
      .map((word) => el('option', { value: word }, word)));
  return field(key, title(option), hint(option), input, { option,
    read: () => input.value, write: (value) => {
      if (value && ![...input.options].some((o) => o.value === value))
        input.append(el('option', { value }, value)); // the tool says what it thinks of it
      input.value = value ?? '';
    } });
}

/* A link has commas between numbers: "20,000" is one number. */
export const whole = (text) => (/^\d{1,3}(,\d{3})+(\.\d+)?$/.test(text) ? text.replaceAll(',', '') : text);

/* Several numbers that belong together: an input each. */
function partsField(option, key, names, given) {
  const inputs = names.map((name) => el('input', { type: 'text', inputmode: 'decimal',
    autocomplete: 'off', 'aria-label': `${title(option)}: ${name}` }));
  const group = el('div', { class: 'parts', role: 'group' }, ...inputs.map((input, i) =>
    el('span', {}, input, el('span', { class: 'part', 'aria-hidden': 'true' }, names[i]))));
  const [letter] = option.value.split(','); // "N, with n judged": the inputs have these names
  const help = hint(option).replace(new RegExp(`^${letter},[^.]*\\. ?`), given ? '' : '$&');
  return field(key, title(option), help, group, { option, group: true,
    main: inputs[0],
    read: () => inputs.map((input) => whole(input.value.replaceAll(' ', ''))).join(',')
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
    return fileField(key, title(option), hint(option), option.kind === 'list', option, on);
  if (option.kind === 'flag') return flagField(option, key);
  if (option.kind === 'choice' || (option.words && option.kind === 'text'))
    return choiceField(option, key);
  if (['reals', 'integers'].includes(option.kind) && (given ?? letters))
    return partsField(option, key, given ?? letters, given);
  return textField(option, key);
}

/* What the description says of an operand: "“Pilot” is a table with ...". */
const meaning = (slot, command) => new RegExp(`“${slotLabel(slot)}” (?:is|are) ([^.]*\\.)`)
  .exec(command.description)?.[1];

const SLOT_HELP = { JUDGMENTS: 'Relevance judgments: TREC qrels, BEIR, MS MARCO, or a judged '
  + 'sample.', RUN: 'Rankings: TREC runs or MS MARCO lines.', REFERENCE: 'Judgments or labels to compare with.',
LABELS: 'Judgments or labels of others.', QRELS: 'Relevance judgments.' };

function operandField(slot, command, on) {
  const key = `operand:${slot.name}`;
  if (slot.text) {
    const input = el('input', { type: 'text', autocomplete: 'off', placeholder: slot.name });
    return field(key, label(slot.name.toLowerCase()), '', input, { read: () => input.value.trim(),
      write: (value) => { input.value = value ?? ''; } });
  }
  const what = meaning(slot, command);
  const help = [SLOT_HELP[slot.name] ?? (what && sentence(what)), slot.many ? 'Choose files or drop them here; plain, gzip or zstd.'
      : 'Choose a file or drop it here; plain, gzip or zstd.',
    slot.optional ? 'Optional.' : ''].filter(Boolean).join(' ');
  return fileField(key, slotLabel(slot), help, slot.many, undefined, on);
}

// ------------------------------------------------------------------- form

/* A choice of operands: the options that it needs, or what the operands are. */
const wayTitle = ({ slots, flags }, command) => label(flags.length > 0
  ? [...flags.map((flag) => title(command.options.find((o) => o.name === flag))),
    ...slots.filter((slot) => !slot.option && slots[0].option).map((slot) => slotName(slot))].join(', ')
  : slots.map((slot) => meaning(slot, command)?.match(/^an? [^:;,.]+/)?.[0] ?? slotName(slot))
    .join(', '));

/** The options under their headings, but for those of `first`: [heading, options] each. */
function folded(options, first) {
  const groups = [['More options', []]];
  for (const option of options) {
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
  const own = command.options.filter((o) => o.kind !== 'heading');
  const free = command.options.filter((o) => // not beside the operands
    !ways.some(({ slots }) => slots.some((slot) => slot.option && slot.option.name === o.name)));
  const root = el('div', { class: 'fields' });
  const operands = el('div', {});
  let way = Math.min(state.way ?? 0, ways.length - 1);

  function showOperands() {
    for (let i = fields.length; i-- > 0;) if (operands.contains(fields[i].box)) fields.splice(i, 1);
    operands.replaceChildren(...ways[way].slots.map((slot) => add(slot.option
      ? optionField(own.find((o) => o.name === slot.option.name), parts, on)
      : operandField(slot, command, on))));
  }
  if (ways.length > 1) {
    const choose = el('select', { id: 'way', onchange: () => {
      way = choose.selectedIndex;
      showOperands();
      on.changed();
    } }, ...ways.map((one) => el('option', {}, wayTitle(one, command))));
    choose.selectedIndex = way;
    root.append(el('div', { class: 'field' }, el('label', { class: 'label', for: 'way' },
      'What you have'), choose));
  }
  showOperands();
  root.append(operands);
  for (const key of first) {
    const option = free.find((o) => optionKey(o) === key);
    if (option) root.append(add(optionField(option, parts, on)));
  }
  for (const [heading, options] of folded(free, first)) {
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
