// ---- putting the page together

function tile(name, value, note, extra = "") {
  return html("div", {class: "tile " + extra}, html("span", {}, name), html("b", {}, value), note && html("span", {}, note));
}

function fidelityTile(modes) {
  const functional = modes.some((mode) => mode.includes("functional"));
  return tile("Fidelity mode", modes.join(", "), functional ? "functional: CPU times are without caches and no estimate" : "which mode produced these figures", "badge");
}

function boundTile(flat) {
  const by = flat.get(names.bound.by);
  return by && tile("Bounded by", title(String(by.value)), by.description, "wide badge");
}

function figureTiles(flat) {
  const tiles = [boundTile(flat), fidelityTile([fidelityOf(flat)])];
  const time = simulatedTime(flat);
  if (time) tiles.push(tile("Simulated time", formatShort(time[1].value, time[1].unit), time[1].description));
  const array = computeOf(flat);
  const work = workOf(flat), vector = flat.get(names.timePerVector);
  if (vector) tiles.push(tile("Time a vector", formatShort(vector.value, vector.unit), vector.description));
  if (work.reached !== undefined) tiles.push(tile(work.kind === "useful" ? "Useful multiply-accumulates" : "Mapped multiply-accumulates", formatShort(work.reached, "MAC/s"),
    `${formatShort(work.ofPeak, "%")} of peak, ` + (array.efficiency === undefined ? "padding included" : `mapping efficiency ${formatShort(array.efficiency, "%")}`)));
  if (array.cycles !== undefined) tiles.push(tile("Cycles with a program", formatShort(array.cycles, "cycles"), formatShort(array.cyclesOfMinimum, "%") + " of the closed-form least"));
  for (const link of linksOf(flat)) if (link.bytes > 0 && link.reached !== undefined) tiles.push(tile("Bandwidth " + link.name, formatShort(link.reached, "bytes/s"), formatShort(link.ofPeak, "%") + " of peak"));
  const instructions = flat.get(names.instructions);
  if (instructions) tiles.push(tile(title(names.instructions), formatShort(instructions.value, ""), instructions.description));
  return html("div", {class: "tiles", id: "figures"}, tiles);
}

const kBoundsLead = "Peaks and the closed-form least time stand beside what was reached. A figure beyond its bound is wrong.";
const kStallLead = "Each unit's time is busy, stalled for a cause, or idle; the three add up to the total. The figure at the right is the busy share.";
const kRoofLead = "The roof is what the link's bandwidth or the array allows at this many multiply-accumulates a byte; the spot is this program, the dashes are what is left.";

const kLayersRoofLead = "The roof is what the tinyTPU's port or the array allows at this many multiply-accumulates a byte over the port; a spot is a layer with the time to move its data, the dashes are what is left.";

/** What shows the figures of the whole run or of one region, and the choice between them. */
function regionSections(flat, timeline) {
  const regions = regionsOf(flat), whole = "";
  const place = html("div"), stalls = html("div"), roof = html("div"), bounds = html("div");
  const show = (region) => {
    const part = region === whole ? flat : regionFlat(flat, region);
    refill(place, regions.length > 0 && html("div", {class: "controls", id: "region"},
      select("Figures of", [...regions.map((name) => ({value: name, text: "region " + name})), {value: whole, text: "the whole run"}], region, show),
      region !== whole && html("span", {class: "muted"}, `entered ${formatNumber(valueOf(part, names.region.entries))} times, first at ${formatTime(valueOf(part, names.region.entered))}`.replace("entered 1 times, first", "entered"))),
      figureTiles(part));
    refill(stalls, stallSection(part));
    refill(roof, rooflineSection(part));
    refill(bounds, boundsTable(part));
    if (timeline) timeline.showRegion(region);
  };
  show(regions.length > 0 ? regions[0] : whole);
  return {place, stalls, roof, bounds};
}

function provenanceLine(flat) {
  const parts = [names.provenance.version, names.provenance.date].filter((path) => flat.has(path)).map((path) => String(valueOf(flat, path)));
  return parts.length > 0 ? "tinytpu-vp " + parts.join(", ") : "";
}

/** All quantities but those that have a table of their own. */
function figuresTable(flat) {
  const apart = [names.configuration, names.provenance.group];
  return statisticsTable("Statistics", [...flat].filter(([path]) => !apart.some((group) => path.startsWith(group + "."))));
}

function provenanceTable(flat) {
  return table("Where these figures come from", [
    {name: "What", text: ([name]) => title(name)},
    {name: "", text: ([, quantity]) => String(quantity.value), node: ([, quantity]) => html("code", {class: "whole"}, String(quantity.value))},
    {name: "Meaning", text: ([, quantity]) => quantity.description},
  ], below(flat, names.provenance.group), {plain: true});
}

function runReport(data) {
  const flat = flatten(data.statistics);
  const view = data.timeline && new TimelineView(data.timeline);
  const {place, stalls, roof, bounds} = regionSections(flat, view);
  const sections = [hazardWarning(flat), place].filter(Boolean);
  if (view) {
    redraws.push(() => view.draw());
    sections.push(card("timeline", "Timeline of the units", "Wheel or + and − zoom, dragging or the arrow keys pan, Home or a double click shows all. Where a pixel covers several spans, its stacked colours are their shares.", view.section()));
  }
  const own = [...fabricCards(flat), ...tcuLayersOf(flat).map(([unit, layers]) =>
    card("layers-" + unit, "Layers of " + unit, kTcuLayersLead, tcuLayersSection(layers)))];
  sections.push(...own);
  const layers = layersOf(flat);
  if (layers.length > 0) {
    sections.push(card("layers", "Layers", layersLead(flat), layersSection(layers)));
    const layersRoof = workloadRoofline(flat, layers);
    if (layersRoof) sections.push(card("roofline", "Roofline", kLayersRoofLead, layersRoof));
  } else {
    // Of a device alone there may be neither; a file of unknown origin is told what it lacks.
    const unknown = own.length === 0 && !names.fidelity.some((path) => flat.has(path));
    const accounts = unknown || unitsOf(flat).length > 0, ideals = unknown || below(flat, names.ideal).length > 0;
    if (accounts) sections.push(card("stalls", "Stall breakdown", kStallLead, stalls));
    if (ideals) sections.push(html("div", {class: "columns"}, card("roofline", "Roofline", kRoofLead, roof), card("bounds", "Ideal bounds", kBoundsLead, bounds)));
  }
  sections.push(card("statistics", "All statistics of the run", null, figuresTable(flat)));
  sections.push(card("configuration", "Configuration", null, configurationTable(flat)));
  if (below(flat, names.provenance.group).length > 0) sections.push(card("provenance", "Provenance", null, provenanceTable(flat)));
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

/** What is shown of each kind of document, and under which title. */
const kKinds = {run: ["Run", runReport], sweep: ["Sweep", sweepReport], compare: ["Comparison of", compareReport]};

function start() {
  const data = pageData, [title, report] = kKinds[data.kind];
  document.getElementById("title").textContent = title + " " + data.source;
  document.title = title + " " + data.source + " – tinytpu-vp";
  document.getElementById("subtitle").textContent = data.kind === "sweep" ? data.command.join(" ")
    : data.kind === "run" ? provenanceLine(flatten(data.statistics)) : "";
  setUpTheme();
  document.getElementById("content").append(...lackingFigures(data), ...report(data));
  document.getElementById("contents").append(...[...document.querySelectorAll("main section.card")].map((section) =>
    html("a", {href: "#" + section.id}, section.querySelector("h2").textContent)));
}

start();
