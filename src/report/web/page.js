// SPDX-License-Identifier: Apache-2.0
// What a report does when it is opened: draws the charts, sorts the tables,
// hands out the data.  Works from disk, asks no network for anything.
'use strict';
(() => {
  const store = JSON.parse(document.getElementById('data').textContent);
  const sections = [...document.querySelectorAll('section.table')];
  const FIRST_ROWS = store.shown;
  const MORE_ROWS = 1000;
  const MANY_MARKS = 4000; // beyond that a canvas is faster than SVG

  // ------------------------------------------------------------------ tables

  // A column comes as one string of fields: numbers, or places in its words.
  function unpack(column, rows) {
    if (column.fields === undefined) {
      const fields = column.data.split(' ');
      if (column.same) fields.length = rows;
      column.fields = column.same ? fields.fill(column.data) : fields;
    }
    return column.fields;
  }

  // The exact text of a cell; null: missing.
  function textOf(table, c, row) {
    const column = table.columns[c];
    const field = unpack(column, table.rows)[row];
    if (field === '') return null;
    return column.words ? column.words[field] : field;
  }

  // Text that is only shown, such as "0.003 **" or "1,204", is sorted by its number.
  function valueOf(table, c, row) {
    const text = textOf(table, c, row);
    if (text === null || !table.columns[c].words) return text === null ? null : Number(text);
    const number = table.columns[c].shown ? Number.parseFloat(text.replaceAll(',', '')) : NaN;
    return Number.isNaN(number) ? text : number;
  }

  // Is the number a count, which is shown whole and not drawn beside shares?
  function isCount(column, row) {
    return (column.counts || []).filter((at) => at <= row).length % 2 === 1;
  }

  // Rounds as the static rows were: half to even, and never to a false zero.
  function rounded(text, digits) {
    const x = Number(text);
    if (digits < 0) return text;
    if (Math.abs(x) >= 1e15) return x.toExponential(digits);
    let short = x.toFixed(digits);
    if (Number.isInteger(2 * x * 10 ** digits)) { // it may be half-way: look at all digits
      const long = x.toFixed(Math.min(100, digits + 60));
      const kept = digits > 0 ? long.length - 60 : long.indexOf('.');
      const down = long.slice(0, kept);
      if (/^\.?50*$/.test(long.slice(kept)) && /[02468]$/.test(down)) short = down;
    }
    if (x !== 0 && !/[1-9]/.test(short))
      return x.toExponential(1).replace(/e([-+])(\d)$/, 'e$10$2');
    return /[1-9]/.test(short) ? short : short.replace('-', '');
  }

  // By its name, as the static rows: nothing is certain.
  function certain(column, text) {
    const x = Number(text);
    return /^(p_.*|probability|power)$/.test(column.name) && x < 1
      && x > 1 - 0.5 * 10 ** -column.digits;
  }

  // Whole numbers from 1,000 on have separators and no decimals, as the static rows.
  const grouped = (long) => {
    const text = long.replace(/^(-?\d{4,})\.0+$/, '$1');
    return /^-?\d{4,}$/.test(text) ? text.replace(/\B(?=(\d{3})+$)/g, ',') : text;
  };

  function shown(table, c, row) {
    const text = textOf(table, c, row);
    const column = table.columns[c];
    if (text === null) return '–';
    if (column.words) return text;
    if (column.digits === undefined) return grouped(text);
    return certain(column, text) ? `>${(1 - 10 ** -column.digits).toFixed(column.digits)}`
      : grouped(rounded(text, isCount(column, row) ? 0 : column.digits));
  }

  function fill(table, body, order, count) {
    const rows = document.createDocumentFragment();
    const heads = body.parentElement.querySelectorAll('th');
    for (let i = 0; i < count; i++) {
      const tr = document.createElement('tr');
      for (let c = 0; c < table.columns.length; c++) {
        const td = document.createElement('td');
        td.className = heads[c].className;
        td.textContent = shown(table, c, order[i]);
        tr.append(td);
      }
      rows.append(tr);
    }
    body.replaceChildren(rows);
  }

  // Missing values come last in either direction.
  function compare(table, c, direction) {
    const natural = new Intl.Collator(undefined, { numeric: true }).compare;
    const keys = Array.from({ length: table.rows }, (_, row) => valueOf(table, c, row));
    return (a, b) => {
      const x = keys[a];
      const y = keys[b];
      if (x === null || y === null) return (x === null) - (y === null) || a - b;
      return direction * (typeof x === 'string' ? natural(x, y) : x - y) || a - b;
    };
  }

  function save(name, type, content) {
    const link = document.createElement('a');
    link.href = content.startsWith('data:') ? content
      : URL.createObjectURL(new Blob([content], { type }));
    link.download = name;
    document.body.append(link);
    link.click();
    link.remove();
    if (link.href.startsWith('blob:')) setTimeout(() => URL.revokeObjectURL(link.href), 60000);
  }

  // As --format csv: text that a spreadsheet would take for a formula is kept
  // from it by an apostrophe.
  function csvField(text, isText) {
    if (text === null) return '';
    if (!isText) return text;
    const formula = /^[=+\-@\t\r]/.test(text) && !/^[-+]?(\d+\.?\d*|\.\d+)(e[-+]?\d+)?$/i.test(text);
    const safe = (formula ? '\'' : '') + text;
    const quoted = text === '' || /[",;\t\n\r]|^ | $/.test(text);
    return quoted ? `"${safe.replaceAll('"', '""')}"` : safe;
  }

  function csv(table) {
    const places = table.columns.map((_, i) => i).filter((i) => !table.columns[i].shown);
    const lines = [places.map((i) => csvField(table.columns[i].name, true)).join(',')];
    for (let row = 0; row < table.rows; row++)
      lines.push(places.map((i) =>
        csvField(textOf(table, i, row), Boolean(table.columns[i].words))).join(','));
    return `${lines.join('\n')}\n`;
  }

  // The diagram of a table of PRISMA numbers, above it.
  function addFlow(table, section) {
    const at = Object.fromEntries(table.columns.map((column, c) => [column.name, c]));
    const svg = prismaFlow(Array.from({ length: table.rows }, (_, row) =>
      ({ step: textOf(table, at.step, row), records: Number(textOf(table, at.records, row)) })));
    const button = document.createElement('button');
    button.type = 'button';
    button.textContent = 'Save SVG';
    button.addEventListener('click', () => save('prisma.svg', 'image/svg+xml', new XMLSerializer().serializeToString(svg)));
    section.querySelector('table').parentElement.before(svg, button);
  }

  function setUpTable(table, section) {
    const body = section.querySelector('tbody');
    const heads = [...section.querySelectorAll('th')];
    const more = section.querySelector('.more');
    let order = Array.from({ length: table.rows }, (_, i) => i);
    let count = Math.min(table.rows, FIRST_ROWS);

    function show() {
      fill(table, body, order, count);
      if (!more) return;
      more.hidden = count === table.rows;
      more.firstChild.textContent = `The first ${count} of ${table.rows} rows. `;
    }
    heads.forEach((th, c) => th.querySelector('button').addEventListener('click', () => {
      // Numbers begin with the largest, text with the first.
      const first = table.columns[c].words ? 'ascending' : 'descending';
      const now = th.getAttribute('aria-sort');
      const next = now !== first ? first : first === 'ascending' ? 'descending' : 'ascending';
      heads.forEach((other) => other.removeAttribute('aria-sort'));
      th.setAttribute('aria-sort', next);
      order = [...order].sort(compare(table, c, next === 'ascending' ? 1 : -1));
      show();
    }));
    if (more) more.querySelector('button').addEventListener('click', () => {
      count = Math.min(table.rows, count + MORE_ROWS);
      show();
    });
    if (table.name === 'prisma') addFlow(table, section);
    section.querySelector('.csv').addEventListener('click', () =>
      save(`${store.command}-${table.name}.csv`, 'text/csv;charset=utf-8', csv(table)));
  }

  // ------------------------------------------------------------------ charts

  function valuesFor(chart) {
    const table = store.tables[chart.table];
    const values = [];
    for (let row = 0; row < table.rows; row++) {
      if (chart.where !== undefined) {
        const text = textOf(table, chart.where, row);
        if (chart.is !== undefined ? text !== chart.is : text === chart.isNot) continue;
      }
      if (chart.noCounts !== undefined && isCount(table.columns[chart.noCounts], row)) continue;
      const value = {};
      for (const c of chart.columns) value[table.columns[c].name] = valueOf(table, c, row);
      values.push(value);
    }
    return values;
  }

  // As many columns as its longest label lets fit beside one another.
  function legendColumns(spec, values, width, most) {
    const colour = [spec, ...(spec.layer ?? [])].map(s => s.encoding?.color?.field).find(Boolean);
    const longest = Math.max(0, ...values.map(v => String(v[colour] ?? '').length));
    return Math.max(1, Math.min(most, Math.floor((width - 60) / (6 * longest + 45))));
  }

  async function draw(chart, spec, holder, values) {
    const narrow = holder.clientWidth < 480;
    const config = structuredClone(store.config);
    config.axis.labelLimit = narrow ? 140 : 220;
    config.axisQuantitative.tickCount = narrow ? 5 : 8;
    config.legend.labelLimit = holder.clientWidth - 100;
    config.legend.columns = legendColumns(spec, values, holder.clientWidth, narrow ? 2 : 5);
    const whole = { ...spec, data: { values }, width: 'container',
      autosize: { type: 'fit-x', contains: 'padding' } };
    const canvas = values.length / (chart.pages || 1) > MANY_MARKS;
    const name = `${store.command}-${store.tables[chart.table].name}`;
    holder.classList.toggle('paper', canvas);
    config.mark = { ...config.mark, aria: false }; // the chart has a name, its values have a table
    holder.setAttribute('aria-details', sections[chart.table].id);
    const { view } = await vegaEmbed(holder, whole, { mode: 'vega-lite', ast: true,
      renderer: canvas ? 'canvas' : 'svg', actions: false, config });
    const tools = holder.nextElementSibling;
    const button = (text, make) => {
      const b = document.createElement('button');
      b.type = 'button';
      b.textContent = text;
      b.addEventListener('click', make);
      tools.append(b);
    };
    button('Save SVG', async () =>
      save(`${name}.svg`, 'image/svg+xml', await view.toSVG()));
    button('Save PNG', async () =>
      save(`${name}.png`, 'image/png', await view.toImageURL('png', 2)));
    button('Save Vega-Lite', () => save(`${name}.vl.json`, 'application/json',
      JSON.stringify({ $schema: store.schema, ...whole, width: 600, config: store.config },
        null, 2)));
  }

  async function drawFigure(i) {
    const chart = store.charts[i];
    const holders = document.getElementById(`chart-${i}`).querySelectorAll('.chart');
    const values = valuesFor(chart);
    for (const [k, spec] of chart.specs.entries()) {
      try {
        await draw(chart, spec, holders[k], values);
      } catch (problem) {
        holders[k].textContent = `This chart could not be drawn: ${problem.message}`;
        console.error(problem);
      }
    }
  }

  // Those that are folded have no width: they are drawn when they are shown.
  async function drawAll() {
    const folded = document.querySelector('.more-charts');
    const first = store.charts.length - (folded ? folded.querySelectorAll('figure').length : 0);
    for (let i = 0; i < first; i++) await drawFigure(i);
    if (folded) folded.addEventListener('toggle', async () => {
      for (let i = first; i < store.charts.length; i++) await drawFigure(i);
      document.documentElement.dataset.drawn = String(store.charts.length);
    }, { once: true });
    document.documentElement.dataset.drawn = String(first);
  }

  // On paper nobody can open or point at something.
  addEventListener('beforeprint', () => document.querySelectorAll('details.columns')
    .forEach((meanings) => { meanings.open = true; }));
  // In a frame the page around it scrolls, not the frame.
  if (parent !== window) new ResizeObserver(() => parent.postMessage({
    height: document.documentElement.offsetHeight }, '*')).observe(document.documentElement);
  sections.forEach((section, i) => setUpTable(store.tables[i], section));
  drawAll();
})();
