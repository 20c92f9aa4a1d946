// SPDX-License-Identifier: Apache-2.0
// Puts the site together: one page, one script, one module.
//
// usage: node assemble.mjs SOURCES MODULE.wasm LICENCES OUT
//
// The script is the page, the worker and the service in one, told apart by where it runs; its
// forms are made from what the module itself says of its options.
import { createHash } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';

import { run } from './tool.mjs';

const [sources, modulePath, licences, out] = process.argv.slice(2);
const PARTS = ['wasi', 'tool', 'command', 'questions', 'form', 'engine', 'worker', 'page'];
const read = (name) => fs.readFileSync(path.join(sources, name), 'utf8');
const digest = (...texts) => texts.reduce((hash, t) => hash.update(t), createHash('sha256'));

const wasm = fs.readFileSync(modulePath);
const module = await WebAssembly.compile(wasm);
const said = async (...args) => {
  const { status, out: bytes, err } = await run(module, { args });
  if (status !== 0) throw new Error(`intervale ${args.join(' ')}: ${err}`);
  return new TextDecoder().decode(bytes);
};
const commands = JSON.parse(await said('schema'));
// A report runs one script, by its hash; in a frame it is under this page's policy, too.
const [reportHash] = /sha256-[^']+/.exec(await said('prf', '--counts', '1,1,1', '--format', 'html'));

const parts = PARTS.map((name) => read(`${name}.mjs`)
  .replace(/^\/\/ SPDX.*\n/, '').replace(/^import [^;]*;\n/gm, '').replace(/^export /gm, ''))
  .join('\n');
const style = read('../src/report/web/design.css') + read('browser.css');
const template = read('browser.html');
const version = digest(wasm, parts, style, template).digest('hex').slice(0, 16);
const files = ['./', 'intervale.js', 'intervale.wasm'];
const script = `/* SPDX-License-Identifier: Apache-2.0
intervale ${commands.version}, under the Apache License 2.0.  In its module are:

${fs.readFileSync(licences, 'utf8').trim().replaceAll('*/', '* /')}
*/
(() => {
'use strict';
const __SITE__ = ${JSON.stringify({ version, files })};
const __COMMANDS__ = typeof document === 'undefined' ? null : ${JSON.stringify(commands)};
${parts}
if (typeof document !== 'undefined') page();
else if (typeof ServiceWorkerGlobalScope !== 'undefined') serve();
else work();
})();
`;
const policy = ["default-src 'none'", `script-src 'self' 'wasm-unsafe-eval' '${reportHash}'`,
  "style-src 'unsafe-inline'", 'img-src data: blob:', "connect-src 'self'", "worker-src 'self'",
  'frame-src blob:', "base-uri 'none'", "form-action 'none'"].join('; ');

fs.mkdirSync(out, { recursive: true });
fs.writeFileSync(path.join(out, 'intervale.js'), script);
fs.writeFileSync(path.join(out, 'intervale.wasm'), wasm);
fs.writeFileSync(path.join(out, 'index.html'), template.replace('__POLICY__', policy)
  .replace('__STYLE__', () => style).replace('__SCRIPT__', files[1]));
