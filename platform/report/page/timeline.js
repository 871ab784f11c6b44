// ---- timeline of the units: a canvas with zoom and pan, by mouse, wheel, touch and keyboard

class TimelineView {
  constructor(timeline) {
    this.timeline = timeline;
    this.end = Math.max(1, timeline.end_ps);
    this.from = 0;
    this.to = this.end;
    this.top = 26;
    // What happened when comes before who did what.
    const rank = (track) => ["regions", "interrupts", "hazards"].indexOf(track.name);
    const firsts = timeline.tracks.filter((track) => rank(track) >= 0).sort((a, b) => rank(a) - rank(b));
    this.tracks = [...firsts, ...timeline.tracks.filter((track) => rank(track) < 0)];
    this.canvas = html("canvas", {class: "timeline", tabindex: "0", role: "img"});
    this.range = html("span", {id: "timeline-range", "aria-live": "polite"});
    this.tip = html("div", {class: "tip", hidden: true});
    this.inView = html("div");
    this.place = html("div", {class: "chart"}, this.canvas, this.tip);
    this.listen();
    new ResizeObserver(() => this.draw()).observe(this.place);
  }

  section() {
    const button = (text, label, action) => html("button", {type: "button", "aria-label": label, onclick: action}, text);
    const states = ["busy", ...this.timeline.states.filter((s) => s !== "busy")];
    const marked = this.tracks.filter((track) => track.marks.length > 0);
    const unlisted = marked.filter((track) => track.more_marks > 0);
    const coarse = this.tracks.filter((track) => track.resolution_ps > 0);
    this.details = folded("Table of the spans in view", false, this.inView);
    this.details.addEventListener("toggle", () => this.listSpans());
    return html("div", {},
      html("div", {class: "controls"},
        html("span", {class: "group"},
          button("+", "Zoom in", () => this.zoom(0.5)), button("−", "Zoom out", () => this.zoom(2)),
          button("◀", "Pan left", () => this.pan(-0.25)), button("▶", "Pan right", () => this.pan(0.25)),
          button("All", "Show the whole run", () => this.show(0, this.end))),
        this.range),
      this.place, legend([...states, "idle"]),
      marked.length > 0 && html("p", {class: "muted"}, `Strokes are moments: ${marked.map((t) => title(t.name)).join(", ")}. Pointing at one tells what it is.`
        + unlisted.map((t) => ` Of ${title(t.name)} the first ${formatNumber(t.marks.length)} of ${formatNumber(t.marks.length + t.more_marks)} are drawn.`).join("")),
      coarse.length > 0 && html("p", {class: "muted"}, `Long run: in ${coarse.length === this.tracks.length ? "all tracks" : coarse.map((t) => title(t.name)).join(", ")} a slice of ${formatTime(Math.max(...coarse.map((t) => t.resolution_ps)))} shows the time in each state, not its order.`),
      folded("Table of the timeline", false, this.shareTable()), this.details);
  }

  listen() {
    const canvas = this.canvas;
    canvas.addEventListener("wheel", (event) => {
      event.preventDefault();
      if (event.shiftKey || Math.abs(event.deltaX) > Math.abs(event.deltaY)) this.pan((event.deltaX || event.deltaY) / 800);
      else this.zoom(Math.pow(1.0015, event.deltaY), this.timeAt(event.offsetX));
    }, {passive: false});
    const keys = {
      "+": () => this.zoom(0.5), "=": () => this.zoom(0.5), "-": () => this.zoom(2), "ArrowLeft": () => this.pan(-0.15),
      "ArrowRight": () => this.pan(0.15), "Home": () => this.show(0, this.end), "0": () => this.show(0, this.end),
    };
    canvas.addEventListener("keydown", (event) => {
      if (!keys[event.key] || event.ctrlKey || event.metaKey || event.altKey) return;
      event.preventDefault();
      keys[event.key]();
    });
    let grabbed = null;
    canvas.addEventListener("pointerdown", (event) => {
      grabbed = {x: event.offsetX, from: this.from, to: this.to};
      canvas.setPointerCapture(event.pointerId);
    });
    canvas.addEventListener("pointermove", (event) => {
      if (!grabbed) return this.point(event.offsetX, event.offsetY);
      const shift = (grabbed.x - event.offsetX) / this.plot() * (grabbed.to - grabbed.from);
      this.show(grabbed.from + shift, grabbed.to + shift);
    });
    for (const name of ["pointerup", "pointercancel"]) canvas.addEventListener(name, () => { grabbed = null; });
    canvas.addEventListener("pointerleave", () => { this.tip.hidden = true; });
    canvas.addEventListener("dblclick", () => this.show(0, this.end));
  }

