// The runs as lanes: a column a thread, time goes down. Only rows that are visible exist.

const ROW = 24;
const HEAD = 50;
const NUMBER = 46;
/** Bars of locks: with a name in them, and where there are many lanes without. */
const BAR = 13, THIN = 6, MANY = 6;
const BETWEEN = 28;
/** A lane from this width on has its words in it; narrower ones have them beside all lanes. */
const ROOMY = 148;
const WORDS = 230;
const OVERSCAN = 6;
/** A letter of the words. */
const LETTER = 7.25;
/** Arrows of a variable that are drawn at once. */
const MOST_ARROWS = 400;

/** Fits a text into so many points: what is left out is in the middle, for a value stands at the end. */
function fitted(text, width) {
  const most = Math.max(8, Math.floor(width / LETTER));
  if (text.length <= most) return text;
  const head = Math.ceil((most - 1) * 0.45);
  return `${text.slice(0, head)}…${text.slice(head + 1 - most)}`;
}

/** One run within the lanes: which row of the sheet shows which event, and where its lanes are. */
class Side {
  constructor(run, rows) {
    this.run = run;
    this.event = rows;
    this.events = [];
    this.rowAt = [];
    rows.forEach((event, row) => { if (event >= 0) { this.events.push(event); this.rowAt.push(row); } });
  }

  /** The row of an event, or of the next one that is shown. */
  rowOf(event) {
    const at = lowerBound(this.events, event);
    return at < this.rowAt.length ? this.rowAt[at] : (this.rowAt.at(-1) ?? 0);
  }

  shows(event) { return this.events[lowerBound(this.events, event)] === event; }

  /** The width that it takes at least. */
  static least(run) {
    const lanes = run.threads.filter(({ rows }) => rows.length);
    const bar = lanes.length > MANY ? THIN : BAR;
    return NUMBER + WORDS + lanes.reduce((sum, lane) => sum + Math.max(30, 26 + lane.slots * (bar + 2)), 0);
  }

  /** Whether the words fit into lanes that share this width. `slots`: of each thread, the bars beside each other. */
  isRoomy(width, threads, slots) {
    const room = (width - NUMBER) / threads.length;
    return threads.every((id) => room - slots[id] * (this.bar + 2) >= ROOMY);
  }

  /** Lays the lanes out from `left` on; gives where they end. */
  place(left, width, threads, slots, roomy) {
    [this.left, this.roomy, this.lanes] = [left, roomy, new Map()];
    let at = left + NUMBER;
    for (const id of threads) {
      const bars = slots[id] * (this.bar + 2);
      const wide = roomy ? (width - NUMBER) / threads.length : Math.max(30, bars + 26);
      this.lanes.set(id, { left: at, width: wide, dot: at + bars + 10 });
      at += wide;
    }
    this.wordsAt = at + 8;
    this.right = roomy ? at : Math.max(left + width, at + WORDS);
    return this.right;
  }
}

class Lanes {
  constructor(host, onPick) {
    this.onPick = onPick;
    this.rows = 0;
    this.sides = [];
    this.scroller = element("div", {
      class: "lanes", tabindex: "0", role: "listbox", "aria-label": "Steps of the run, one after the other",
      "aria-describedby": "keys",
    });
    this.head = element("div", { class: "lanes-head", "aria-hidden": "true" });
    this.body = element("div", { class: "lanes-body", role: "presentation" });
    this.under = shape("svg", { class: "under", "aria-hidden": "true" });
    this.list = element("div", { class: "lanes-rows", role: "presentation" });
    this.dots = shape("g");
    this.arrows = shape("g");
    this.over = shape("svg", { class: "over", "aria-hidden": "true" }, this.arrows, this.dots);
    this.body.append(this.under, this.list, this.over);
    this.scroller.append(this.head, this.body);
    host.append(this.scroller);
    this.scroller.addEventListener("scroll", () => this.soon());
    this.list.addEventListener("click", (event) => this.clicked(event));
    new ResizeObserver(() => { this.layout(); this.draw(true); }).observe(this.scroller);
  }

