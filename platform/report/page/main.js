// ---- putting the page together

class Sweep {
  constructor(data) {
    this.points = data.points;
    this.unfinished = data.unfinished;
    this.command = data.command;
    [this.across, this.up] = [data.across, data.up];
    this.columns = new Map(data.columns.map((column) => [column.path, column]));
    this.parameters = [...new Set([...data.points, ...data.unfinished].flatMap((point) => Object.keys(point.settings)))];
    this.selected = -1;
    this.listeners = [];
    this.metrics = new Map();
    for (const name of this.parameters) {
      const values = this.points.map((_, i) => { const v = this.setting(i, name); return v === undefined ? null : numberOfText(v); });
      if (values.every((v) => v !== null)) this.addMetric(name, {unit: parameterUnit(this.valuesOf(name)), values, group: "Swept parameters", better: "min"});
    }
    for (const column of data.columns)
      if (column.values && !column.path.startsWith(names.configuration + ".") && column.values.some((v) => typeof v === "number"))
        this.addMetric(column.path, {unit: column.unit, values: column.values, group: "Figures that differ", better: betterOf(column.path, column.unit)});
    if (this.points.every((point) => typeof point.wall_seconds === "number"))
      this.addMetric("wall_seconds", {unit: "s", values: this.points.map((p) => p.wall_seconds), group: "Simulator", better: "min"});
  }
  addMetric(name, metric) { if (!this.metrics.has(name)) this.metrics.set(name, metric); }
  metric(name) { return this.metrics.get(name); }
  metricOptions() { return [...this.metrics].map(([value, metric]) => ({value, text: value, group: metric.group})); }

  /** The value of a parameter at a point: as swept, or as the run says. */
  setting(index, name) {
    const value = this.points[index].settings[name];
    if (value !== undefined) return value;
    const column = this.columns.get(names.configuration + "." + name);
    return column ? String(column.values ? column.values[index] : column.value) : undefined;
  }
  valuesOf(name) {
    return inOrder([...new Set(this.points.map((_, i) => this.setting(i, name)).filter((v) => v !== undefined))]);
  }
  flat(index) {
    const flat = new Map();
    for (const column of this.columns.values()) {
      const value = column.values ? column.values[index] : column.value;
      if (value !== null && value !== undefined) flat.set(column.path, {value, unit: column.unit, description: column.description});
    }
    return flat;
  }
  /** What an architect asks first: how long does it take? Of batches of different sizes, for each vector. */
  defaultMetric() {
    if (this.up) return this.up;
    const all = [...this.metrics.keys()];
    const figures = all.filter((name) => this.metrics.get(name).group === "Figures that differ");
    const lengths = [names.timePerVector, ...names.simulatedTime, names.ideal + "." + names.compute.cycles, ...names.cycles];
    return lengths.find((name) => figures.includes(name)) || figures[0] || all[0];
  }
  defaultCost(other) {
    if (this.across) return this.across;
    const all = [...this.metrics.keys()].filter((name) => name !== other);
    const peak = names.ideal + "." + names.compute.peak;
    return all.find((name) => name === peak) || all.find((name) => this.metrics.get(name).group === "Swept parameters") || all[0] || other;
  }
  select(index, scroll) {
    this.selected = index;
    for (const listener of this.listeners) listener();
    if (scroll) document.getElementById("point").scrollIntoView({block: "start"});
  }
}

function parameterUnit(values) {
  const units = values.map((value) => (/[A-Za-z]+$/.exec(value) || [""])[0]);
  if (units.some((unit) => unit in kTimeUnits)) return "ps";
  if (units.some((unit) => /Hz$/.test(unit))) return "Hz";
  if (units.some((unit) => /iB$/.test(unit))) return "bytes";
  return "";
}

/** Rates and shares are better when large, costs when small, unless the figure's name is known for the other. */
function betterOf(path, unit) {
  const name = path.slice(path.lastIndexOf(".") + 1);
  if (names.more.includes(name)) return "max";
  if (names.less.includes(name)) return "min";
  return /\/s$|^MIPS$|^%$/.test(unit) ? "max" : "min";
}

function tile(name, value, note, extra = "") {
  return html("div", {class: "tile " + extra}, html("span", {}, name), html("b", {}, value), note && html("span", {}, note));
}

function fidelityTile(modes) {
  return tile("Fidelity mode", modes.join(", "), "which mode produced these figures", "badge");
}