  narrow() { return isNarrow(this.place.clientWidth); }
  /** Height of a track with its name above it where there is no room beside it. */
  get row() { return this.narrow() ? 44 : 28; }
  get above() { return this.narrow() ? 16 : 0; }
  left() { return this.narrow() ? 0 : Math.min(190, Math.floor(this.place.clientWidth * 0.28)); }
  plot() { return Math.max(50, this.place.clientWidth - this.left() - 8); }
  timeAt(x) { return this.from + (x - this.left()) / this.plot() * (this.to - this.from); }

  /** Shows a region of the program from its first entry to its last end, or the whole run. */
  showRegion(name) {
    const track = this.tracks.find((one) => one.name === "regions");
    const state = this.timeline.states.indexOf(name);
    let from = null, to = null;
    for (let i = 0; name !== "" && track && i < track.spans.length; i += 3) {
      if (track.spans[i + 2] !== state) continue;
      from ??= track.spans[i];
      to = track.spans[i + 1];
    }
    const margin = from === null ? 0 : (to - from) * 0.02;
    this.show(from === null ? 0 : from - margin, from === null ? this.end : to + margin);
  }

  /** Shows from…to, kept inside the run and at least 100 ps wide. */
  show(from, to) {
    const width = Math.min(this.end, Math.max(Math.min(100, this.end), to - from));
    this.from = Math.max(0, Math.min(from, this.end - width));
    this.to = this.from + width;
    this.draw();
  }
  zoom(factor, around = (this.from + this.to) / 2) {
    this.show(around - (around - this.from) * factor, around + (this.to - around) * factor);
  }
  pan(share) {
    const shift = share * (this.to - this.from);
    this.show(this.from + shift, this.to + shift);
  }

