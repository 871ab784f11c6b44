// ---- what each swept parameter is worth

/**
 * Of one figure: by parameter {name, mean, most, sets, best, exact}. Points that differ in the parameter only are one
 * set; mean and most are of (largest - smallest) / mean of all points over the sets. Where no set has two points (a
 * sample) the means of the points with each value stand in for them, and exact is false.
 */
function sensitivities(sweep, metric) {
  const points = sweep.wholePoints().filter((i) => typeof metric.values[i] === "number");
  const scale = Math.abs(points.reduce((sum, i) => sum + metric.values[i], 0) / points.length);
  const share = (values) => (Math.max(...values) - Math.min(...values)) / (scale || 1);
  return sweep.varied().map((name) => {
    const sets = groupBy(points, (i) => sweep.parameters.filter((other) => other !== name).map((other) => sweep.setting(i, other)).join("\n"));
    const compared = [...sets.values()].filter((set) => new Set(set.map((i) => sweep.setting(i, name))).size > 1);
    if (compared.length === 0) return sampledSensitivity(sweep, metric, name, points, share);
    const shares = compared.map((set) => share(set.map((i) => metric.values[i])));
    const wins = groupBy(compared.map((set) => winnerOf(set, sweep, metric, name)), (value) => value);
    const best = [...wins].sort((a, b) => b[1].length - a[1].length)[0];
    const most = Math.max(...shares);
    return {name, mean: shares.reduce((a, b) => a + b, 0) / shares.length, most, sets: compared.length,
      best: most === 0 ? "no difference" : `${best[0]} (in ${best[1].length} of ${compared.length})`, exact: true};
  }).sort((a, b) => b.mean - a.mean);
}

function winnerOf(set, sweep, metric, name) {
  const better = (a, b) => metric.better === "min" ? metric.values[a] < metric.values[b] : metric.values[a] > metric.values[b];
  return sweep.setting(set.reduce((best, i) => better(i, best) ? i : best), name);
}

/** Means over the points with each value; values that are numbers fall into four classes of equal size at most. */
function sampledSensitivity(sweep, metric, name, points, share) {
  const order = sweep.valuesOf(name);
  const place = new Map(order.map((value, i) => [value, order.length > 4 ? Math.floor(4 * i / order.length) : i]));
  const classes = groupBy(points, (i) => place.get(sweep.setting(i, name)));
  const means = [...classes.values()].map((some) => some.reduce((sum, i) => sum + metric.values[i], 0) / some.length);
  const worth = means.length > 1 ? share(means) : 0;
  return {name, mean: worth, most: worth, sets: 0, best: "–", exact: false};
}

function groupBy(items, keyOf) {
  const groups = new Map();
  for (const item of items) groups.set(keyOf(item), [...(groups.get(keyOf(item)) || []), item]);
  return groups;
}

class SensitivityChart {
  constructor(sweep) {
    this.sweep = sweep;
    this.metric = sweep.defaultMetric();
    this.place = html("div");
    this.show();
  }

  show() {
    const rows = sensitivities(this.sweep, this.sweep.metric(this.metric));
    const percent = (share) => formatShort(100 * share, "%");
    const choices = this.sweep.metricOptions().filter((option) => option.group !== "Swept parameters");
    refill(this.place,
      html("div", {class: "controls"}, select("Figure", choices, this.metric, (value) => { this.metric = value; this.show(); })),
      chart((width) => this.draw(width, rows)),
      rows.some((row) => !row.exact) && html("p", {class: "muted"}, "Of a parameter marked “estimate” no two points differ in it alone (a sample): its bar compares the means of points with different values, while others changed, too."),
      folded("Table of the sensitivities", false, table(`Worth of each parameter for ${this.metric}`, [
        {name: "Parameter", text: (row) => row.name},
        {name: "Mean", number: true, text: (row) => percent(row.mean), key: (row) => row.mean},
        {name: "Most", number: true, text: (row) => percent(row.most), key: (row) => row.most},
        {name: "Best value", text: (row) => row.best},
        {name: "Sets compared", number: true, text: (row) => row.exact ? formatNumber(row.sets) : "estimate", key: (row) => row.sets},
      ], rows)));
  }

  draw(width, rows) {
    const high = Math.max(...rows.map((row) => row.most)), step = 42, right = 8;
    const x = (share) => (high > 0 ? share / high : 0) * (width - right);
    const parts = rows.flatMap((row, i) => {
      const y = i * step;
      const text = `${formatShort(100 * row.mean, "%")}${row.exact ? row.most > row.mean ? `, at most ${formatShort(100 * row.most, "%")}` : "" : ", estimate"}`;
      return [
        svg("text", {x: 0, y: y + 13, class: "strong"}, shortened(row.name, width * 0.55)),
        svg("text", {x: width, y: y + 13, "text-anchor": "end", class: "soft"}, text),
        svg("rect", {x: 0, y: y + 19, width: width - right, height: 14, rx: 2, style: "fill:var(--grid)"}),
        svg("rect", {class: "worth", x: 0, y: y + 19, width: Math.max(1, x(row.mean)), height: 14, rx: 2, style: "fill:var(--state-0)" + (row.exact ? "" : ";fill-opacity:.5")},
          svg("title", {}, `${row.name}: ${text}; best ${row.best}`)),
        row.most > row.mean && svg("line", {x1: x(row.mean), x2: x(row.most), y1: y + 26, y2: y + 26, style: "stroke:var(--ink);stroke-width:1.5"}),
        row.most > row.mean && svg("line", {x1: x(row.most), x2: x(row.most), y1: y + 21, y2: y + 31, style: "stroke:var(--ink);stroke-width:1.5"})];
    }).filter(Boolean);
    return picture(width, rows.length * step, "Worth of each parameter", `Change of ${this.metric} by each parameter with all others equal. The table below has the numbers.`, parts);
  }
}

/** A text cut to about so many pixels of the charts' font. */
function shortened(text, pixels) {
  const most = Math.max(6, Math.floor(pixels / 7.3));
  return text.length <= most ? text : text.slice(0, most - 1) + "…";
}
