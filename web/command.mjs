// SPDX-License-Identifier: Apache-2.0
// What a form says as words of a command line, as a fragment of the address, and back.

/**
 * The operands of a command: the ways to give them, each a list of { name, many, optional } and of the
 * options that it needs.  The file that such an option takes is a slot, too, with its option.
 */
export function operandWays(command) {
  if (!command.files) return command.operands ? [{ words: [], flags: [],
    slots: [{ name: command.operands.replace(/[[\].]/g, ''), many: true, optional: true,
      text: true }] }] : [{ words: [], flags: [], slots: [] }];
  return command.operands.split(' | ').map((way) => {
    const slots = [], flags = [];
    let taking = null; // the option whose value is the next word
    for (const word of way.replaceAll(/[[\]]/g, ' $& ').split(' ').filter(Boolean)) {
      if (word === '[' || word === ']') continue;
      if (word.startsWith('--')) {
        flags.push(word.slice(2));
        taking = command.options.find((o) => o.name === flags.at(-1) && o.kind !== 'flag');
        continue;
      }
      const name = word.replace('...', '');
      const many = word.endsWith('...');
      const before = slots.find((slot) => slot.name === name);
      if (taking) slots.push({ name, option: taking });
      else if (before) before.many = true;
      else slots.push({ name, many, optional: way.includes(`[${word}`) || way.startsWith('[') });
      taking = null;
    }
    return { slots, flags };
  });
}

export const optionKey = (option) => option.name ?? option.letter;

/** A word as a shell wants it. */
export const quoted = (word) => (/^[\w+=./:,@%-]+$/.test(word) ? word
  : `'${word.replaceAll("'", "'\\''")}'`);

/**
 * The words of a state: { command, values, files }.  values: of each option by its key, a
 * string, true, or a list of strings; files: of each option "option:KEY" and operand
 * "operand:NAME", [name, content] each.
 */
export function wordsOf(command, state, extra = []) {
  const words = [...command.name.split(' ')];
  const put = (option, value) => (option.name ? words.push(`--${option.name}`, value)
    : words.push(`-${option.letter}`, value));
  for (const option of command.options) {
    const key = optionKey(option);
    const value = state.values[key];
    if (option.kind === 'heading') continue;
    for (const [name] of state.files[`option:${key}`] ?? []) put(option, name);
    if (value === undefined || value === '' || option.file) continue;
    if (option.kind === 'flag') words.push(option.name ? `--${option.name}` : `-${option.letter}`);
    else for (const one of [value].flat()) put(option, one);
  }
  words.push(...extra);
  const ways = operandWays(command), way = ways[state.way ?? 0];
  const operands = way.slots.filter((slot) => !slot.option).flatMap((slot) => (slot.text
    ? (state.values[`operand:${slot.name}`] ?? '').split(/\s+/).filter(Boolean)
    : (state.files[`operand:${slot.name}`] ?? []).map(([name]) => name)));
  const needed = ways.length > 1 || operands.length > 0
    ? way.flags.filter((flag) => !words.includes(`--${flag}`)) : [];
  // An option whose file is lacking comes last, where it takes no operand for it: it is refused.
  const lacking = needed.filter((flag) => way.slots.some((slot) => slot.option?.name === flag));
  words.push(...needed.filter((flag) => !lacking.includes(flag)).map((flag) => `--${flag}`));
  if (operands.some((word) => word.startsWith('-'))) words.push('--');
  return [...words, ...operands, ...lacking.map((flag) => `--${flag}`)];
}

/** All files of a state, each once. */
export function filesOf(state) {
  return Object.values(state.files).flat();
}

/** #recall?retrieved=10,5,3&one-sided: all of a state but its files. */
export function fragmentOf(state) {
  const parts = [];
  for (const [key, value] of Object.entries(state.values)) {
    for (const one of [value].flat())
      if (one !== '') parts.push(one === true ? encodeURIComponent(key)
        : `${encodeURIComponent(key)}=${encodeURIComponent(one).replaceAll('%2C', ',')}`);
  }
  if (state.way) parts.push(`.way=${state.way}`);
  if (state.question) parts.push(`.question=${state.question}`);
  if (state.example) parts.push('.example');
  return `#${state.command.replaceAll(' ', '-')}${parts.length > 0 ? `?${parts.join('&')}` : ''}`;
}

const plain = (text) => {
  try { return decodeURIComponent(text.replaceAll('+', ' ')); } catch { return text; }
};

/** The state that a fragment tells, or null for the start; unknown parts are left out. */
export function stateOf(fragment, commands) {
  const [name, rest = ''] = fragment.replace(/^#/, '').split('?');
  const command = commands.find((c) => c.reports && c.name.replaceAll(' ', '-') === plain(name));
  if (!command) return null;
  const state = { command: command.name, values: {}, files: {}, way: 0 };
  for (const part of rest.split('&').filter(Boolean)) {
    const [key, value] = part.split(/=(.*)/s).map((t) => t !== undefined && plain(t));
    const option = command.options.find((o) => optionKey(o) === key);
    if (key === '.way') {
      state.way = Math.min(Math.max(0, Number(value) || 0), operandWays(command).length - 1);
    } else if (key === '.question') state.question = value;
    else if (key === '.example') state.example = true;
    else if (key.startsWith('operand:')) state.values[key] = value;
    else if (!option || option.file || option.kind === 'heading') continue;
    else if (option.kind === 'flag') state.values[key] = true;
    else if (option.kind === 'list') (state.values[key] ??= []).push(value || '');
    else state.values[key] = value || '';
  }
  return state;
}

/**
 * What the tool said, without its own name and synopsis, and the field that it is about: { text, field,
 * lacking, more }, the field "option:KEY", "operand:NAME" or null; the fields that need a file, or
 * another one.
 */
export function complaintOf(said, command, state) {
  const lines = said.split('\n').filter((line) => line && !/: note: /.test(line));
  const text = (lines[0] ?? '').replace(/^intervale[a-z ]*: /, '')
    .replace(/; (see 'intervale help|usage: intervale ).*$/, '');
  const files = Object.entries(state.files).find(([, list]) =>
    list.some(([name]) => text.startsWith(`${name}:`)));
  if (files) return { text, field: files[0] };
  const keyOf = (slot) => (slot.option ? `option:${optionKey(slot.option)}` : `operand:${slot.name}`);
  const slots = operandWays(command)[state.way ?? 0].slots.filter((slot) => !slot.text);
  const empty = slots.filter((slot) => !slot.optional && !state.files[keyOf(slot)]).map(keyOf);
  const given = [...text.matchAll(/--([a-z0-9-]+)/g)].some(([, name]) => state.values[name] !== undefined);
  if (slots.length > 0 && (/operand/.test(text) || (empty.length > 0 && !given))) {
    const lacking = /^too few/.test(text) && empty.length === 0 ? [keyOf(slots.at(-1))] : empty;
    return { text, lacking, more: empty.length === 0, field: lacking[0] ?? keyOf(slots[0]) };
  }
  for (const [, name] of text.matchAll(/--([a-z0-9-]+)/g)) {
    const option = command.options.find((o) => o.name === name);
    if (option) return { text, field: `option:${optionKey(option)}` };
  }
  // The library names no options: what was given and is spoken of, as in "the retrieved segment".
  const [word] = text.match(/[a-z0-9-]+/g)?.filter((w) => state.values[w] !== undefined) ?? [];
  return { text, field: word ? `option:${word}` : null };
}
