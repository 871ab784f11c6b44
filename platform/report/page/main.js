// ---- putting the page together

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
  document.getElementById("subtitle").textContent = data.kind === "sweep" ? data.command.join(" ") : "";
  setUpTheme();
  document.getElementById("content").append(...lackingFigures(data), ...report(data));
  document.getElementById("contents").append(...[...document.querySelectorAll("main section.card")].map((section) =>
    html("a", {href: "#" + section.id}, section.querySelector("h2").textContent)));
}

start();