  /** `sides`: runs with their rows, all of the same length. */
  show(sides, threads, arrowsOf) {
    this.sides = sides;
    this.threads = (run) => threads(run).filter((id) => run.threads[id]);
    this.arrowsOf = arrowsOf;
    this.rows = sides[0].event.length;
    this.made = this.marked = this.selected = null;
    this.scroller.classList.toggle("two", sides.length > 1);
    this.layout();
  }

  layout() {
    if (!this.sides.length) return;
    const width = this.scroller.clientWidth - 2;
    const each = (width - BETWEEN * (this.sides.length - 1)) / this.sides.length;
    // All sides look the same.
    const most = Math.max(...this.sides.map(({ run }) => run.threads.length));
    const slots = Array.from({ length: most }, (_, id) => Math.max(...this.sides.map(({ run }) => run.threads[id]?.slots ?? 0)));
    const lanes = this.sides.map(({ run }) => this.threads(run));
    for (const side of this.sides) side.bar = lanes[0].length > MANY ? THIN : BAR;
    const roomy = this.sides.every((side, at) => side.isRoomy(each, lanes[at], slots));
    let at = 0;
    this.sides.forEach((side, number) => { at = side.place(at, Math.max(each, 150), lanes[number], slots, roomy) + BETWEEN; });
    this.width = Math.max(width, at - BETWEEN);
    this.body.style.height = `${this.rows * ROW + 6}px`;
    for (const part of [this.body, this.head]) part.style.width = `${this.width}px`;
    this.drawHead();
  }

  drawHead() {
    this.head.replaceChildren(...this.sides.flatMap((side) => {
      const titles = [];
      if (this.sides.length > 1) {
        titles.push(element("span", { class: `side-name ${side.run.told.passed ? "good" : "bad"}`,
          style: `left:${side.left}px` }, side.run.told.passed ? "✓ passes" : "✗ fails"));
      }
      for (const [id, lane] of side.lanes) {
        const title = side.roomy ? side.run.threads[id].title : shortThread(id);
        titles.push(element("span", { class: "lane-name", title: side.run.threads[id].title,
          style: `left:${lane.left}px;width:${lane.width - 4}px;color:${colour(id)}` }, title));
      }
      return titles;
    }));
  }

  soon() {
    if (this.waiting) return;
    this.waiting = requestAnimationFrame(() => { this.waiting = 0; this.draw(false); });
  }

  select(side, event) {
    this.selected = { side, event };
    const row = this.sides[side].rowOf(event);
    const top = row * ROW, room = this.scroller.clientHeight - HEAD;
    const seen = this.scroller.scrollTop;
    if (top < seen + 2 * ROW || top > seen + room - 3 * ROW) {
      this.scroller.scrollTop = Math.max(0, top - room / 2);
    }
    const lane = this.sides[side].lanes.get(this.sides[side].run.thread[event]);
    if (lane && (lane.left < this.scroller.scrollLeft || lane.left + 40 > this.scroller.scrollLeft + this.scroller.clientWidth)) {
      this.scroller.scrollLeft = lane.left - NUMBER;
    }
    this.draw(false);
    this.choose();
  }

  /** The rows that are visible, with a few around them. */
  window() {
    const first = Math.floor(this.scroller.scrollTop / ROW) - OVERSCAN;
    const count = Math.ceil(this.scroller.clientHeight / ROW) + 2 * OVERSCAN;
    return [Math.max(0, first), Math.min(this.rows - 1, first + count)];
  }

