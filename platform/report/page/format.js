// ---- numbers with units

const kTimeUnits = {s: 1e12, ms: 1e9, us: 1e6, "µs": 1e6, ns: 1e3, ps: 1};
const kSi = [[1e15, "P"], [1e12, "T"], [1e9, "G"], [1e6, "M"], [1e3, "k"], [1, ""]];

/** Digits that carry information, without trailing zeros: 1234.5678 → "1,234.6", 0.00123 → "0.00123". */
function formatNumber(value) {
  if (typeof value !== "number" || !Number.isFinite(value)) return "–";
  if (Number.isInteger(value)) return (value || 0).toLocaleString("en-US");
  const size = Math.abs(value);
  if (size >= 1e15 || size < 1e-4) return value.toExponential(3);
  return value.toLocaleString("en-US", {maximumSignificantDigits: Math.max(4, Math.ceil(Math.log10(size)) + 1)});
}

/** A time in picoseconds with the unit that reads best. */
function formatTime(ps, digits = 4) {
  for (const [unit, factor] of [["s", 1e12], ["ms", 1e9], ["µs", 1e6], ["ns", 1e3]])
    if (Math.abs(ps) >= factor) return significant(ps / factor, digits) + " " + unit;
  return significant(ps, digits) + " ps";
}

function significant(value, digits) {
  return (value || 0).toLocaleString("en-US", {maximumSignificantDigits: digits});  // "|| 0": no "-0"
}

/** A quantity short enough for an axis or a tile: rates get k, M, G; times the unit that reads best. */
function formatShort(value, unit) {
  if (typeof value !== "number") return value === null || value === undefined ? "–" : String(value);
  if (unit in kTimeUnits) return formatTime(value * kTimeUnits[unit]);
  if (unit === "%") return significant(value, 4) + " %";
  const name = unit === "1" || !unit ? "" : unit;
  if (/^(bytes|MAC|B|ops|instructions)(\/s)?$|^(MIPS|Hz)$/.test(name) && Math.abs(value) >= 1e4)
    for (const [factor, prefix] of kSi)
      if (Math.abs(value) >= factor)
        return significant(value / factor, 4) + " " + prefix + name.replace(/^bytes/, "B");
  return (Number.isInteger(value) ? formatNumber(value) : significant(value, 5)) + (name ? " " + name : "");
}

/** A share beside a bar, where there is room for few digits. */
function formatShare(share) {
  return share > 0 && share < 1e-4 ? "< 0.01 %" : formatShort(Number((100 * share).toPrecision(3)), "%");
}

/** The exact value for a table, with its unit. */
function formatFull(value, unit) {
  if (typeof value !== "number") return value === null || value === undefined ? "–" : String(value);
  return formatNumber(value) + (unit && unit !== "1" ? " " + unit : "");
}

const kParameterUnits = {
  ps: 1, ns: 1e3, us: 1e6, ms: 1e9, s: 1e12, Hz: 1, kHz: 1e3, MHz: 1e6, GHz: 1e9, KiB: 1024, MiB: 1048576, GiB: 1073741824,
};

/** The number a parameter's text stands for, so that values sort as quantities; null for plain text. */
function numberOfText(text) {
  const match = /^(-?[0-9]*\.?[0-9]+(?:e[-+]?[0-9]+)?)\s*([A-Za-z]*)$/.exec(String(text).trim());
  if (!match) return /^0x[0-9a-f]+$/i.test(text) ? Number(text) : null;
  if (!match[2]) return Number(match[1]);
  return match[2] in kParameterUnits ? Number(match[1]) * kParameterUnits[match[2]] : null;
}

/** Values in their natural order: numbers by size, text by the order given. */
function inOrder(values) {
  const numbers = values.map(numberOfText);
  if (numbers.some((n) => n === null)) return values;
  return values.map((v, i) => [numbers[i], v]).sort((a, b) => a[0] - b[0]).map((pair) => pair[1]);
}

/** "part.its_unit" → "part · its unit". */
function title(path) {
  return path.replace(/\./g, " · ").replace(/_/g, " ");
}