  /** Index of the first span of a track that ends behind `time`. */
  firstSpan(spans, time) {
    let low = 0, high = spans.length / 3;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (spans[3 * middle + 1] > time) high = middle; else low = middle + 1;
    }
    return low;
  }

  draw() {
    const width = this.place.clientWidth;
    if (width === 0) return;
    const height = this.top + this.tracks.length * this.row + 4;
    const ratio = window.devicePixelRatio || 1;
    this.canvas.width = Math.round(width * ratio);
    this.canvas.height = Math.round(height * ratio);
    this.canvas.style.height = height + "px";
    const style = getComputedStyle(document.documentElement);
    const colour = (state) => style.getPropertyValue(colourOf(state).slice(4, -1)).trim();
    const g = this.canvas.getContext("2d");
    g.scale(ratio, ratio);
    g.font = "12.5px " + getComputedStyle(document.body).fontFamily;
    this.drawTicks(g, style, height);
    const colours = this.timeline.states.map(colour);
    this.tracks.forEach((track, i) => {
      const top = this.top + i * this.row;
      this.drawTrack(g, style, track, top + this.above, colours, colour("idle"));
      this.drawName(g, style, track, top);
      this.drawMarks(g, style, track, top + this.above);
    });
    this.range.textContent = `${formatTime(this.from, 6)} to ${formatTime(this.to, 6)} (${formatTime(this.to - this.from)} of ${formatTime(this.end)})`;
    this.canvas.setAttribute("aria-label", `Timeline of ${this.tracks.length} units, showing ${this.range.textContent}. Plus and minus zoom, arrows pan, Home shows all; tables below.`);
    clearTimeout(this.listing);
    this.listing = setTimeout(() => this.listSpans(), 120);
  }

  drawTicks(g, style, height) {
    const x = (time) => this.left() + (time - this.from) / (this.to - this.from) * this.plot();
    g.textAlign = "center";
    for (const tick of niceTicks(this.from, this.to, Math.max(2, Math.floor(this.plot() / 130)))) {
      g.fillStyle = style.getPropertyValue("--grid");
      g.fillRect(Math.round(x(tick)), this.top - 6, 1, height - this.top + 6);
      g.fillStyle = style.getPropertyValue("--muted");
      const digits = Math.min(12, 3 + Math.max(0, Math.ceil(Math.log10(this.to / (this.to - this.from)))));
      const label = formatTime(tick, digits), half = g.measureText(label).width / 2;
      if (x(tick) - half >= this.left() && x(tick) + half <= this.left() + this.plot() + 8) g.fillText(label, x(tick), this.top - 11);
    }
  }

  /** One pixel column at a time where spans are narrow: its stacked shares tell what happened inside it. */
  drawTrack(g, style, track, top, colours, idle) {
    const left = this.left(), plot = this.plot(), height = this.row - this.above - 7;
    g.fillStyle = idle;
    g.fillRect(left, top, plot, height);
    const scale = plot / (this.to - this.from);
    const shares = new Float64Array(colours.length);
    let column = -1;
    const flush = () => {
      if (column < 0) return;
      let at = top + height;
      for (let s = 0; s < shares.length; ++s) {
        if (shares[s] <= 0) continue;
        const size = Math.min(1, shares[s]) * height;
        g.fillStyle = colours[s];
        g.fillRect(left + column, at - size, 1, size);
        at -= size;
        shares[s] = 0;
      }
      column = -1;
    };
    const put = (a, b, state) => {  // a…b inside one pixel column
      const pixel = Math.min(plot - 1, Math.floor(a));
      if (pixel !== column) { flush(); column = pixel; }
      shares[state] += b - a;
    };
    const spans = track.spans;
    for (let i = this.firstSpan(spans, this.from); i < spans.length / 3 && spans[3 * i] < this.to; ++i) {
      const a = Math.max(0, (spans[3 * i] - this.from) * scale), b = Math.min(plot, (spans[3 * i + 1] - this.from) * scale);
      const state = spans[3 * i + 2];
      const first = Math.ceil(a), last = Math.floor(b);
      if (last <= first) {
        if (first < b && first > a) { put(a, first, state); put(first, b, state); } else put(a, b, state);
        continue;
      }
      if (a < first) put(a, first, state);
      flush();
      g.fillStyle = colours[state];
      g.fillRect(left + first, top, last - first, height);
      if (b > last) put(last, b, state);
    }
    flush();
  }

  drawName(g, style, track, top) {
    g.textAlign = this.narrow() ? "left" : "right";
    g.fillStyle = style.getPropertyValue("--ink");
    if (this.narrow()) g.fillText(fitted(g, title(track.name), this.plot()), 0, top + 12);
    else g.fillText(fitted(g, title(track.name), this.left() - 14), this.left() - 8, top + (this.row - 7) / 2 + 4);
  }

  /** Index of the first mark of a track at or after `time`. */
  firstMark(marks, time) {
    let low = 0, high = marks.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (marks[middle][0] >= time) high = middle; else low = middle + 1;
    }
    return low;
  }

  /** A stroke a mark, one a pixel column at most. */
  drawMarks(g, style, track, top) {
    if (track.marks.length === 0) return;
    const scale = this.plot() / (this.to - this.from), height = this.row - this.above - 7;
    g.fillStyle = style.getPropertyValue(track.name === "hazards" ? "--mark" : "--ink");
    let last = -1;
    for (let i = this.firstMark(track.marks, this.from); i < track.marks.length && track.marks[i][0] <= this.to; ++i) {
      const x = Math.min(this.plot() - 1, Math.floor((track.marks[i][0] - this.from) * scale));
      if (x === last) continue;
      last = x;
      g.fillRect(this.left() + x, top + 2, 1.5, height - 4);
    }
  }

  /** What the marks within a few pixels of a time say. */
  marksAt(track, time) {
    const near = 4 / this.plot() * (this.to - this.from), first = this.firstMark(track.marks, time - near);
    const found = [];
    for (let i = first; i < track.marks.length && track.marks[i][0] <= time + near; ++i) found.push(track.marks[i]);
    const lines = found.slice(0, 3).map(([at, text]) => `${formatTime(at, 7)}: ${text.length > 90 ? text.slice(0, 89) + "…" : text}`);
    if (found.length > lines.length) lines.push(`and ${found.length - lines.length} more: zoom in`);
    return lines;
  }

  point(x, y) {
    const track = this.tracks[Math.floor((y - this.top) / this.row)];
    this.tip.hidden = !track || x < this.left();
    if (this.tip.hidden) return;
    const time = this.timeAt(x);
    const marks = this.marksAt(track, time);
    if (track.spans.length === 0 && marks.length === 0) { this.tip.hidden = true; return; }
    const i = this.firstSpan(track.spans, time);
    const inside = i < track.spans.length / 3 && track.spans[3 * i] <= time;
    const state = track.spans.length === 0 ? [] : [inside
      ? `${title(this.timeline.states[track.spans[3 * i + 2]])}: ${formatTime(track.spans[3 * i], 7)} to ${formatTime(track.spans[3 * i + 1], 7)} (${formatTime(track.spans[3 * i + 1] - track.spans[3 * i])})`
      : "idle"];
    this.tip.textContent = [`${title(track.name)} at ${formatTime(time, 7)}`, ...state, ...marks].join("\n");
    const place = Math.min(x + 14, this.place.clientWidth - this.tip.offsetWidth - 4);
    this.tip.style.transform = `translate(${Math.max(0, place)}px, ${y + 18}px)`;
  }

  shareTable() {
    const rows = this.tracks.filter((track) => track.spans.length > 0).flatMap((track) => {
      const sums = new Map();
      let all = 0;
      for (let i = 0; i < track.spans.length; i += 3) {
        const time = track.spans[i + 1] - track.spans[i], state = this.timeline.states[track.spans[i + 2]];
        sums.set(state, (sums.get(state) || 0) + time);
        all += time;
      }
      return [...sums, ["idle", this.end - all]].map(([state, time]) => ({track: track.name, state, time}));
    });
    return table("Time by unit and state over the whole run", [
      {name: "Unit", text: (r) => title(r.track)}, {name: "State", text: (r) => title(r.state)},
      {name: "Time", number: true, text: (r) => formatTime(r.time, 6), key: (r) => r.time},
      {name: "Share", number: true, text: (r) => formatShort(100 * r.time / this.end, "%"), key: (r) => r.time},
    ], rows);
  }

  listSpans() {
    if (!this.details || !this.details.open) return;
    const rows = [];
    let count = 0;
    for (const track of this.tracks) {
      for (let i = this.firstSpan(track.spans, this.from); i < track.spans.length / 3 && track.spans[3 * i] < this.to; ++i)
        if (++count <= 500) rows.push({track: track.name, start: track.spans[3 * i], end: track.spans[3 * i + 1], state: this.timeline.states[track.spans[3 * i + 2]]});
      for (let i = this.firstMark(track.marks, this.from); i < track.marks.length && track.marks[i][0] <= this.to; ++i)
        if (++count <= 500) rows.push({track: track.name, start: track.marks[i][0], end: track.marks[i][0], state: track.marks[i][1], isMark: true});
    }
    this.inView.replaceChildren(table(count > rows.length ? `The first ${rows.length} of ${formatNumber(count)} spans and marks in view` : `${count} spans and marks in view`, [
      {name: "Unit", text: (r) => title(r.track)}, {name: "State", text: (r) => r.isMark ? r.state : title(r.state)},
      {name: "Start", number: true, text: (r) => formatFull(r.start, "ps"), key: (r) => r.start},
      {name: "End", number: true, text: (r) => formatFull(r.end, "ps"), key: (r) => r.end},
      {name: "Length", number: true, text: (r) => formatTime(r.end - r.start, 6), key: (r) => r.end - r.start},
    ], rows));
  }
}

function fitted(g, text, width) {
  if (g.measureText(text).width <= width) return text;
  while (text.length > 1 && g.measureText("…" + text).width > width) text = text.slice(1);
  return "…" + text;
}