  /** Rows that stay are kept as they are. */
  draw(anew) {
    if (!this.sides.length) return;
    anew ||= !this.made;
    const [first, last] = this.window();
    if (!anew && first === this.first && last === this.last) return;
    [this.first, this.last] = [first, last];
    const kept = anew ? new Map() : this.made;
    this.made = new Map();
    for (let row = first; row <= last; row++) this.made.set(row, kept.get(row) ?? this.drawRow(row));
    for (const [row, made] of kept) if (!this.made.has(row)) made.remove();
    if (anew) this.list.replaceChildren(...this.made.values());
    else for (const [row, made] of this.made) if (!kept.has(row)) this.list.append(made);
    const top = first * ROW, height = (last - first + 1) * ROW;
    for (const drawing of [this.under, this.over]) {
      drawing.setAttribute("width", this.width);
      drawing.setAttribute("height", height);
      drawing.setAttribute("viewBox", `0 ${top} ${this.width} ${height}`);
      drawing.style.top = `${top}px`;
    }
    this.under.replaceChildren(...this.sides.flatMap((side) => this.drawUnder(side)));
    this.dots.replaceChildren(...this.sides.flatMap((side) => this.drawDots(side)));
    this.choose();
  }

  /** Marks the step that is selected, with its arrows. */
  choose() {
    if (!this.selected) return;
    const { side, event } = this.selected;
    if (this.marked) {
      this.marked.classList.remove("chosen");
      this.marked.setAttribute("aria-selected", "false");
    }
    const run = this.sides[side].run;
    this.marked = this.made.get(this.sides[side].rowOf(event))?.querySelector(`[data-side=${run.name}]`);
    if (this.marked) {
      this.marked.classList.add("chosen");
      this.marked.setAttribute("aria-selected", "true");
      this.scroller.setAttribute("aria-activedescendant", this.marked.id);
    } else this.scroller.removeAttribute("aria-activedescendant");
    this.arrows.replaceChildren(...this.sides.flatMap((side, at) => this.drawArrows(side, at)));
  }

  drawRow(row) {
    const made = element("div", { class: "row", style: `top:${row * ROW}px`, role: "presentation" });
    this.sides.forEach((side) => {
      const event = side.event[row];
      if (event >= 0) made.append(this.drawStep(side, event, row));
      else made.append(element("div", { class: "gap", style: `left:${side.left}px;width:${side.right - side.left}px` }));
    });
    return made;
  }

  drawStep(side, event, row) {
    const run = side.run, thread = run.thread[event], lane = side.lanes.get(thread);
    const isEnd = run.look[event] === LOOK.end;
    const before = row > 0 ? side.event[row - 1] : -1;
    const classes = ["step", isEnd ? (run.told.passed ? "ended good" : "ended bad") : LOOKS[run.look[event]]];
    if (run.differing.has(event)) classes.push("differs");
    if (run.racing.includes(event)) classes.push("races");
    if (before >= 0 && run.thread[before] !== thread) classes.push("switched");
    const place = run.at(event)?.short ?? "";
    const made = element("div", {
      class: classes.join(" "), id: `step-${run.name}-${event}`, role: "option", "aria-selected": "false",
      "data-side": run.name, "data-event": event, "data-step": run.step[event], "data-thread": thread,
      style: `left:${side.left}px;width:${side.right - side.left}px`,
      "aria-label": `${run.stepName(event)}, ${run.threads[thread].title}: ${run.words(event)}${place && `, ${place}`}`,
    }, element("span", { class: "number" }, run.stepName(event)));
    const inLane = side.roomy && !isEnd && lane;
    const left = (inLane ? lane.dot + 14 : isEnd ? side.left + NUMBER : side.wordsAt) - side.left;
    const width = (inLane ? lane.left + lane.width : side.right) - side.left - left - 4;
    const paint = side.roomy || isEnd ? "" : `;color:${colour(thread)}`;
    made.append(element("span", { class: "words", title: `${run.words(event)}${place && `  –  ${place}`}`,
      style: `left:${left}px;width:${Math.max(20, width)}px${paint}` }, fitted(run.words(event), width)));
    return made;
  }

