// ---- Pareto front over two figures

/** Indices of the points that no other point beats in one figure without losing in the other, by x. */
function paretoFront(points, minimiseX, minimiseY) {
  const sx = minimiseX ? 1 : -1, sy = minimiseY ? 1 : -1;
  const order = [...points].sort((a, b) => sx * (a.x - b.x) || sy * (a.y - b.y) || a.index - b.index);
  const front = [];
  let best = Infinity, bestX = Infinity;
  for (const point of order) {
    const y = sy * point.y, x = sx * point.x;
    if (y < best || (y === best && x === bestX)) {
      front.push(point);
      if (y < best) bestX = x;
      best = y;
    }
  }
  return front;
}

class ParetoChart {
  constructor(sweep) {
    this.sweep = sweep;
    this.y = sweep.defaultMetric();
    this.x = sweep.defaultCost(this.y);
    this.better = new Map([[this.x, "min"]]);  // a cost
    this.place = html("div");
    this.show();
  }

  minimise(name) { return (this.better.get(name) || this.sweep.metric(name).better) === "min"; }

  points() {
    const x = this.sweep.metric(this.x), y = this.sweep.metric(this.y);
    return this.sweep.points.map((_, index) => ({index, x: x.values[index], y: y.values[index]}))
      .filter((point) => typeof point.x === "number" && typeof point.y === "number");
  }

  show() {
    const sweep = this.sweep;
    const points = this.points();
    const front = paretoFront(points.filter((point) => sweep.isWhole(point.index)), this.minimise(this.x), this.minimise(this.y));
    const axis = (label, member) => [
      select(label, sweep.metricOptions(), this[member], (value) => { this[member] = value; this.show(); }),
      select("better", [{value: "min", text: "small"}, {value: "max", text: "large"}], this.minimise(this[member]) ? "min" : "max",
        (value) => { this.better.set(this[member], value); this.show(); })];
    this.plot = chart((width) => this.draw(width, points, front));
    const columns = [
      {name: "", text: () => "", node: (p) => html("button", {type: "button", "data-point": p.index, "aria-label": "Show point " + sweep.points[p.index].hash, onclick: () => sweep.select(p.index, true)}, "show")},
      {name: this.x, number: true, text: (p) => formatShort(p.x, sweep.metric(this.x).unit), key: (p) => p.x},
      {name: this.y, number: true, text: (p) => formatShort(p.y, sweep.metric(this.y).unit), key: (p) => p.y},
      ...sweep.parameters.filter((name) => name !== this.x && name !== this.y).map((name) => ({name, text: (p) => sweep.setting(p.index, name) ?? "", key: (p) => numberOfText(sweep.setting(p.index, name)) ?? sweep.setting(p.index, name)})),
    ];
    refill(this.place, html("div", {class: "controls"}, axis("Across", "x"), axis("Up", "y")), this.plot,
      html("p", {class: "muted", id: "pareto-count"}, `${front.length} of ${points.length} points are on the front. Click one for its configuration.`),
      folded("Table of the Pareto front", true, table("Points on the front", columns, front, {rowClass: (p) => p.index === sweep.selected ? "selected" : ""})));
  }

  draw(width, points, front) {
    const sweep = this.sweep;
    if (points.length === 0) return html("p", {class: "muted"}, "No point has both figures.");
    const area = {left: 104, right: width - 22, top: 32, bottom: 380};
    const wide = (list) => list.every((v) => v > 0) && Math.max(...list) / Math.min(...list) > 30;
    const xs = points.map((p) => p.x), ys = points.map((p) => p.y);
    const x = makeScale(xs, area.left, area.right, wide(xs)), y = makeScale(ys, area.bottom, area.top, wide(ys));
    const unit = (name) => sweep.metric(name).unit;
    const parts = axes(area, x, y, unit(this.x), unit(this.y), this.x, this.y);
    // The front as steps: between two of its points nothing better is known.
    const steps = front.flatMap((p, i) => i === 0 ? [[x(p.x), y(p.y)]] : [[x(p.x), y(front[i - 1].y)], [x(p.x), y(p.y)]]);
    parts.push(svg("polyline", {class: "front-line", points: steps.map((s) => s.join(",")).join(" ")}));
    const onFront = new Set(front.map((p) => p.index));
    const last = (p) => (onFront.has(p.index) ? 1 : 0) + (p.index === sweep.selected ? 2 : 0);
    for (const point of [...points].sort((a, b) => last(a) - last(b))) {
      const isFront = onFront.has(point.index);
      const name = `${describeSettings(sweep.points[point.index].settings)}: ${formatShort(point.x, unit(this.x))}, ${formatShort(point.y, unit(this.y))}`;
      const dot = svg("circle", {class: "dot" + (isFront ? " front" : "") + (sweep.isWhole(point.index) ? "" : " cut-off") + (point.index === sweep.selected ? " selected" : ""), cx: x(point.x), cy: y(point.y),
        r: isFront ? 6.5 : 5, "data-point": point.index, onclick: () => sweep.select(point.index, true)}, svg("title", {}, name));
      if (isFront) fill(dot, {tabindex: "0", role: "button", "aria-label": name, onkeydown: (event) => { if (event.key === "Enter" || event.key === " ") { event.preventDefault(); sweep.select(point.index, true); } }}, []);
      parts.push(dot);
    }
    return picture(width, area.bottom + 46, "Pareto front", `${this.y} against ${this.x}. The points no other point beats are joined; the table below lists them.`, parts);
  }
}

function describeSettings(settings) {
  return Object.entries(settings).map(([name, value]) => name + "=" + value).join(" ") || "no settings";
}
