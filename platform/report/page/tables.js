// ---- tables

/**
 * A table that scrolls in its box. columns: {name, number, text(row), key(row) to sort by, node(row)}. The head's buttons
 * sort. rowClass and onrow are optional.
 */
function table(caption, columns, rows, options = {}) {
  const body = html("tbody");
  let sorted = -1, direction = 1;
  const show = () => {
    const order = [...rows];
    if (sorted >= 0) {
      const key = columns[sorted].key || columns[sorted].text;
      order.sort((a, b) => {
        const x = key(a), y = key(b);
        if (typeof x === "number" && typeof y === "number") return direction * (x - y);
        return direction * String(x ?? "").localeCompare(String(y ?? ""), "en", {numeric: true});
      });
    }
    body.replaceChildren(...order.map((row) => html("tr", {class: options.rowClass && options.rowClass(row)},
      columns.map((column) => html("td", {class: column.number && "number"}, column.node ? column.node(row) : column.text(row))))));
  };
  const head = columns.map((column, i) => {
    const cell = html("th", {scope: "col", class: column.number && "number"});
    cell.append(options.plain || !column.name ? column.name : html("button", {type: "button", onclick: () => {
      direction = sorted === i ? -direction : 1;
      sorted = i;
      for (const other of head) other.removeAttribute("aria-sort");
      cell.setAttribute("aria-sort", direction > 0 ? "ascending" : "descending");
      show();
    }}, column.name));
    return cell;
  });
  show();
  const box = html("div", {class: "scroll", tabindex: "0", role: "region", "aria-label": caption},
    html("table", {}, html("caption", {}, caption), html("thead", {}, html("tr", {}, head)), body));
  box.refresh = show;
  return box;
}

function folded(summary, open, ...children) {
  return html("details", {open}, html("summary", {}, summary), ...children);
}

/** Every quantity, with a field to look for some of them. */
function statisticsTable(caption, entries) {
  const place = html("div");
  const show = (text) => {
    const words = text.toLowerCase().split(/\s+/).filter(Boolean);
    const rows = entries.filter(([path, quantity]) => {
      const hay = (path + " " + quantity.description).toLowerCase();
      return words.every((word) => hay.includes(word));
    });
    place.replaceChildren(table(`${caption}: ${rows.length} of ${entries.length}`, [
      {name: "Quantity", text: (row) => row[0], node: (row) => html("code", {}, row[0])},
      {name: "Value", number: true, text: (row) => formatFull(row[1].value, row[1].unit), key: (row) => row[1].value},
      {name: "Meaning", text: (row) => row[1].description},
    ], rows));
  };
  show("");
  const field = html("input", {type: "search", class: "filter", placeholder: "Find quantities…", "aria-label": "Find in: " + caption,
    oninput: () => show(field.value)});
  return html("div", {}, field, place);
}

function configurationTable(flat) {
  const rows = below(flat, names.configuration);
  if (rows.length === 0) return html("p", {class: "muted"}, "The run states no configuration.");
  return statisticsTable("Parameters", rows);
}

/** What was reached beside the bound nothing can beat; a figure beyond its bound is marked. */
function boundsTable(flat) {
  const rows = [];
  const add = (what, reached, bound, share, unit, isLeast, meaning) => {
    if (typeof reached !== "number" || typeof bound !== "number" || bound === 0) return;
    const wrong = isLeast ? reached < bound : reached > bound * (1 + 1e-9);
    rows.push({what, reached, bound, share, unit, wrong, meaning});
  };
  const addArray = (of, unit) => {
    if (unit.useful !== undefined)
      add("Useful multiply-accumulates" + of, unit.useful, unit.peak, unit.usefulOfPeak, "MAC/s", false,
        `what the workload asks for; mapping efficiency ${formatShort(unit.efficiency, "%")}`);
    add("Mapped multiply-accumulates" + of, unit.mapped, unit.peak, unit.mappedOfPeak, "MAC/s", false, "padding included; peak: matrix width² × clock");
    add("tinyTPU cycles" + of, unit.cycles, unit.minimumCycles, unit.cyclesOfMinimum, "cycles", true,
      "bound: closed-form least of the executed instructions");
  };
  addArray("", computeOf(flat));
  for (const unit of partsOf(flat, names.units, names.compute)) addArray(" of " + unit.name, unit);
  for (const link of linksOf(flat))
    add("Bandwidth of " + link.name, link.reached, link.peak, link.ofPeak, "bytes/s", false, "peak: width × clock");
  for (const mover of partsOf(flat, names.movers, names.mover))
    add("Transfers of " + mover.name, mover.reached, mover.peak, mover.ofPeak, "bytes/s", false,
      `${formatShort(mover.bytes, "bytes")} moved while it was busy, ${formatShort(mover.shareOfRun, "%")} of the run; peak: width × clock of its port`);
  if (rows.length === 0) return html("p", {class: "muted"}, "The run states no ideal bounds (group “ideal”).");
  const wrong = rows.filter((row) => row.wrong);
  return html("div", {},
    wrong.length > 0 && html("p", {class: "warning"}, "Beyond its bound, so something is wrong: " + wrong.map((r) => r.what).join(", ")),
    table("Reached beside ideal", [
      {name: "Figure", text: (r) => r.what, node: (r) => [r.what, html("small", {}, r.meaning)]},
      {name: "Reached", number: true, text: (r) => formatShort(r.reached, r.unit), key: (r) => r.reached},
      {name: "Bound", number: true, text: (r) => formatShort(r.bound, r.unit), key: (r) => r.bound},
      {name: "Share", number: true, text: (r) => formatShort(r.share, "%"), key: (r) => r.share},
    ], rows, {plain: true}));
}
