// SPDX-License-Identifier: Apache-2.0
// The flow diagram of PRISMA 2020, from its steps: [{ step, records }].  All is in attributes, so
// that a saved file is complete.
function prismaFlow(steps) {
  const SVG = 'http://www.w3.org/2000/svg';
  const LINE = 18;
  const count = new Intl.NumberFormat('en');
  const known = new Map(steps.map(({ step, records }) => [step, records]));
  const add = (to, name, attributes, text) => {
    const e = document.createElementNS(SVG, name);
    for (const [k, v] of Object.entries(attributes)) e.setAttribute(k, v);
    if (text !== undefined) e.textContent = text;
    to.append(e);
    return e;
  };
  const of = (name, words = name) => `${words.charAt(0).toUpperCase()}${words.slice(1)} (n = ${count.format(known.get(name) ?? 0)})`;
  const some = (...names) => names.filter((name) => known.get(name) > 0).map((name) => of(name));
  const reasons = steps.filter(({ step }) => step.startsWith('excluded: '))
    .map(({ step }) => `  ${of(step, step.slice('excluded: '.length))}`);
  const rows = [
    [[of('records identified')], ['Removed before screening:', of('duplicates removed', 'duplicates'),
      of('removed: neither title nor abstract', 'neither title nor abstract')]],
    [[of('records screened')], [of('excluded', 'records excluded'), ...reasons]],
    [[of('included', 'records included')],
      some('disagreement, not decided', 'judged by one of two assessors', 'cannot judge', 'not screened')]];
  const height = (lines) => lines.length * LINE + 14;
  const svg = document.createElementNS(SVG, 'svg');
  let y = 2;
  rows.forEach(([left, right], i) => {
    const tall = Math.max(height(left), right.length > 0 ? height(right) : 0);
    [[2, left, 270], [330, right, 368]].forEach(([x, lines, width]) => {
      if (lines.length === 0) return;
      add(svg, 'rect', { x, y, width, height: tall, fill: 'none', stroke: 'currentColor', rx: 3 });
      lines.forEach((line, k) => add(svg, 'text', { x: x + 10 + (line.startsWith('  ') ? 12 : 0), y: y + 20 + k * LINE,
        fill: 'currentColor', 'font-family': 'sans-serif', 'font-size': 13 }, line.trim().length > 52 ? `${line.trim().slice(0, 51)}…` : line.trim()));
    });
    const arrow = (points) => add(svg, 'path', { d: `M${points}`, fill: 'none', stroke: 'currentColor' });
    if (right.length > 0) arrow(`272 ${y + tall / 2}H330m-7 -4l7 4l-7 4`);
    y += tall;
    if (i < rows.length - 1) arrow(`137 ${y}v30m-4 -7l4 7l4 -7`);
    y += i < rows.length - 1 ? 30 : 2;
  });
  Object.entries({ viewBox: `0 0 700 ${y}`, role: 'img', class: 'flow',
    'aria-label': `PRISMA flow diagram: ${steps.map(({ step, records }) => `${step} ${count.format(records)}`).join(', ')}` })
    .forEach(([k, v]) => svg.setAttribute(k, v));
  return svg;
}
