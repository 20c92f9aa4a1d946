// SPDX-License-Identifier: Apache-2.0
// Turns what a report is made of (the libraries that draw, our script, our
// style) into one C file of string pieces.
//
// usage: node inline.mjs SOURCES NODE_MODULES OUT.c
//
// Beside OUT.c it writes licences.txt and packages.json: what is inlined.
import { createHash } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';

const [sources, modules, out] = process.argv.slice(2);
const DRAW = ['vega', 'vega-lite']; // without a browser, too
const SHOW = ['vega-embed'];
const LIBRARIES = [...DRAW, ...SHOW];
const read = (...parts) => fs.readFileSync(path.join(...parts), 'utf8');
const described = (name) => JSON.parse(read(modules, name, 'package.json'));

// Every package that may be inside the libraries' bundles, for their licences.
function needed(names) {
  const found = new Set();
  const visit = (name) => {
    if (found.has(name) || !fs.existsSync(path.join(modules, name, 'package.json'))) return;
    found.add(name);
    Object.keys(described(name).dependencies ?? {}).forEach(visit);
  };
  names.forEach(visit);
  return [...found].filter((name) => !name.startsWith('@types/')).sort();
}

function licences() {
  const texts = new Map();
  for (const name of needed(LIBRARIES)) {
    const file = fs.readdirSync(path.join(modules, name)).find((f) => /^licen[cs]e/i.test(f));
    const text = file ? read(modules, name, file).trim()
      : `Licence: ${described(name).license}`;
    texts.set(text, [...(texts.get(text) ?? []), `${name} ${described(name).version}`]);
  }
  return [...texts].map(([text, names]) => `${names.join(', ')}:\n\n${text}`)
    .join('\n\n----\n\n').replaceAll('*/', '* /');
}

// A browser reads line ends as \n and hashes what it read.  Nothing inside may
// end the script element or begin a comment of HTML.
const inert = (js) => js.replace(/\r\n?/g, '\n').replaceAll('</script', '<\\/script')
  .replaceAll('<!--', '<\\!--').replace(/^\/\/# sourceMappingURL=.*$/gm, '');
const drawing = inert([
  `/* The charts of this report are drawn by ${LIBRARIES.map((name) =>
    `${name} ${described(name).version}`).join(', ')}.\n\n${licences()}\n*/`,
  ...DRAW.map((name) => read(modules, name, 'build', `${name}.min.js`)), '',
].join('\n'));
const script = inert([...SHOW.map((name) => read(modules, name, 'build', `${name}.min.js`)),
  read(sources, 'flow.js'), read(sources, 'page.js')].join('\n'));
const style = (read(sources, 'design.css') + read(sources, 'page.css')).replace(/\/\*[^]*?\*\//g, '');
if (/<\/style/i.test(style)) throw new Error('page.css ends its own element');

// C knows strings of 4095 bytes; octal escapes take no digit that follows.
function pieces(text) {
  const bytes = Buffer.from(text, 'utf8');
  const list = [];
  for (let at = 0; at < bytes.length; at += 2000) {
    let piece = '';
    for (const byte of bytes.subarray(at, at + 2000)) {
      if (byte === 0x0a) piece += '\\n';
      else if (byte === 0x22 || byte === 0x5c) piece += `\\${String.fromCharCode(byte)}`;
      else if (byte >= 0x20 && byte < 0x7f && byte !== 0x3f) piece += String.fromCharCode(byte);
      else piece += `\\${byte.toString(8).padStart(3, '0')}`;
    }
    list.push(`    "${piece}",`);
  }
  return list.join('\n');
}

const locked = JSON.parse(read(sources, 'package-lock.json')).packages;
fs.writeFileSync(path.join(path.dirname(out), 'licences.txt'), `${licences()}\n`);
fs.writeFileSync(path.join(path.dirname(out), 'packages.json'), `${JSON.stringify(
  needed(LIBRARIES).map((name) => ({ name, version: described(name).version,
    licence: described(name).license, integrity: locked[`node_modules/${name}`]?.integrity })),
  null, 1)}\n`);

const hash = createHash('sha256').update(drawing + script, 'utf8').digest('base64');
fs.writeFileSync(out, `/* SPDX-License-Identifier: Apache-2.0 */
/* Made by inline.mjs; the licences of what is inlined are in the script. */
#include "report/page.h"

const char iv_page_script_hash[] = "sha256-${hash}";

const char *const iv_page_style[] = {
${pieces(style)}
    0
};

const char *const iv_page_drawing[] = {
${pieces(drawing)}
    0
};

const char *const iv_page_script[] = {
${pieces(script)}
    0
};
`);
