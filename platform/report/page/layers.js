// ---- the layers of a workload

/** Rows of the workload's figures, the total last; empty if the run was of something else. */
function layersOf(flat) {
  const of = (path, name) => ({name, figure: (key) => flat.get(path + "." + key)});
  const groups = groupsBelow(flat, names.workload + "." + names.layers);
  const layers = groups.map((group) => {
    const path = names.workload + "." + names.layers + "." + group;
    return of(path, valueOf(flat, path + "." + names.layer.name));
  });
  return layers.length === 0 ? [] : [...layers, of(names.workload, "total")];
}

function layersLead(flat) {
  const error = flat.get(names.workload + "." + names.movementError);
  return "Compute is exact: each layer's instructions on the cycle-exact core. The rest is an estimate" +
    (error ? `, off by at most ${formatShort(error.value, error.unit)} where a program was run both ways` : "") +
    ". Movement and compute take turns.";
}

const kLayerPart = (part) => title(part.slice(part.lastIndexOf(".") + 1)).replace(/ time$/, "");

/** One bar a layer, as long as its time, in the parts it is made of. */
function layerChart(layers, width, whole = names.layer.time, wholeParts = names.layerParts) {
  const label = (layer) => formatShort(layer.figure(whole).value, layer.figure(whole).unit);
  const room = Math.max(84, 16 + 7.5 * Math.max(...layers.map((layer) => label(layer).length)));
  const left = Math.min(210, Math.floor(width * 0.32)), right = width - room, bar = 16, pitch = 24, top = 6;
  const height = top + layers.length * pitch + 6;
  const longest = Math.max(...layers.map((layer) => layer.figure(whole).value));
  const parts = [];
  layers.forEach((layer, row) => {
    const y = top + row * pitch, time = layer.figure(whole);
    parts.push(svg("text", {x: left - 8, y: y + bar / 2 + 4, "text-anchor": "end"}, shortName(layer.name, left)));
    let at = left;
    for (const part of wholeParts) {
      const piece = layer.figure(part), size = longest > 0 ? (right - left) * piece.value / longest : 0;
      if (size <= 0) continue;
      parts.push(svg("rect", {x: at, y, width: size, height: bar, style: "fill:" + colourOf(kLayerPart(part))},
        svg("title", {}, `${layer.name}: ${kLayerPart(part)} ${formatShort(piece.value, piece.unit)} (${formatShort(100 * piece.value / time.value, "%")})`)));
      at += size;
    }
    parts.push(svg("text", {class: "strong", x: at + 6, y: y + bar / 2 + 4}, label(layer)));
  });
  return picture(width, height, "Time of each layer", "A bar a layer in the parts of its time. The table below has the numbers.", parts);
}

/** As many characters as fit to the left of the bars. */
function shortName(name, room) {
  const most = Math.max(6, Math.floor(room / 7.5));
  return name.length > most ? name.slice(0, most - 1) + "…" : name;
}

function layersSection(layers) {
  const number = (name, key) => ({
    name, number: true,
    text: (r) => { const f = r.figure(key); return f ? formatShort(f.value, f.unit) : ""; },
    key: (r) => (r.figure(key) || {value: ""}).value,
  });
  const size = (r) => [names.layer.vectors, names.layer.inputs, names.layer.outputs].map((key) => r.figure(key)).filter(Boolean)
    .map((f) => formatNumber(f.value)).join(" × ") + (r.figure(names.layer.repeats)?.value > 1 ? ` (${r.figure(names.layer.repeats).value} times)` : "");
  return html("div", {},
    chart((width) => layerChart(layers.slice(0, -1), width)), legend(names.layerParts.map(kLayerPart)),
    table("Layers", [
      {name: "Layer", text: (r) => r.name},
      {name: "M × K × N", text: size},
      number("Time", names.layer.time),
      {name: "Bound by", text: (r) => r.figure(names.layer.bound)?.value ?? ""},
      number("MACs", names.layer.usefulMacs), number("Cycles", names.layer.cycles),
      number("Useful", names.layer.useful), number("Mapped", names.layer.mapped), number("Mapping", names.layer.mappingEfficiency),
      number("Moved", names.layer.moved), number("im2col", names.layer.im2col),
      ...names.layerParts.map((part) => number(kLayerPart(part), part)),
      number("Of peak", names.layer.ofPeak),
    ], layers));
}

// ---- the layers of a network on a Tensil TCU

const kTcuLayersLead = "A layer begins where the output of the one before is read. Each cycle of the instruction stream stands at the part of the TCU that it was at, waiting for that part included; of all frames together.";

/** [name, layers] of each TCU whose program shows layers. */
function tcuLayersOf(flat) {
  const inside = "." + names.tcuLayer.group + ".", units = new Map();
  for (const path of flat.keys()) {
    const at = path.indexOf(inside), end = path.indexOf(".", at + inside.length);
    if (at < 0 || path.slice(end + 1) !== names.tcuLayer.parts[0]) continue;  // a workload has layers of its own
    const unit = path.slice(0, at), layer = path.slice(0, end);
    if (!units.has(unit)) units.set(unit, []);
    units.get(unit).push({name: "layer\u00a0" + units.get(unit).length, figure: (key) => flat.get(layer + "." + key)});
  }
  return [...units];
}

function tcuLayersSection(layers) {
  const {cycles, instructions, usefulMacs, bytes, bound, parts} = names.tcuLayer;
  const total = layers.reduce((sum, layer) => sum + layer.figure(cycles).value, 0);
  const number = (name, value, unit) => ({name, number: true, text: (r) => formatShort(value(r), unit), key: value});
  return html("div", {},
    chart((width) => layerChart(layers, width, cycles, [...parts])), legend([...parts].map(kLayerPart)),
    table("Layers", [
      {name: "Layer", text: (r) => r.name},
      number("Cycles", (r) => r.figure(cycles).value, ""),
      number("Share", (r) => total > 0 ? 100 * r.figure(cycles).value / total : 0, "%"),
      {name: "Most of it at", text: (r) => r.figure(bound)?.value ?? ""},
      number("Useful MACs", (r) => r.figure(usefulMacs).value, ""),
      number("Instructions", (r) => r.figure(instructions).value, ""),
      number("DRAM bytes", (r) => [...bytes].reduce((sum, key) => sum + r.figure(key).value, 0), "bytes"),
      ...[...parts].map((part) => number(kLayerPart(part), (r) => r.figure(part).value, "")),
    ], layers));
}
