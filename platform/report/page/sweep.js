// ---- the page of a sweep

/** Groups of the lists of figures, by the kind of a column. */
const kFigureGroups = {simulated: "Figures that differ", bound: "Bounds and shares of them", setting: "Cost of the machine", of_run: "Simulator"};

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
      if (column.values && kFigureGroups[column.kind] && !column.path.startsWith(names.configuration + ".") && column.values.some((v) => typeof v === "number"))
        this.addMetric(column.path, {unit: column.unit, values: column.values, group: kFigureGroups[column.kind],
          better: column.kind === "setting" ? "min" : betterOf(column.path, column.unit)});
    if (this.points.every((point) => typeof point.wall_seconds === "number"))
      this.addMetric("wall_seconds", {unit: "s", values: this.points.map((p) => p.wall_seconds), group: "Simulator", better: "min"});
  }
  /** Whether any simulated figure differs between the points: else there is nothing to choose between. */
  hasEffect() { return [...this.columns.values()].some((column) => column.values && column.kind === "simulated"); }
  /** Points whose figures are those of the whole program: a limit ended the others. */
  isWhole(index) { return !this.points[index].cut_off; }
  wholePoints() { return this.points.map((_, i) => i).filter((i) => this.isWhole(i)); }
  /** The whole point with the best figure, -1 if none has it. */
  best(metric) {
    return this.wholePoints().reduce((best, i) => typeof metric.values[i] === "number" &&
      (best < 0 || (metric.better === "min" ? metric.values[i] < metric.values[best] : metric.values[i] > metric.values[best])) ? i : best, -1);
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
  /** Parameters with more than one value. */
  varied() { return this.parameters.filter((name) => this.valuesOf(name).length > 1); }
  flat(index) {
    const flat = new Map();
    for (const column of this.columns.values()) {
      const value = column.values ? column.values[index] : column.value;
      if (value !== null && value !== undefined) flat.set(column.path, {value, unit: column.unit, description: column.description});
    }
    return flat;
  }
  /** What an architect asks first: how long does it take? */
  defaultMetric() {
    if (this.up) return this.up;
    const all = [...this.metrics.keys()];
    const figures = all.filter((name) => this.metrics.get(name).group === kFigureGroups.simulated);
    const lengths = [names.timePerVector, ...names.simulatedTime, names.ideal + "." + names.compute.cycles, ...names.cycles];
    return lengths.find((name) => figures.includes(name)) || figures[0] || all[0];
  }
  defaultCost(other) {
    if (this.across) return this.across;
    const all = [...this.metrics.keys()].filter((name) => name !== other);
    const group = (name) => this.metrics.get(name).group;
    const peak = names.ideal + "." + names.compute.peak;
    return all.find((name) => group(name) === kFigureGroups.setting) || all.find((name) => name === peak) || all.find((name) => this.metrics.get(name).group === "Swept parameters") || all[0] || other;
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

function pointSection(sweep) {
  const place = html("div");
  const show = () => {
    if (sweep.selected < 0) return;
    const point = sweep.points[sweep.selected], flat = sweep.flat(sweep.selected);
    refill(place,
      html("p", {}, "Point ", html("span", {class: "hash", id: "point-hash"}, point.hash), ": ", html("span", {id: "point-settings"}, describeSettings(point.settings)),
        typeof point.wall_seconds === "number" && html("span", {class: "muted"}, ` (simulated in ${formatShort(point.wall_seconds, "s")})`)),
      point.cut_off && html("p", {class: "warning"}, "A limit ended this run: " + point.reason),
      html("pre", {"aria-label": "Command that repeats this point"}, point.command),
      hazardWarning(flat), figureTiles(flat),
      html("h3", {}, "Stall breakdown"), stallSection(flat),
      html("div", {class: "columns"}, html("div", {}, html("h3", {}, "Roofline"), rooflineSection(flat)), html("div", {}, html("h3", {}, "Ideal bounds"), boundsTable(flat))),
      folded("Configuration of this point", true, configurationTable(flat)),
      folded("All statistics of this point", false, figuresTable(flat)),
      below(flat, names.provenance.group).length > 0 && folded("Provenance of this point", false, provenanceTable(flat)));
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

/** What there is to say before any picture. */
function sweepNotes(sweep) {
  const notes = [];
  const cutOff = sweep.points.length - sweep.wholePoints().length;
  if (cutOff > 0)
    notes.push(`A limit ended ${cutOff} of ${sweep.points.length} runs before the program did: their figures are those of a part of it. They are drawn hollow and win nothing.`);
  if (sweep.points.length === 1) notes.push("Only one point has a result: there is nothing to compare it with.");
  else if (!sweep.hasEffect())
    notes.push(`No simulated figure differs between these ${sweep.points.length} points: ${listed(sweep.parameters)} changed nothing in this run. What differs is the host's time.`);
  return notes.map((text) => html("p", {class: "warning note"}, text));
}

function listed(words) {
  return words.length < 2 ? words.join("") : words.slice(0, -1).join(", ") + " and " + words[words.length - 1];
}

function sweepTiles(sweep, metric) {
  const modes = [...new Set(sweep.points.map((_, i) => fidelityOf(sweep.flat(i))))];
  const best = metric && sweep.wholePoints().length > 1 ? sweep.best(metric) : -1;
  const hazardous = sweep.points.filter((_, i) => hazardsOf(sweep.flat(i)).length > 0).length;
  return html("div", {class: "tiles", id: "figures"}, fidelityTile(modes),
    tile("Points", `${sweep.points.length} of ${sweep.points.length + sweep.unfinished.length}`, sweep.unfinished.length ? `${sweep.unfinished.length} without a result` : "all finished"),
    best >= 0 && tile("Best " + title(sweep.defaultMetric()), formatShort(metric.values[best], metric.unit)),
    hazardous > 0 && tile("Points with hazards", `${hazardous} of ${sweep.points.length}`, "what the hardware does not interlock happened there"),
    tile("Swept parameters", String(sweep.parameters.length), sweep.parameters.join(", ")));
}

function sweepReport(data) {
  const sweep = new Sweep(data);
  if (sweep.points.length === 0)
    return [card("points", "Points", "No point of this sweep has a result yet.", pointsTable({...sweep, defaultMetric: () => "", defaultCost: () => "", metric: () => ({}), setting: () => ""}))];
  const compared = sweep.points.length > 1 && sweep.hasEffect();
  const metric = compared || sweep.up ? sweep.metric(sweep.defaultMetric()) : undefined;
  const sections = [...sweepNotes(sweep), sweepTiles(sweep, metric)];
  if (metric && compared) {
    const pareto = new ParetoChart(sweep);
    sweep.listeners.push(() => pareto.show());
    sections.push(card("pareto", "Pareto front", "Points no other point beats in one figure without losing in the other.", pareto.place));
    if (sweep.varied().length > 0) {
      sections.push(card("sensitivity", "What each parameter is worth", "How much the figure changes when one parameter changes and all others stay: the mean over all such sets of points, and the most.", new SensitivityChart(sweep).place));
      const heat = new HeatMap(sweep);
      sweep.listeners.push(() => heat.map.redraw());
      sections.push(card("heatmap", "Heat map", "One figure over two swept parameters. A click on a cell opens its point.", heat.place));
    }
  }
  sections.push(card("point", "Selected point", null, pointSection(sweep)));
  sections.push(card("points", "All points", null, pointsTable(sweep)));
  sweep.select(Math.max(0, metric ? sweep.best(metric) : 0), false);
  return sections;
}
