// ---- where the time of each unit went

/** One bar a unit; of the whole time, or of the time in which the unit was not idle. */
function stallChart(units, width, withIdle) {
  const narrow = isNarrow(width);  // names stand above their bars
  const left = narrow ? 0 : Math.min(210, Math.floor(width * 0.32)), right = width - 64, bar = 24;
  const above = narrow ? 19 : 0, pitch = 36 + above, top = 6;
  const height = top + units.length * pitch + 26;
  const parts = [];
  for (const share of [0, 25, 50, 75, 100]) {
    const x = left + (right - left) * share / 100;
    parts.push(svg("line", {class: "grid", x1: x, x2: x, y1: top, y2: height - 22}));
    parts.push(svg("text", {class: "soft", x, y: height - 6, "text-anchor": narrow && share === 0 ? "start" : "middle"}, share + " %"));
  }
  units.forEach((unit, row) => {
    const y = top + above + row * pitch;
    parts.push(narrow ? svg("text", {class: "unit", x: 0, y: y - 5}, fittedText(title(unit.name), width))
      : svg("text", {class: "unit", x: left - 8, y: y + bar / 2 + 4, "text-anchor": "end"}, fittedText(title(unit.name), left - 8)));
    let at = left;
    const whole = withIdle ? unit.total : unit.total - unit.idle;
    for (const piece of [{name: "busy", value: unit.busy}, ...unit.causes, ...(withIdle ? [{name: "idle", value: unit.idle}] : [])]) {
      const size = whole > 0 ? (right - left) * piece.value / whole : 0;
      if (size <= 0) continue;
      parts.push(svg("rect", {x: at, y, width: size, height: bar, style: "fill:" + colourOf(piece.name)},
        svg("title", {}, `${title(unit.name)}: ${title(piece.name)} ${formatShort(piece.value, unit.unit)} (${formatShort(100 * piece.value / whole, "%")})`)));
      at += size;
    }
    parts.push(svg("text", {class: "strong", x: right + 8, y: y + bar / 2 + 4},
      whole > 0 ? formatShare(unit.busy / whole) : "–"));
  });
  return picture(width, height, "Stall breakdown", "For each unit: shares of busy, stalled by cause, and idle time. The table below has the numbers.", parts);
}

function stallSection(flat) {
  const units = unitsOf(flat);
  if (units.length === 0) return html("p", {class: "muted"}, "The run accounts for no unit's time (groups with busy, idle, total).");
  const states = ["busy", ...new Set(units.flatMap((unit) => unit.causes.filter((c) => c.value > 0).map((c) => c.name))), "idle"];
  const rows = units.flatMap((unit) => [{name: "busy", value: unit.busy}, ...unit.causes, {name: "idle", value: unit.idle}]
    .map((piece) => ({unit, ...piece})));
  let withIdle = true;
  const bars = chart((width) => stallChart(units, width, withIdle));
  const broken = units.filter((unit) => !unit.conserved);
  return html("div", {},
    broken.length > 0 && html("p", {class: "warning"}, "Busy, stall and idle do not add up to the total in: " + broken.map((u) => u.name).join(", ")),
    html("div", {class: "controls"}, select("Share of", [{value: "all", text: "the whole time"}, {value: "active", text: "the time not idle"}], "all",
      (value) => { withIdle = value === "all"; bars.redraw(); })),
    bars, legend(states),
    folded("Table of the stall breakdown", false, table("Time by unit and cause", [
      {name: "Unit", text: (r) => title(r.unit.name)},
      {name: "State", text: (r) => title(r.name), node: (r) => [html("i", {class: "swatch", style: "background:" + colourOf(r.name)}), title(r.name)]},
      {name: "Time", number: true, text: (r) => formatFull(r.value, r.unit.unit), key: (r) => r.value},
      {name: "Share", number: true, text: (r) => r.unit.total ? formatShort(100 * r.value / r.unit.total, "%") : "–", key: (r) => r.value / r.unit.total},
      {name: "Meaning", text: (r) => r.description || ""},
    ], rows)));
}
