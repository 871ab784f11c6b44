// ---- what the page reads out of a run's statistics: a Map from path to {value, unit, description}

/** The tree of a statistics file as a flat map. */
function flatten(tree) {
  const flat = new Map();
  const walk = (group, prefix) => {
    for (const [name, quantity] of Object.entries(group.values || {}))
      flat.set(prefix + name, {value: quantity.value, unit: quantity.unit || "", description: quantity.description || ""});
    for (const [name, below] of Object.entries(group.groups || {})) walk(below, prefix + name + ".");
  };
  walk(tree, "");
  return flat;
}

function valueOf(flat, path) {
  const quantity = flat.get(path);
  return quantity ? quantity.value : undefined;
}

/** Entries below "prefix." with that prefix removed. */
function below(flat, prefix) {
  const found = [];
  for (const [path, quantity] of flat)
    if (path.startsWith(prefix + ".")) found.push([path.slice(prefix.length + 1), quantity]);
  return found;
}

/** "timed", "functional", or what the run calls it; every result says which mode produced it. */
function fidelityOf(flat) {
  for (const path of ["fidelity", "run.fidelity", "configuration.fidelity", "simulation.fidelity"]) {
    const value = valueOf(flat, path);
    if (value !== undefined) return String(value);
  }
  for (const [path, quantity] of flat)
    if (path.endsWith(".fidelity")) return String(quantity.value);
  return "not stated";
}

/** The quantity of simulated time, as [path, quantity], or undefined. */
function simulatedTime(flat) {
  for (const [path, quantity] of flat)
    if (/(^|\.)(simulated_time|sim_time|time_simulated)$/.test(path) && quantity.unit in kTimeUnits) return [path, quantity];
  return undefined;
}

/**
 * Units of the machine whose time is accounted for: groups with "busy" and "idle" or "total". Causes of stalls are the
 * values of a group named stall_cause, wait_cause, stall, wait, waiting… below the unit, or values stall_…, wait_… beside.
 */
function unitsOf(flat) {
  const units = [];
  for (const [path, busy] of flat) {
    if (!path.endsWith(".busy") || typeof busy.value !== "number") continue;
    const name = path.slice(0, -".busy".length);
    const idle = flat.get(name + ".idle");
    const total = flat.get(name + ".total");
    if (!(idle || total) || busy.unit === "%") continue;
    units.push(unitOf(flat, name, busy, idle, total));
  }
  return units;
}

function unitOf(flat, name, busy, idle, total) {
  const causes = [];
  for (const [key, quantity] of below(flat, name)) {
    const match = /^(?:stall|wait)(?:s|ing)?(?:_?causes?)?\.([^.]+)$|^(?:stall|wait)(?:ing)?_(?!cause)([^.]+)$/.exec(key);
    if (match && quantity.unit === busy.unit && typeof quantity.value === "number")
      causes.push({name: match[1] || match[2], value: quantity.value, description: quantity.description});
  }
  const lump = flat.get(name + ".stall") || flat.get(name + ".wait");
  if (causes.length === 0 && lump && typeof lump.value === "number")
    causes.push({name: "stall", value: lump.value, description: lump.description});
  const stalled = causes.reduce((sum, cause) => sum + cause.value, 0);
  const whole = total ? total.value : busy.value + stalled + idle.value;
  const rest = idle ? idle.value : Math.max(0, whole - busy.value - stalled);
  return {
    name, unit: busy.unit, busy: busy.value, causes, idle: rest, total: whole,
    conserved: Math.abs(busy.value + stalled + rest - whole) <= 1e-9 * Math.max(1, whole),
  };
}

/** Colours: busy has the first, every cause keeps one through the whole page. */
const stateColours = new Map([["busy", 0]]);
function colourOf(state) {
  if (state === "idle") return "var(--idle)";
  if (!stateColours.has(state)) stateColours.set(state, 1 + ((stateColours.size - 1) % 12));
  return "var(--state-" + stateColours.get(state) + ")";
}