  clicked(event) {
    const step = event.target.closest(".step");
    if (!step) return;
    const side = this.sides.findIndex((side) => side.run.name === step.dataset.side);
    this.onPick(side, Number(step.dataset.event));
  }

  middle(side, event) { return side.rowOf(event) * ROW + ROW / 2; }

  /** The events of a side that its visible rows show. */
  between(side) {
    const from = lowerBound(side.rowAt, this.first), to = lastUpTo(side.rowAt, this.last);
    return from > to ? null : [side.events[from], side.events[to]];
  }

  /** Life lines, and locks held as bars. */
  drawUnder(side) {
    const drawn = [];
    const seen = this.between(side);
    for (const [id, lane] of side.lanes) {
      const rows = side.run.threads[id].rows;
      if (!rows.length) continue;
      const top = Math.max(this.middle(side, rows[0]), this.first * ROW);
      const waits = !side.run.told.passed && this.waits(side.run, id);
      // The row that says how it ended has its words where the lanes are.
      const end = this.middle(side, side.run.last) - ROW / 2;
      const last = waits && rows.at(-1) === side.run.last ? rows.at(-2) ?? rows[0] : rows.at(-1);
      const bottom = Math.min(this.middle(side, last), end, (this.last + 1) * ROW);
      const line = (y1, y2, kind) => { if (y2 > y1) drawn.push(shape("line", { x1: lane.dot, x2: lane.dot, y1, y2, class: kind, stroke: colour(id) })); };
      line(top, bottom, "life");
      // In a deadlock it waits until the end.
      if (waits) line(Math.max(this.middle(side, last), this.first * ROW), Math.min(end, (this.last + 1) * ROW), "waits");
      if (seen) {
        for (const hold of side.run.holdsBetween(id, seen[0], seen[1])) drawn.push(...this.drawHold(side, id, lane, hold));
      }
    }
    return drawn;
  }

  waits(run, thread) { return run.told.waits.some(([waiting]) => waiting === thread); }

  drawHold(side, thread, lane, hold) {
    const name = side.run.objects[hold.object].name;
    const x = lane.left + 4 + hold.slot * (side.bar + 2);
    const y = this.middle(side, hold.from) - 7, end = this.middle(side, hold.to) + (hold.open ? -ROW / 2 : 7);
    const from = Math.max(y, this.first * ROW), to = Math.min(end, (this.last + 1) * ROW);
    const bar = shape("rect", { x, y, width: side.bar, height: Math.max(14, end - y), rx: 3, class: `hold${hold.shared ? " shared" : ""}`,
      stroke: colour(thread), fill: colour(thread), "data-lock": name, "data-thread": thread, "data-from": hold.from, "data-to": hold.to });
    bar.append(shape("title", {}, `${side.run.threads[thread].title} holds ${name}`));
    if (side.bar < BAR || to - from < Math.min(name.length, 26) * 6.2 + 8) return [bar];
    const text = shape("text", { class: "hold-name", transform: `translate(${x + BAR - 3.5} ${(from + to) / 2}) rotate(-90)`,
      "text-anchor": "middle" }, name.length > 26 ? `${name.slice(0, 25)}…` : name);
    return [bar, text];
  }

  drawDots(side) {
    const drawn = [];
    for (let row = this.first; row <= this.last; row++) {
      const event = side.event[row];
      if (event < 0) continue;
      const lane = side.lanes.get(side.run.thread[event]);
      const look = side.run.look[event];
      if (!lane || look === LOOK.end) continue;
      drawn.push(this.drawDot(lane.dot, row * ROW + ROW / 2, look, colour(side.run.thread[event])));
    }
    return drawn;
  }