function figureTiles(flat) {
  const tiles = [fidelityTile([fidelityOf(flat)])];
  const time = simulatedTime(flat);
  if (time) tiles.push(tile("Simulated time", formatShort(time[1].value, time[1].unit), time[1].description));
  const array = computeOf(flat);
  const work = workOf(flat), vector = flat.get(names.timePerVector);
  if (vector) tiles.push(tile("Time a vector", formatShort(vector.value, vector.unit), vector.description));
  if (work.reached !== undefined) tiles.push(tile(work.kind === "useful" ? "Useful multiply-accumulates" : "Mapped multiply-accumulates", formatShort(work.reached, "MAC/s"),
    `${formatShort(work.ofPeak, "%")} of peak, ` + (array.efficiency === undefined ? "padding included" : `mapping efficiency ${formatShort(array.efficiency, "%")}`)));
  if (array.cycles !== undefined) tiles.push(tile("tinyTPU cycles", formatShort(array.cycles, "cycles"), formatShort(array.cyclesOfMinimum, "%") + " of the closed-form least"));
  for (const link of linksOf(flat)) if (link.bytes > 0 && link.reached !== undefined) tiles.push(tile("Bandwidth " + link.name, formatShort(link.reached, "bytes/s"), formatShort(link.ofPeak, "%") + " of peak"));
  const instructions = flat.get(names.instructions);
  if (instructions) tiles.push(tile(title(names.instructions), formatShort(instructions.value, ""), instructions.description));
  return html("div", {class: "tiles", id: "figures"}, tiles);
}

const kBoundsLead = "Peaks and the closed-form least time stand beside what was reached. A figure beyond its bound is wrong.";
const kStallLead = "Each unit's time is busy, stalled for a cause, or idle; the three add up to the total. The figure at the right is the busy share.";
const kRoofLead = "The roof is what the link's bandwidth or the array allows at this many multiply-accumulates a byte; the spot is this program, the dashes are what is left.";

function runReport(data) {
  const flat = flatten(data.statistics);
  const sections = [hazardWarning(flat), figureTiles(flat)].filter(Boolean);
  if (data.timeline) {
    const view = new TimelineView(data.timeline);
    redraws.push(() => view.draw());
    sections.push(card("timeline", "Timeline of the units", "Wheel or + and − zoom, dragging or the arrow keys pan, Home or a double click shows all. Where a pixel covers several spans, its stacked colours are their shares.", view.section()));
  }
  sections.push(card("stalls", "Stall breakdown", kStallLead, stallSection(flat)));
  sections.push(html("div", {class: "columns"}, card("roofline", "Roofline", kRoofLead, rooflineSection(flat)), card("bounds", "Ideal bounds", kBoundsLead, boundsTable(flat))));
  sections.push(card("statistics", "All statistics", null, statisticsTable("Statistics", [...flat].filter(([path]) => !path.startsWith(names.configuration + ".")))));
  sections.push(card("configuration", "Configuration", null, configurationTable(flat)));
  return sections;
}

