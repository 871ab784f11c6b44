// ---- what the hardware did not interlock

/** Kinds of hazards that happened: {part, name, count, description}. */
function hazardsOf(flat) {
  return [...flat].filter(([path, quantity]) => path.split(".").at(-2) === names.hazards && quantity.value > 0)
    .map(([path, quantity]) => strict({part: path.split(".").slice(0, -2).join("."), name: path.split(".").at(-1), count: quantity.value, description: quantity.description}));
}

/** A warning that stands above all figures; nothing if there were no hazards. */
function hazardWarning(flat) {
  const found = hazardsOf(flat);
  if (found.length === 0) return false;
  return html("div", {class: "warning hazards"}, html("p", {}, "Hazards: what the hardware does not interlock happened, so its results may be wrong."),
    html("ul", {}, found.map((one) => html("li", {}, `${one.part}: ${title(one.name)} ${formatNumber(one.count)} (${one.description})`))));
}
