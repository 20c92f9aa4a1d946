#!/usr/bin/env node
// SPDX-License-Identifier: Apache-2.0
// Draws what --format vega writes, as SVG, with the Vega of a build.
//
// usage: intervale ... --format vega | node tools/chart_svg.mjs BUILD [N] >chart.svg
//
// N: only the Nth of several charts.
import fs from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';

const [build, number] = process.argv.slice(2);
if (!build) {
  console.error('usage: intervale ... --format vega | node tools/chart_svg.mjs BUILD [N] >chart.svg');
  process.exit(2);
}
const load = (...parts) =>
  import(pathToFileURL(path.resolve(build, 'web', 'node_modules', ...parts)));
const vega = await load('vega', 'build', 'vega.module.js');
const vegaLite = await load('vega-lite', 'build', 'index.js');
const spec = JSON.parse(fs.readFileSync(0, 'utf8'));
if (number && spec.vconcat) {
  Object.assign(spec, spec.vconcat[number - 1]);
  delete spec.vconcat;
  delete spec.resolve;
}
const view = new vega.View(vega.parse(vegaLite.compile(spec).spec), { renderer: 'none' });
process.stdout.write(`${await view.toSVG()}\n`);
