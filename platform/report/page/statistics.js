// ---- what the page reads out of a run's statistics: a Map from path to {value, unit, description}

/** An object whose unknown names are errors, at any depth. */
function strict(object) {
  if (typeof object !== "object" || object === null || Array.isArray(object)) return object;
  return new Proxy(object, {get(target, name) {
    if (!(name in target)) throw new Error(`the program states no name for “${String(name)}”`);
    return strict(target[name]);
  }});
}

/** Names of figures as the program's own lists have them; the page knows no others. */
const pageData = JSON.parse(document.getElementById("data").textContent);
const names = strict(pageData.names);

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

/** "timed", "functional", or both; every result says which mode produced it. */
function fidelityOf(flat) {
  const path = names.fidelity.find((one) => flat.has(one));
  return path === undefined ? "not stated" : String(valueOf(flat, path));
}

/** The quantity of simulated time, as [path, quantity], or undefined. */
function simulatedTime(flat) {
  const path = names.simulatedTime.find((one) => flat.has(one));
  return path === undefined ? undefined : [path, flat.get(path)];
}

/** Names of the regions that the program has named, the one that took longest first. */
function regionsOf(flat) {
  const found = [];
  for (const [key, quantity] of below(flat, names.region.group))
    if (key.endsWith("." + names.region.time)) found.push([key.slice(0, -names.region.time.length - 1), quantity.value]);
  return found.sort((a, b) => b[1] - a[1]).map(([name]) => name);
}

/** The figures of a region, under the names that those of a whole run have. */
function regionFlat(flat, region) {
  const part = new Map(below(flat, names.region.group + "." + region));
  part.set(names.simulatedTime[0], part.get(names.region.time));
  part.set(names.instructions, part.get(names.region.instructions));
  for (const name of names.fidelity) if (flat.has(name)) part.set(name, flat.get(name));
  return part;
}

/** Names of the groups right below a path, in their order. */
function groupsBelow(flat, path) {
  return [...new Set(below(flat, path).filter(([key]) => key.includes(".")).map(([key]) => key.slice(0, key.lastIndexOf("."))))];
}

/** Units of the machine whose time is accounted for: groups with the figures of a time account. */
function unitsOf(flat) {
  const units = [], account = names.account;
  for (const [path, busy] of flat) {
    if (!path.endsWith("." + account.busy) || typeof busy.value !== "number") continue;
    const name = path.slice(0, -account.busy.length - 1);
    const total = flat.get(name + "." + account.total), idle = flat.get(name + "." + account.idle);
    if (total && idle) units.push(unitOf(flat, name, busy, idle, total));
  }
  return units;
}

function unitOf(flat, name, busy, idle, total) {
  const account = names.account, causes = [];
  for (const [key, quantity] of below(flat, name)) {
    if (quantity.unit !== busy.unit || typeof quantity.value !== "number") continue;
    const cause = key.startsWith(account.causes + ".") ? key.slice(account.causes.length + 1)
      : key.startsWith(account.causePrefix) && !key.includes(".") ? key.slice(account.causePrefix.length)
      : key === account.waiting ? key : undefined;
    if (cause !== undefined) causes.push({name: cause, value: quantity.value, description: quantity.description});
  }
  const lump = flat.get(name + "." + account.stall);
  if (causes.length === 0 && lump && typeof lump.value === "number")
    causes.push({name: account.stall, value: lump.value, description: lump.description});
  const stalled = causes.reduce((sum, cause) => sum + cause.value, 0);
  return {
    name, unit: busy.unit, busy: busy.value, causes, idle: idle.value, total: total.value,
    conserved: Math.abs(busy.value + stalled + idle.value - total.value) <= 1e-9 * Math.max(1, total.value),
  };
}

/** Colours: busy has the first, every cause keeps one through the whole page. */
const stateColours = new Map([["busy", 0]]);
function colourOf(state) {
  if (state === "idle") return "var(--idle)";
  if (!stateColours.has(state)) stateColours.set(state, 1 + ((stateColours.size - 1) % 12));
  return "var(--state-" + stateColours.get(state) + ")";
}
