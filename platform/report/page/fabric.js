// ---- cells of a reconfigurable fabric: how much of the time each worked

/** Fabrics of a run: part, cycles of its runs, cells with their figures, columns. */
function fabricsOf(flat) {
  const name = names.fabric, fabrics = new Map();
  for (const [path, quantity] of flat) {
    const at = path.lastIndexOf("." + name.cell);
    if (at < 0) continue;
    const match = /^([0-9]+)_([0-9]+)\.([a-z0-9_]+)$/.exec(path.slice(at + 1 + name.cell.length));
    const part = path.slice(0, at), cycles = valueOf(flat, part + "." + name.cycles);
    if (!match || cycles === undefined) continue;
    if (!fabrics.has(part)) fabrics.set(part, {part, cycles, cells: new Map(), rows: 2, columns: Number(valueOf(flat, `${names.configuration}.${part}.${name.columns}`) || 0)});
    const fabric = fabrics.get(part), [row, column] = [Number(match[1]), Number(match[2])], key = row + "," + column;
    fabric.columns = Math.max(fabric.columns, column + 1);
    if (!fabric.cells.has(key)) fabric.cells.set(key, {row, column, key, figures: new Map()});
    fabric.cells.get(key).figures.set(match[3], quantity.value);
  }
  return [...fabrics.values()];
}

/** What a cell's time can be spent on, as [figure, words]. */
function fabricResources() {
  const name = names.fabric;
  return [[name.dpu, "DPU"], [name.instructions, "sequencer: instructions"], [name.waiting, "sequencer: waiting"], ...name.ports.map((port) => [port, "port " + title(port)])];
}

function fabricMap(fabric, resource, width) {
  const left = 52, top = 26, gap = 2, size = Math.max(4, Math.min(72, (width - left) / fabric.columns)), high = Math.max(28, Math.min(48, size));
  const parts = [], step = Math.ceil(24 / size);
  for (let column = 0; column < fabric.columns; column += step)
    parts.push(svg("text", {class: "soft", x: left + (column + 0.5) * size, y: top - 9, "text-anchor": "middle"}, String(column)));
  for (let row = 0; row < fabric.rows; ++row) {
    parts.push(svg("text", {class: "soft", x: left - 8, y: top + row * high + high / 2 + 4, "text-anchor": "end"}, "row " + row));
    for (let column = 0; column < fabric.columns; ++column) {
      const cell = fabric.cells.get(row + "," + column), place = {x: left + column * size, y: top + row * high, width: size - gap, height: high - gap};
      if (!cell) {
        parts.push(svg("rect", {...place, class: "axis", style: "fill:none;stroke-dasharray:2 3"}, svg("title", {}, `cell ${row},${column}: never used`)));
        continue;
      }
      const share = fabric.cycles > 0 ? cell.figures.get(resource) / fabric.cycles : 0, colour = rampColour(share);
      const told = fabricResources().map(([figure, words]) => `${words} ${formatFull(cell.figures.get(figure), "")}`).join(", ");
      parts.push(svg("rect", {...place, class: "fabric-cell", style: `fill:rgb(${colour})`}, svg("title", {}, `cell ${row},${column}: ${told} of ${formatFull(fabric.cycles, "cycles")}`)));
      if (size >= 44) parts.push(svg("text", {x: place.x + place.width / 2, y: place.y + place.height / 2 + 4, "text-anchor": "middle", style: `fill:${inkOn(colour)};pointer-events:none`}, formatShare(share)));
    }
  }
  return picture(width, top + fabric.rows * high + 6, "Cells of " + fabric.part, "Each cell's share of the run's cycles that the chosen resource worked; the memories lie above row 0. The tables below have the numbers.", parts);
}

function fabricOf(fabric) {
  const resources = fabricResources(), cells = [...fabric.cells.values()];
  let resource = names.fabric.dpu;
  const map = chart((width) => fabricMap(fabric, resource, width));
  const share = (cycles, of) => of > 0 ? formatShort(Number((100 * cycles / of).toPrecision(4)), "%") : "–";
  const totals = resources.map(([figure, words]) => ({words, cycles: cells.reduce((sum, cell) => sum + (cell.figures.get(figure) || 0), 0), users: cells.filter((cell) => cell.figures.get(figure) > 0).length}));
  return html("div", {class: "fabric"},
    html("div", {class: "controls"}, select("Share of the time in which worked", resources.map(([value, text]) => ({value, text})), resource, (value) => { resource = value; map.redraw(); })),
    map,
    html("p", {class: "muted"}, `${cells.length} of ${fabric.rows * fabric.columns} cells were used; shares are of ${formatFull(fabric.cycles, "cycles")}. Dark: idle, light: always at work.`),
    folded("Cycles by resource", true, table("Cycles by resource, all cells of " + fabric.part, [
      {name: "Resource", text: (r) => r.words},
      {name: "Cells", number: true, text: (r) => formatNumber(r.users), key: (r) => r.users},
      {name: "Cycles", number: true, text: (r) => formatNumber(r.cycles), key: (r) => r.cycles},
      {name: "Of the used cells' time", number: true, text: (r) => share(r.cycles, fabric.cycles * cells.length), key: (r) => r.cycles},
    ], totals)),
    folded("Cycles by cell", false, table("Cycles by cell of " + fabric.part, [
      {name: "Cell", text: (cell) => cell.key, key: (cell) => cell.row * 1000 + cell.column},
      ...resources.map(([figure, words]) => ({name: words, number: true, text: (cell) => formatFull(cell.figures.get(figure), ""), key: (cell) => cell.figures.get(figure)})),
    ], cells)));
}

/** A card for the fabrics of a run; nothing for a run without one. */
function fabricCards(flat) {
  const fabrics = fabricsOf(flat);
  if (fabrics.length === 0) return [];
  return [card("fabric", "Cells of the fabric", "How much of its runs' cycles each cell worked, by resource.", ...fabrics.map((fabric) => fabricOf(fabric)))];
}
