// ---- small helpers to build HTML and SVG

const kSvg = "http://www.w3.org/2000/svg";

function fill(node, attributes, children) {
  for (const [name, value] of Object.entries(attributes || {})) {
    if (value === undefined || value === null || value === false) continue;
    if (name.startsWith("on")) node.addEventListener(name.slice(2), value);
    else if (name === "style") node.style.cssText = value;
    else node.setAttribute(name, value === true ? "" : value);
  }
  for (const child of children.flat(3)) {
    if (child === null || child === undefined || child === false) continue;
    node.append(child);
  }
  return node;
}
/** Other children in place of the present ones. */
function refill(node, ...children) {
  node.replaceChildren();
  fill(node, {}, children);
}
/** html("p", {class: "x"}, "text", child, …) */
function html(name, attributes, ...children) { return fill(document.createElement(name), attributes, children); }
function svg(name, attributes, ...children) { return fill(document.createElementNS(kSvg, name), attributes, children); }

/** An SVG picture that screen readers announce by title and description. */
function picture(width, height, name, description, ...children) {
  const id = "t" + (picture.count = (picture.count || 0) + 1);
  return svg("svg", {viewBox: `0 0 ${width} ${height}`, width, height, role: "img", "aria-labelledby": id + " " + id + "d"},
    svg("title", {id}, name), svg("desc", {id: id + "d"}, description), ...children);
}

/** A place for a chart: draw(width) is called now and whenever the width changes. */
function chart(draw) {
  const place = html("div", {class: "chart"});
  let last = 0;
  const redraw = () => {
    const width = Math.max(320, Math.floor(place.clientWidth));
    if (width > 0) place.replaceChildren(draw(width));
    last = place.clientWidth;
  };
  new ResizeObserver(() => { if (place.clientWidth !== last) redraw(); }).observe(place);
  place.redraw = redraw;
  return place;
}

/** Too narrow for names beside a picture. */
function isNarrow(width) { return width < 560; }

/** A text of pictures with its beginning cut so that it fits into a width. */
function fittedText(text, width) {
  const g = fittedText.context ||= document.createElement("canvas").getContext("2d");
  g.font = "12.5px " + getComputedStyle(document.body).fontFamily;
  return fitted(g, text, width);
}

function card(id, heading, lead, ...children) {
  return html("section", {class: "card", id, "aria-labelledby": id + "-h"},
    html("h2", {id: id + "-h"}, heading), lead && html("p", {class: "lead"}, lead), ...children);
}

function select(label, options, chosen, onchange) {
  const list = html("select", {onchange: () => onchange(list.value)});
  const groups = new Map();
  for (const {value, text, group} of options) {
    const option = html("option", {value, selected: value === chosen}, text);
    if (group && !groups.has(group)) {
      groups.set(group, html("optgroup", {label: group}));
      list.append(groups.get(group));
    }
    (group ? groups.get(group) : list).append(option);
  }
  return html("label", {}, label, list);
}

function legend(states) {
  return html("ul", {class: "legend"}, states.map((state) =>
    html("li", {}, html("i", {style: "background:" + colourOf(state)}), title(state))));
}

// ---- scales

/** Round values between low and high, about `count` of them. */
function niceTicks(low, high, count) {
  if (!(high > low)) return [low];
  const rough = (high - low) / count;
  const power = Math.pow(10, Math.floor(Math.log10(rough)));
  const step = [1, 2, 5, 10].map((f) => f * power).find((s) => s >= rough);
  const ticks = [];
  for (let i = Math.ceil(low / step - 1e-9); i * step <= high * (1 + 1e-12) + 1e-300; ++i) ticks.push(i * step);
  return ticks;
}

/** Maps values to pixels, linear or logarithmic, with a margin around the values. */
function makeScale(values, from, to, logarithmic) {
  const finite = values.filter((v) => Number.isFinite(v) && (!logarithmic || v > 0));
  let low = Math.min(...finite), high = Math.max(...finite);
  const f = logarithmic ? Math.log10 : (v) => v;
  if (low === high) { low = logarithmic ? low / 2 : low - Math.abs(low || 1) / 2; high = logarithmic ? high * 2 : high + Math.abs(high || 1) / 2; }
  const margin = (f(high) - f(low)) * 0.06;
  const a = f(low) - margin, b = f(high) + margin;
  const scale = (v) => from + (f(v) - a) / (b - a) * (to - from);
  scale.ticks = (count) => {
    if (!logarithmic) return niceTicks(a, b, count);
    const decades = [];
    for (let e = Math.ceil(a); e <= b; ++e) decades.push(Math.pow(10, e));
    if (decades.length >= 2) return decades;
    return niceTicks(Math.pow(10, a), Math.pow(10, b), count).filter((v) => v > 0);
  };
  scale.low = logarithmic ? Math.pow(10, a) : a;
  scale.high = logarithmic ? Math.pow(10, b) : b;
  return scale;
}

/** Grid lines and labels of both axes around the area left…right, top…bottom. */
function axes(area, x, y, xUnit, yUnit, xName, yName) {
  const parts = [];
  for (const v of x.ticks(Math.max(3, Math.floor((area.right - area.left) / 110)))) {
    parts.push(svg("line", {class: "grid", x1: x(v), x2: x(v), y1: area.top, y2: area.bottom}));
    parts.push(svg("text", {class: "soft", x: x(v), y: area.bottom + 17, "text-anchor": "middle"}, formatShort(v, xUnit)));
  }
  for (const v of y.ticks(6)) {
    parts.push(svg("line", {class: "grid", x1: area.left, x2: area.right, y1: y(v), y2: y(v)}));
    parts.push(svg("text", {class: "soft", x: area.left - 7, y: y(v) + 4, "text-anchor": "end"}, formatShort(v, yUnit)));
  }
  parts.push(svg("line", {class: "axis", x1: area.left, x2: area.right, y1: area.bottom, y2: area.bottom}));
  parts.push(svg("line", {class: "axis", x1: area.left, x2: area.left, y1: area.top, y2: area.bottom}));
  parts.push(svg("text", {class: "strong", x: area.right, y: area.bottom + 36, "text-anchor": "end"}, xName + " →"));
  parts.push(svg("text", {class: "strong", x: area.left, y: area.top - 9, "text-anchor": "start"}, "↑ " + yName));
  return parts;
}
