// ---- two runs or two sweeps side by side

class ComparedRuns {
  constructor(data) {
    this.names = data.sides.map((side) => side.name);
    this.pairs = data.pairs;
    this.columns = data.sides.map((side) => new Map(side.columns.map((column) => [column.path, column])));
    this.paths = [...new Set(data.sides.flatMap((side) => side.columns.map((column) => column.path)))];
  }
  value(side, path, pair) {
    const column = this.columns[side].get(path);
    const value = column && (column.values ? column.values[pair] : column.value);
    return value === undefined ? null : value;
  }
  column(path) { return this.columns[0].get(path) || this.columns[1].get(path); }
  differs(path) { return this.pairs.some((_, i) => this.value(0, path, i) !== this.value(1, path, i)); }
  /** (b - a) / a, undefined where that means nothing. */
  change(path, pair) {
    const a = this.value(0, path, pair), b = this.value(1, path, pair);
    return typeof a === "number" && typeof b === "number" && a !== 0 ? (b - a) / a : undefined;
  }
  largestChange(path) {
    return this.pairs.map((_, i) => this.change(path, i)).filter((c) => c !== undefined).reduce((most, c) => Math.abs(c) > Math.abs(most) ? c : most, 0);
  }
  isParameter(path) { return path.startsWith(names.configuration + "."); }
  figures() { return this.paths.filter((path) => !this.isParameter(path) && this.column(path).kind !== "of_run"); }
  parameters() { return this.paths.filter((path) => this.isParameter(path)); }
}

function formatChange(change) {
  if (change === undefined) return "–";
  return (change > 0 ? "+" : "") + formatShort(100 * change, "%");
}

function compareTiles(runs, differing, time) {
  const change = time && runs.pairs.length === 1 ? runs.change(time, 0) : undefined;
  return html("div", {class: "tiles", id: "figures"},
    tile("A", runs.names[0]), tile("B", runs.names[1]),
    runs.pairs.length > 1 && tile("Points compared", formatNumber(runs.pairs.length)),
    tile("Figures that differ", `${formatNumber(differing.length)} of ${formatNumber(runs.figures().length)}`, "time and speed of the host and dates left out"),
    change !== undefined && tile("Simulated time", formatChange(change), `${formatShort(runs.value(0, time, 0), runs.column(time).unit)} → ${formatShort(runs.value(1, time, 0), runs.column(time).unit)}`));
}

/** Bars to the right for more, to the left for less, one a point. */
class ChangeChart {
  constructor(runs, choices, first) {
    this.runs = runs;
    this.choices = choices;
    this.path = first;
    this.place = html("div");
    this.show();
  }
  show() {
    const runs = this.runs, unit = runs.column(this.path).unit;
    const rows = runs.pairs.map((pair, i) => ({i, settings: describeSettings(pair.settings), a: runs.value(0, this.path, i), b: runs.value(1, this.path, i), change: runs.change(this.path, i)}));
    refill(this.place,
      html("div", {class: "controls"}, select("Figure", this.choices, this.path, (value) => { this.path = value; this.show(); })),
      runs.pairs.length > 1 && chart((width) => this.draw(width, rows)),
      table(`${this.path}: A beside B`, [
        runs.pairs.length > 1 && {name: "Point", text: (row) => row.settings},
        {name: "Change", number: true, text: (row) => formatChange(row.change), key: (row) => row.change ?? 0},
        {name: "A", number: true, text: (row) => formatShort(row.a, unit), key: (row) => row.a},
        {name: "B", number: true, text: (row) => formatShort(row.b, unit), key: (row) => row.b},
      ].filter(Boolean), rows));
  }
  draw(width, rows) {
    const step = 40, high = Math.max(1e-12, ...rows.map((row) => Math.abs(row.change || 0))), half = width / 2;
    const parts = [svg("line", {class: "axis", x1: half, x2: half, y1: 0, y2: rows.length * step})];
    rows.forEach((row, k) => {
      const y = k * step, long = Math.abs(row.change || 0) / high * (half - 4);
      parts.push(svg("text", {x: 0, y: y + 13}, shortened(row.settings, width * 0.7)), svg("text", {x: width, y: y + 13, "text-anchor": "end", class: "soft"}, formatChange(row.change)),
        svg("rect", {class: "change", x: (row.change || 0) < 0 ? half - long : half, y: y + 18, width: Math.max(1, long), height: 13, rx: 2, style: `fill:var(--state-${(row.change || 0) < 0 ? 0 : 1})`},
          svg("title", {}, `${row.settings}: ${formatChange(row.change)}`)));
    });
    return picture(width, rows.length * step, "Change from A to B", `${this.path} of each point. The table below has the numbers.`, parts);
  }
}

/** The change stands beside the name: the rest may lie beyond a narrow screen. */
function differencesTable(runs, paths, caption) {
  const one = runs.pairs.length === 1;
  const rows = paths.map((path) => ({path, change: runs.largestChange(path), pairs: runs.pairs.filter((_, i) => runs.value(0, path, i) !== runs.value(1, path, i)).length}));
  return table(`${caption}: ${rows.length}`, [
    {name: "Name", text: (row) => row.path, node: (row) => [html("code", {class: "path"}, runs.isParameter(row.path) ? row.path.slice(names.configuration.length + 1) : row.path),
      html("small", {}, runs.column(row.path).description)]},
    rows.some((row) => row.change !== 0) && {name: one ? "Change" : "Largest change", number: true, text: (row) => row.change === 0 ? "–" : formatChange(row.change), key: (row) => Math.abs(row.change)},
    one && {name: "A", number: true, text: (row) => formatFull(runs.value(0, row.path, 0), runs.column(row.path).unit), key: (row) => runs.value(0, row.path, 0)},
    one && {name: "B", number: true, text: (row) => formatFull(runs.value(1, row.path, 0), runs.column(row.path).unit), key: (row) => runs.value(1, row.path, 0)},
    !one && {name: "Points", number: true, text: (row) => formatNumber(row.pairs), key: (row) => row.pairs},
  ].filter(Boolean), rows);
}

function compareReport(data) {
  const runs = new ComparedRuns(data);
  const differing = runs.figures().filter((path) => runs.differs(path));
  const parameters = runs.parameters().filter((path) => runs.differs(path));
  const numbers = differing.filter((path) => runs.pairs.some((_, i) => typeof runs.value(0, path, i) === "number" || typeof runs.value(1, path, i) === "number"));
  const time = names.simulatedTime.find((path) => runs.columns[0].has(path) && runs.columns[1].has(path));
  const sections = [compareTiles(runs, differing, time)];
  if (differing.length === 0) sections.push(html("p", {class: "note warning"}, "No figure differs: A and B are the same, but for the time of the host."));
  if (numbers.length > 0) {
    const first = numbers.includes(time) ? time : numbers[0];
    sections.push(card("change", "Change from A to B", null, new ChangeChart(runs, numbers.map((value) => ({value, text: value})), first).place));
  }
  if (parameters.length > 0) sections.push(card("parameters", "Parameters that differ", null, differencesTable(runs, parameters, "Parameters")));
  if (differing.length > 0) {
    const order = [...differing].sort((a, b) => Math.abs(runs.largestChange(b)) - Math.abs(runs.largestChange(a)));
    sections.push(card("differences", "Figures that differ", "The largest relative change first.", differencesTable(runs, order, "Figures")));
  }
  data.sides.forEach((side, i) => {
    if (side.only.length > 0)
      sections.push(card("only-" + "ab"[i], `Points only in ${"AB"[i]}`, null, table(side.name, [{name: "Point", text: (row) => row}], side.only)));
  });
  return sections;
}
