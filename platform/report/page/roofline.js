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

/** Roofs of links {name, peak, colour} under one peak of the array, and programs {name, intensity, reached, bound, colour} as spots. */
function rooflineChart({peak, roofs, spots, kind, told}, width) {
  const area = {left: 92, right: width - 20, top: 34, bottom: 330};
  const xs = [...roofs.map((roof) => peak / roof.peak), ...spots.map((spot) => spot.intensity)];
  const x = makeScale([Math.min(...xs) / 8, Math.max(...xs) * 8], area.left, area.right, true);
  const lowest = Math.min(...spots.map((spot) => spot.reached / 3), ...roofs.map((roof) => x.low * roof.peak).filter((v) => v < peak), peak / 30);
  const y = makeScale([lowest, peak * 1.5], area.bottom, area.top, true);
  const narrow = isNarrow(width);  // ticks have no room for their unit
  const parts = axes(area, x, y, narrow ? "" : "MAC/byte", "MAC/s", narrow ? `${kind} MAC a byte` : `intensity: ${kind} multiply-accumulates a byte`, "MAC/s");
  const clipId = "clip" + (rooflineChart.count = (rooflineChart.count || 0) + 1);
  parts.push(svg("clipPath", {id: clipId}, svg("rect", {x: area.left, y: area.top, width: area.right - area.left, height: area.bottom - area.top})));
  for (const roof of roofs) {
    const points = [[x.low, x.low * roof.peak], [peak / roof.peak, peak], [x.high, peak]];
    parts.push(svg("polyline", {class: "roof", "clip-path": `url(#${clipId})`, style: "stroke:" + roof.colour, points: points.map(([a, b]) => `${x(a)},${y(b)}`).join(" ")}));
  }
  for (const spot of spots) {
    parts.push(svg("line", {x1: x(spot.intensity), x2: x(spot.intensity), y1: y(spot.bound), y2: y(spot.reached), style: `stroke:${spot.colour};stroke-dasharray:3 3`}));
    parts.push(svg("circle", {class: "spot", cx: x(spot.intensity), cy: y(spot.reached), r: 6, style: `fill:${spot.colour};stroke:var(--card);stroke-width:2`},
      svg("title", {}, `${spot.name}: ${formatShort(spot.intensity, "MAC/byte")}, ${formatShort(spot.reached, "MAC/s")}, bound here ${formatShort(spot.bound, "MAC/s")}`)));
  }
  parts.push(svg("text", {class: "strong", x: area.right - 4, y: y(peak) - 8, "text-anchor": "end"}, "peak " + formatShort(peak, "MAC/s")));
  return picture(width, area.bottom + 42, "Roofline", `Logarithmic axes: intensity against multiply-accumulates a second; ${told}. The table below has the numbers.`, parts);
}

const roofColour = (i) => `var(--state-${(i % 9) + 1})`;

function roofLegend(roofs) {
  return html("ul", {class: "legend"}, roofs.map((roof) => html("li", {}, html("i", {style: "background:" + roof.colour}), `${roof.name}: ${formatShort(roof.peak, "bytes/s")}`)));
}

function rooflineSection(flat) {
  const links = linksOf(flat);
  const {peak} = computeOf(flat), {kind, reached} = workOf(flat);
  if (!(peak > 0) || links.length === 0)
    return html("p", {class: "muted"}, "The run states no peaks of array and links to draw a roofline from (group “ideal”).");
  const roofs = links.map((link, i) => ({name: link.name, peak: link.peak, colour: roofColour(i)}));
  const spots = links.map((link, i) => ({name: link.name, intensity: link.intensity, reached, bound: Math.min(peak, link.intensity * link.peak), colour: roofColour(i)}))
    .filter((spot) => spot.intensity > 0 && spot.reached > 0);
  const told = "one roof and one spot for each link";
  return html("div", {}, chart((width) => rooflineChart({peak, roofs, spots, kind, told}, width)), roofLegend(roofs),
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

/** The layers of a workload under the roof of the port that brings weights and activations; false if the file has no peaks. */
function workloadRoofline(flat, layers) {
  const peak = valueOf(flat, names.workload + "." + names.workloadPeak), port = valueOf(flat, names.workload + "." + names.workloadBandwidth);
  if (!(peak > 0 && port > 0)) return false;
  const value = (layer, key) => layer.figure(key)?.value ?? 0;
  const rows = layers.map((layer, i) => {
    const macs = value(layer, names.layer.usefulMacs), bytes = value(layer, names.layer.moved), time = value(layer, names.layer.time);
    const intensity = bytes > 0 ? macs / bytes : 0;
    return {name: layer.name, intensity, reached: time > 0 ? macs / time : 0, bound: Math.min(peak, intensity * port), colour: roofColour(i + 1 < layers.length ? 1 : 2)};
  });
  const spots = rows.filter((row) => row.intensity > 0 && row.reached > 0), roofs = [{name: "port of the tinyTPU", peak: port, colour: roofColour(0)}];
  if (spots.length === 0) return false;
  const told = "the roof of the tinyTPU's port, a spot for each layer and one for all";
  return html("div", {}, chart((width) => rooflineChart({peak, roofs, spots, kind: "useful", told}, width)), roofLegend(roofs),
    html("ul", {class: "legend"}, [["a layer", 1], ["all layers", 2]].map(([text, i]) => html("li", {}, html("i", {style: "background:" + roofColour(i)}), text))),
    folded("Table of the roofline", false, table("Layers under the roof", [
      {name: "Layer", text: (r) => r.name},
      {name: "Intensity", number: true, text: (r) => formatShort(r.intensity, "MAC/byte"), key: (r) => r.intensity},
      {name: "Bound here", number: true, text: (r) => formatShort(r.bound, "MAC/s"), key: (r) => r.bound},
      {name: "Reached", number: true, text: (r) => formatShort(r.reached, "MAC/s"), key: (r) => r.reached},
      {name: "Of the bound", number: true, text: (r) => r.bound > 0 ? formatShort(100 * r.reached / r.bound, "%") : "–", key: (r) => r.bound > 0 ? r.reached / r.bound : 0},
      {name: "Limited by", text: (r) => r.intensity * port < peak ? "the port" : "the array"},
    ], rows)));
}
