// ---- roofline: what compute and links allow, and where the program stands

/** The figures of a group by the keys of their names, undefined where the run has none. */
function figuresOf(flat, group, keys) {
  return strict(Object.fromEntries(Object.entries(keys).map(([key, name]) => [key, valueOf(flat, group + "." + name)])));
}

/** The groups below a path, each with its name and figures. */
function partsOf(flat, path, keys) {
  return groupsBelow(flat, path).map((name) => strict({name, ...figuresOf(flat, path + "." + name, keys)}));
}

const computeOf = (flat) => figuresOf(flat, names.ideal, names.compute);
/** The work that counts: the useful one, or, where it is not known, what the array did with padding included. */
function workOf(flat) {
  const {mapped, mappedOfPeak, useful, usefulOfPeak} = computeOf(flat);
  return useful === undefined ? {kind: "mapped", reached: mapped, ofPeak: mappedOfPeak} : {kind: "useful", reached: useful, ofPeak: usefulOfPeak};
}

const linksOf = (flat) => partsOf(flat, names.links, names.link).filter((link) => link.peak > 0);

function rooflineChart(flat, links, width) {
  const area = {left: 92, right: width - 20, top: 34, bottom: 330};
  const {peak} = computeOf(flat), {kind, reached} = workOf(flat);
  const ridges = links.map((link) => peak / link.peak);
  const spots = links.filter((link) => link.intensity > 0);
  const xs = [...ridges, ...spots.map((s) => s.intensity)];
  const xLow = Math.min(...xs) / 8, xHigh = Math.max(...xs) * 8;
  const x = makeScale([xLow, xHigh], area.left, area.right, true);
  const lowest = Math.min(reached > 0 ? reached / 3 : peak, ...links.map((link) => x.low * link.peak).filter((v) => v < peak), peak / 30);
  const y = makeScale([lowest, peak * 1.5], area.bottom, area.top, true);
  const parts = axes(area, x, y, "MAC/byte", "MAC/s", `intensity: ${kind} multiply-accumulates a byte`, "MAC/s");
  const clipId = "clip" + (rooflineChart.count = (rooflineChart.count || 0) + 1);
  parts.push(svg("clipPath", {id: clipId}, svg("rect", {x: area.left, y: area.top, width: area.right - area.left, height: area.bottom - area.top})));
  links.forEach((link, i) => {
    const colour = `var(--state-${(i % 9) + 1})`;
    const ridge = peak / link.peak;
    const points = [[x.low, x.low * link.peak], [ridge, peak], [x.high, peak]];
    parts.push(svg("polyline", {class: "roof", "clip-path": `url(#${clipId})`, style: "stroke:" + colour, points: points.map(([a, b]) => `${x(a)},${y(b)}`).join(" ")}));
    if (!(link.intensity > 0 && reached > 0)) return;
    const bound = Math.min(peak, link.intensity * link.peak);
    parts.push(svg("line", {x1: x(link.intensity), x2: x(link.intensity), y1: y(bound), y2: y(reached), style: `stroke:${colour};stroke-dasharray:3 3`}));
    parts.push(svg("circle", {class: "spot", cx: x(link.intensity), cy: y(reached), r: 6, style: `fill:${colour};stroke:var(--card);stroke-width:2`},
      svg("title", {}, `${link.name}: ${formatShort(link.intensity, "MAC/byte")}, ${formatShort(reached, "MAC/s")}, bound here ${formatShort(bound, "MAC/s")}`)));
  });
  parts.push(svg("text", {class: "strong", x: area.right - 4, y: y(peak) - 8, "text-anchor": "end"}, "peak " + formatShort(peak, "MAC/s")));
  return picture(width, area.bottom + 42, "Roofline", "Logarithmic axes: intensity against multiply-accumulates a second; one roof and one spot for each link. The table below has the numbers.", parts);
}

function rooflineSection(flat) {
  const links = linksOf(flat);
  const {peak} = computeOf(flat), {kind, reached} = workOf(flat);
  if (!(peak > 0) || links.length === 0)
    return html("p", {class: "muted"}, "The run states no peaks of array and links to draw a roofline from (group “ideal”).");
  const key = html("ul", {class: "legend"}, links.map((link, i) =>
    html("li", {}, html("i", {style: `background:var(--state-${(i % 9) + 1})`}), `${link.name}: ${formatShort(link.peak, "bytes/s")}`)));
  return html("div", {}, chart((width) => rooflineChart(flat, links, width)), key,
    folded("Table of the roofline", false, table("Roofs and where this program stands", [
      {name: "Link", text: (l) => l.name},
      {name: "Peak bandwidth", number: true, text: (l) => formatShort(l.peak, "bytes/s"), key: (l) => l.peak},
      {name: "Bytes moved", number: true, text: (l) => formatFull(l.bytes, "bytes"), key: (l) => l.bytes},
      {name: "Intensity", number: true, text: (l) => l.bytes ? formatShort(l.intensity, "MAC/byte") : "–", key: (l) => l.intensity},
      {name: "Bound here", number: true, text: (l) => l.bytes ? formatShort(Math.min(peak, l.intensity * l.peak), "MAC/s") : "–"},
      {name: "Reached, " + kind, number: true, text: () => formatShort(reached, "MAC/s")},
      {name: "Limited by", text: (l) => !l.bytes ? "–" : l.intensity * l.peak < peak ? "this link" : "the array"},
    ], links, {plain: true})));
}