function pointSection(sweep, command) {
  const place = html("div");
  const show = () => {
    if (sweep.selected < 0) return;
    const point = sweep.points[sweep.selected], flat = sweep.flat(sweep.selected);
    const quote = (word) => /^[\w./=:,+@%-]+$/.test(word) ? word : "'" + word.replace(/'/g, "'\\''") + "'";
    const words = ["tinytpu-vp", command[0], ...Object.entries(point.settings).flatMap(([name, value]) => ["--set", name + "=" + value]), ...command.slice(1)];
    refill(place,
      html("p", {}, "Point ", html("span", {class: "hash", id: "point-hash"}, point.hash), ": ", html("span", {id: "point-settings"}, describeSettings(point.settings)),
        typeof point.wall_seconds === "number" && html("span", {class: "muted"}, ` (simulated in ${formatShort(point.wall_seconds, "s")})`)),
      html("pre", {"aria-label": "Command that repeats this point"}, words.map(quote).join(" ")),
      hazardWarning(flat), figureTiles(flat),
      html("h3", {}, "Stall breakdown"), stallSection(flat),
      html("div", {class: "columns"}, html("div", {}, html("h3", {}, "Roofline"), rooflineSection(flat)), html("div", {}, html("h3", {}, "Ideal bounds"), boundsTable(flat))),
      folded("Configuration of this point", true, configurationTable(flat)),
      folded("All statistics of this point", false, statisticsTable("Statistics", [...flat].filter(([path]) => !path.startsWith(names.configuration + ".")))));
  };
  sweep.listeners.push(show);
  return place;
}

function pointsTable(sweep) {
  const shown = [...new Set([sweep.defaultMetric(), sweep.defaultCost(sweep.defaultMetric())])].filter((name) => !sweep.parameters.includes(name));
  const list = table(`${sweep.points.length} finished points`, [
    {name: "", text: () => "", node: (i) => html("button", {type: "button", "aria-label": "Show point " + sweep.points[i].hash, onclick: () => sweep.select(i, true)}, "show")},
    ...sweep.parameters.map((name) => ({name, text: (i) => sweep.setting(i, name) ?? "", key: (i) => numberOfText(sweep.setting(i, name)) ?? sweep.setting(i, name)})),
    ...shown.map((name) => ({name, number: true, text: (i) => formatShort(sweep.metric(name).values[i], sweep.metric(name).unit), key: (i) => sweep.metric(name).values[i]})),
    {name: "Point", text: (i) => sweep.points[i].hash, node: (i) => html("span", {class: "hash"}, sweep.points[i].hash)},
  ], sweep.points.map((_, i) => i), {rowClass: (i) => i === sweep.selected ? "selected" : ""});
  sweep.listeners.push(() => list.refresh());
  return html("div", {}, list, sweep.unfinished.length > 0 && folded(`${sweep.unfinished.length} points without a result`, true,
    table("Points without a result", [
      {name: "Settings", text: (p) => describeSettings(p.settings)},
      {name: "Why", text: (p) => p.message},
    ], sweep.unfinished)));
}

function sweepReport(data) {
  const sweep = new Sweep(data);
  if (sweep.points.length === 0)
    return [card("points", "Points", "No point of this sweep has a result yet.", pointsTable({...sweep, defaultMetric: () => "", defaultCost: () => "", metric: () => ({}), setting: () => ""}))];
  const modes = [...new Set(sweep.points.map((_, i) => fidelityOf(sweep.flat(i))))];
  const metric = sweep.metric(sweep.defaultMetric());
  const hazardous = sweep.points.filter((_, i) => hazardsOf(sweep.flat(i)).length > 0).length;
  const sections = [html("div", {class: "tiles", id: "figures"}, fidelityTile(modes),
    tile("Points", `${sweep.points.length} of ${sweep.points.length + sweep.unfinished.length}`, sweep.unfinished.length ? `${sweep.unfinished.length} without a result` : "all finished"),
    metric && tile("Best " + title(sweep.defaultMetric()), formatShort(metric.values.filter((v) => typeof v === "number").reduce((a, b) => metric.better === "min" ? Math.min(a, b) : Math.max(a, b)), metric.unit)),
    hazardous > 0 && tile("Points with hazards", `${hazardous} of ${sweep.points.length}`, "what the hardware does not interlock happened there"),
    tile("Swept parameters", String(sweep.parameters.length), sweep.parameters.join(", ")))];
  if (metric) {
    const pareto = new ParetoChart(sweep);
    sweep.listeners.push(() => pareto.show());
    sections.push(card("pareto", "Pareto front", "Points no other point beats in one figure without losing in the other.", pareto.place));
    if (sweep.parameters.length > 0) {
      const heat = new HeatMap(sweep);
      sweep.listeners.push(() => heat.map.redraw());
      sections.push(card("heatmap", "Heat map", "One figure over two swept parameters. A click on a cell opens its point.", heat.place));
    }
  }
  sections.push(card("point", "Selected point", null, pointSection(sweep, data.command)));
  sections.push(card("points", "All points", null, pointsTable(sweep)));
  const first = metric ? metric.values.reduce((best, v, i) => typeof v === "number" && (best < 0 || (metric.better === "min" ? v < metric.values[best] : v > metric.values[best])) ? i : best, -1) : 0;
  sweep.select(Math.max(0, first), false);
  return sections;
}

const redraws = [];

function setUpTheme() {
  const root = document.documentElement, dark = window.matchMedia("(prefers-color-scheme: dark)");
  const redraw = () => redraws.forEach((draw) => draw());
  document.getElementById("theme").addEventListener("click", () => {
    const isDark = root.dataset.theme ? root.dataset.theme === "dark" : dark.matches;
    root.dataset.theme = isDark ? "light" : "dark";
    redraw();
  });
  dark.addEventListener("change", redraw);
}

/** What the file does not have although this version of the program writes it. */
function lackingFigures(data) {
  if (data.missing.length === 0) return [];
  return [html("p", {class: "warning", id: "missing"}, "Written by another version of tinytpu-vp: the pictures below leave out what is made of figures that the file lacks: " + data.missing.join(", "))];
}

function start() {
  const data = pageData, isSweep = data.kind === "sweep";
  document.getElementById("title").textContent = isSweep ? "Sweep " + data.source : "Run " + data.source;
  document.title = (isSweep ? "Sweep " : "Run ") + data.source + " – tinytpu-vp";
  document.getElementById("subtitle").textContent = isSweep ? data.command.join(" ") : "";
  setUpTheme();
  document.getElementById("content").append(...lackingFigures(data), ...(isSweep ? sweepReport(data) : runReport(data)));
  document.getElementById("contents").append(...[...document.querySelectorAll("main section.card")].map((section) =>
    html("a", {href: "#" + section.id}, section.querySelector("h2").textContent)));
}

start();
