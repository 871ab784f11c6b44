// ---- heat map of two swept parameters

/** Dark to light, even steps in lightness, readable without colour vision. */
const kRamp = [[40, 26, 84], [58, 58, 138], [49, 101, 142], [38, 140, 139], [63, 179, 120], [147, 212, 75], [244, 229, 80]];
function rampColour(share) {
  const at = Math.min(0.9999, Math.max(0, share)) * (kRamp.length - 1), i = Math.floor(at), f = at - i;
  return kRamp[i].map((c, k) => Math.round(c + (kRamp[i + 1][k] - c) * f));
}
function inkOn([r, g, b]) {
  const linear = (c) => { c /= 255; return c <= 0.04045 ? c / 12.92 : Math.pow((c + 0.055) / 1.055, 2.4); };
  const light = 0.2126 * linear(r) + 0.7152 * linear(g) + 0.0722 * linear(b);
  return (light + 0.05) / 0.05 > 1.05 / (light + 0.05) ? "#000" : "#fff";
}

class HeatMap {
  constructor(sweep) {
    this.sweep = sweep;
    const order = [...sweep.varied(), ...sweep.parameters.filter((name) => !sweep.varied().includes(name))];
    [this.across, this.down] = order.length > 1 ? [order[0], order[1]] : [order[0], null];
    this.metric = sweep.defaultMetric();
    this.fixed = new Map();
    this.place = html("div");
    this.show();
  }

  /** Cells by "value of down|value of across": the best point that passes the filters, and how many there are. */
  cells() {
    const cells = new Map();
    const column = this.sweep.metric(this.metric);
    const best = column.better;
    this.sweep.points.forEach((point, index) => {
      for (const [name, value] of this.fixed) if (value !== "" && this.sweep.setting(index, name) !== value) return;
      const value = column.values[index];
      if (typeof value !== "number" || !this.sweep.isWhole(index)) return;
      const key = this.sweep.setting(index, this.down) + "|" + this.sweep.setting(index, this.across);
      const cell = cells.get(key) || {count: 0};
      if (cell.count === 0 || (best === "min" ? value < cell.value : value > cell.value)) Object.assign(cell, {value, index});
      cell.count += 1;
      cells.set(key, cell);
    });
    return cells;
  }

  show() {
    const sweep = this.sweep;
    const parameters = sweep.parameters.map((name) => ({value: name, text: name}));
    const others = sweep.parameters.filter((name) => name !== this.across && name !== this.down);
    for (const name of [...this.fixed.keys()]) if (!others.includes(name)) this.fixed.delete(name);
    const set = (member) => (value) => {
      const other = member === "across" ? "down" : "across";
      if (this[other] === value) this[other] = this[member];
      this[member] = value;
      this.show();
    };
    const cells = this.cells();
    const most = Math.max(0, ...[...cells.values()].map((cell) => cell.count));
    const column = sweep.metric(this.metric);
    this.map = chart((width) => this.draw(width, cells));
    refill(this.place,
      html("div", {class: "controls"}, select("Across", parameters, this.across, set("across")),
        this.down !== null && select("Down", parameters, this.down, set("down")),
        select("Colour", sweep.metricOptions(), this.metric, set("metric")),
        others.map((name) => select(name, [{value: "", text: "any: the best"}, ...sweep.valuesOf(name).map((value) => ({value, text: value}))],
          this.fixed.get(name) || "", (value) => { this.fixed.set(name, value); this.show(); }))),
      this.map,
      most > 1 && html("p", {class: "muted"}, `Up to ${most} points share a cell; it shows the ${column.better === "min" ? "smallest" : "largest"} figure and opens that point.`),
      folded("Table of the heat map", false, this.table(cells)));
  }