  /** Reads are hollow, writes filled, updates both; locks are triangles, all else a small dot. */
  drawDot(x, y, look, paint) {
    switch (look) {
      case LOOK.read: return shape("circle", { cx: x, cy: y, r: 4.5, class: "dot hollow", stroke: paint });
      case LOOK.write: return shape("circle", { cx: x, cy: y, r: 5, class: "dot", fill: paint });
      case LOOK.update: return shape("path", { d: `M${x} ${y - 6}l6 6l-6 6l-6 -6z`, class: "dot", fill: paint });
      case LOOK.acquire: return shape("path", { d: `M${x - 5} ${y - 4}h10l-5 9z`, class: "dot", fill: paint });
      case LOOK.release: return shape("path", { d: `M${x - 5} ${y + 4}h10l-5 -9z`, class: "dot hollow", stroke: paint });
      default: return shape("circle", { cx: x, cy: y, r: 3, class: "dot", fill: paint });
    }
  }

  drawArrows(side, at) {
    const drawn = [];
    for (const { from, to, kind, label } of this.arrowsOf(side, at, this.between(side)).slice(0, MOST_ARROWS)) {
      const arrow = this.drawArrow(side, from, to, kind, label);
      if (arrow) drawn.push(arrow);
    }
    return drawn;
  }

  drawArrow(side, from, to, kind, label) {
    const run = side.run, target = side.lanes.get(run.thread[to]);
    const source = from >= 0 ? side.lanes.get(run.thread[from]) : target;
    if (!target || !source || !side.shows(to) || (from >= 0 && !side.shows(from))) return null;
    const y2 = this.middle(side, to), y1 = from >= 0 ? this.middle(side, from) : y2 - 19;
    const top = this.first * ROW, bottom = (this.last + 1) * ROW;
    if (Math.max(y1, y2) < top || Math.min(y1, y2) > bottom) return null;
    const x1 = source.dot, x2 = target.dot;
    const { path, tip } = from < 0 ? this.fromNobody(x2, y2) : x1 === x2 ? this.within(side, x1, y1, y2) : this.across(side, x1, y1, x2, y2);
    const arrow = shape("g", { class: `arrow ${kind}`, "data-from": from, "data-to": to, "data-side": run.name });
    arrow.append(shape("path", { d: path, class: "line" }));
    arrow.append(shape("path", { d: tip, class: "tip" }));
    const writer = from >= 0 ? `${shortThread(run.thread[from])} at step ${run.stepName(from)}` : "the initial value";
    arrow.append(shape("title", {}, `${label ?? ""} ${shortThread(run.thread[to])} at step ${run.stepName(to)} reads from ${writer}`.trim()));
    return arrow;
  }

  /** What was there from the beginning comes from a line above. */
  fromNobody(x, y) {
    return { path: `M${x - 7} ${y - 20}h14M${x} ${y - 20}v9`, tip: `M${x} ${y - 6}l-3.5 -6h7z` };
  }

  within(side, x, y1, y2) {
    const bend = x + Math.min(side.roomy ? 13 : 44, 10 + (y2 - y1) / 10);
    return { path: `M${x + 5} ${y1}C${bend} ${y1} ${bend} ${y2} ${x + 8} ${y2}`, tip: `M${x + 5} ${y2}l6 -3.5v7z` };
  }

  across(side, x1, y1, x2, y2) {
    // Words stand beside the dots there: it goes down first.
    if (side.roomy) {
      const slope = Math.min(60, (y2 - y1) * 0.6);
      return { path: `M${x1} ${y1 + 4}C${x1} ${y1 + slope} ${x2} ${y2 - slope} ${x2} ${y2 - 11}`, tip: `M${x2} ${y2 - 6}l-3.5 -6h7z` };
    }
    const tip = Math.sign(x1 - x2) * 6, middle = (x1 + x2) / 2;
    return { path: `M${x1} ${y1}C${middle} ${y1} ${middle} ${y2} ${x2 + 2 * tip} ${y2}`, tip: `M${x2 + tip} ${y2}l${tip} -3.5v7z` };
  }
}
