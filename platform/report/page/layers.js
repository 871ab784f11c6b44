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

const kLayerPart = (part) => title(part).replace(/ time$/, "");

/** One bar a layer, as long as its time, in the parts it is made of. */
function layerChart(layers, width) {
  const left = Math.min(210, Math.floor(width * 0.32)), right = width - 84, bar = 16, pitch = 24, top = 6;
  const height = top + layers.length * pitch + 6;
  const longest = Math.max(...layers.map((layer) => layer.figure(names.layer.time).value));
  const parts = [];
  layers.forEach((layer, row) => {
    const y = top + row * pitch, time = layer.figure(names.layer.time);
    parts.push(svg("text", {x: left - 8, y: y + bar / 2 + 4, "text-anchor": "end"}, shortName(layer.name, left)));
    let at = left;
    for (const part of names.layerParts) {
      const piece = layer.figure(part), size = longest > 0 ? (right - left) * piece.value / longest : 0;
      if (size <= 0) continue;
      parts.push(svg("rect", {x: at, y, width: size, height: bar, style: "fill:" + colourOf(kLayerPart(part))},
        svg("title", {}, `${layer.name}: ${kLayerPart(part)} ${formatShort(piece.value, piece.unit)} (${formatShort(100 * piece.value / time.value, "%")})`)));
      at += size;
    }
    parts.push(svg("text", {class: "strong", x: at + 6, y: y + bar / 2 + 4}, formatShort(time.value, time.unit)));
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