  draw(width, cells) {
    const sweep = this.sweep, column = sweep.metric(this.metric);
    const xs = sweep.valuesOf(this.across), ys = this.down === null ? [""] : sweep.valuesOf(this.down);
    const left = Math.min(200, 40 + 8 * Math.max(...ys.map((v) => v.length), 4)), top = 60, bottom = 46;
    const w = (width - left - 10) / xs.length, h = Math.max(26, Math.min(46, 420 / ys.length));
    const values = [...cells.values()].map((cell) => cell.value);
    const low = Math.min(...values), high = Math.max(...values);
    // Far apart, most cells would have the colour of the lowest.
    const logarithmic = low > 0 && high / low > 10;
    const shareOf = (value) => high <= low ? 0.5 : logarithmic ? Math.log(value / low) / Math.log(high / low) : (value - low) / (high - low);
    const parts = [svg("text", {class: "strong", x: left, y: 14}, this.across + " →"), this.down !== null && svg("text", {class: "strong", x: 0, y: 33}, "↓ " + this.down)];
    xs.forEach((value, i) => parts.push(svg("text", {class: "soft", x: left + (i + 0.5) * w, y: top - 6, "text-anchor": "middle"}, w > 34 || i % 4 === 0 ? value : "")));
    ys.forEach((value, j) => parts.push(svg("text", {class: "soft", x: left - 8, y: top + (j + 0.5) * h + 4, "text-anchor": "end"}, value)));
    ys.forEach((down, j) => xs.forEach((across, i) => {
      const cell = cells.get((this.down === null ? undefined : down) + "|" + across);
      const box = {x: left + i * w + 1, y: top + j * h + 1, width: Math.max(1, w - 2), height: h - 2, rx: 2};
      if (!cell) { parts.push(svg("rect", {...box, style: "fill:none;stroke:var(--line)"})); return; }
      const colour = rampColour(shareOf(cell.value));
      const name = `${this.across} ${across}${this.down === null ? "" : ", " + this.down + " " + down}: ${formatShort(cell.value, column.unit)}`;
      parts.push(svg("rect", {...box, class: "cell", style: `fill:rgb(${colour})`, "data-point": cell.index,
        onclick: () => sweep.select(cell.index, true)}, svg("title", {}, name)));
      const label = formatShort(cell.value, column.unit);
      if (w > 7.4 * label.length) parts.push(svg("text", {x: box.x + w / 2, y: box.y + h / 2 + 3, "text-anchor": "middle", style: `fill:${inkOn(colour)};pointer-events:none`}, label));
    }));
    ys.forEach((down, j) => xs.forEach((across, i) => {  // last, so that no neighbour covers the ring
      if (cells.get((this.down === null ? undefined : down) + "|" + across)?.index !== sweep.selected) return;
      const box = {x: left + i * w + 1, y: top + j * h + 1, width: Math.max(1, w - 2), height: h - 2, rx: 2};
      parts.push(svg("rect", {...box, class: "ring"}), svg("rect", {...box, class: "ring inner"}));
    }));
    const y = top + ys.length * h + 16, wide = Math.min(240, width - left - 20);
    for (let i = 0; i < 48; ++i) parts.push(svg("rect", {x: left + i * wide / 48, y, width: wide / 48 + 0.5, height: 10, style: `fill:rgb(${rampColour(i / 47)})`}));
    parts.push(svg("text", {class: "soft", x: left, y: y + 25}, formatShort(low, column.unit)));
    parts.push(svg("text", {class: "soft", x: left + wide, y: y + 25, "text-anchor": "end"}, formatShort(high, column.unit)));
    if (logarithmic) parts.push(svg("text", {class: "soft", x: left + wide + 8, y: y + 10}, "logarithmic"));
    return picture(width, top + ys.length * h + bottom, "Heat map", `${this.metric} over ${this.across}${this.down === null ? "" : " and " + this.down}. The table below has the numbers.`, parts);
  }

  table(cells) {
    const sweep = this.sweep, column = sweep.metric(this.metric);
    const rows = (this.down === null ? [undefined] : sweep.valuesOf(this.down));
    const cell = (down, across) => cells.get(down + "|" + across);
    return table(`${this.metric}${column.unit && column.unit !== "1" ? " in " + column.unit : ""}`, [
      {name: this.down === null ? "" : this.down, text: (down) => down ?? "", key: (down) => numberOfText(down) ?? down},
      ...sweep.valuesOf(this.across).map((across) => ({name: across, number: true,
        text: (down) => cell(down, across) ? formatNumber(cell(down, across).value) : "–", key: (down) => cell(down, across)?.value ?? Infinity})),
    ], rows);
  }
}
