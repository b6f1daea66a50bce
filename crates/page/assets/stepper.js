// What is shown and where we are in it: the buttons, the keys and the filters.

const KEYS = "Keys: ← → step, n and p stay in the thread, Home and End go to the ends.";

class Stage {
  constructor(host) {
    this.host = host;
    this.hidden = new Set();
    this.variable = "";
    this.mode = "failing";
    this.live = element("p", { class: "unseen", "aria-live": "polite" });
    this.bar = element("div", { class: "bar", role: "toolbar", "aria-label": "Stepping" });
    this.filters = element("div", { class: "filters" });
    this.glance = element("div", { class: "glance" });
    this.field = element("div", { class: "field" });
    this.panels = element("div", { class: "beside" });
    host.append(element("div", { class: "controls" }, this.bar, this.filters), this.glance, element("div", { class: "split" }, this.field, this.panels), this.live);
    this.legend = element("p", { class: "legend" });
    host.append(this.legend);
    this.overviews = [failing, alternate].filter(Boolean).map((run) => new Overview(this.glance, run, (run, row) => this.goto(run, row)));
    this.lanes = new Lanes(this.field, (side, event) => this.select(side, event));
    this.moment = new Moment(this.panels, (run, row) => this.goto(run, row));
    this.values = new Values(this.panels);
    this.source = new Source(this.panels);
    host.hidden = false;
    // Side by side where there is room for it.
    const room = this.field.clientWidth - BETWEEN;
    if (alternate && Side.least(failing) + Side.least(alternate) <= room) this.mode = "both";
    this.makeBar();
    this.makeFilters();
    this.makeLegend();
    this.at = { run: failing, event: this.beginning() };
    this.arrange();
    addEventListener("keydown", (event) => this.pressed(event));
    // Who uses a mouse goes on with the keys in the lanes, not in the button that was clicked last.
    const back = () => setTimeout(() => this.lanes.scroller.focus({ preventScroll: true }));
    for (const part of host.querySelectorAll(".modes, .threads")) part.addEventListener("pointerup", back);
  }

  /** Where to begin: the read that the explanation speaks of, one that makes a difference, a race, or the failure. */
  beginning() {
    const told = ([, to]) => data.cause && shortThread(failing.thread[to]) === `T${data.cause.thread}` && failing.at(to)?.line === data.cause.line;
    return (failing.flows.find(told) ?? failing.flows[0])?.[1] ?? failing.racing.at(-1) ?? failing.last;
  }

  makeBar() {
    const button = (name, sign, key, act) => {
      const made = element("button", { type: "button", "aria-label": name, title: `${name} (${key})`, "data-act": name }, sign);
      made.addEventListener("click", act);
      return made;
    };
    this.place = element("output", { class: "place" });
    this.bar.append(
      button("First step", "⇤", "Home", () => this.ends(false)),
      button("Previous step", "←", "left", () => this.move(-1)),
      button("Next step", "→", "right", () => this.move(1)),
      button("Last step", "⇥", "End", () => this.ends(true)),
      element("span", { class: "apart" }),
      button("Previous step of this thread", "↞ p", "p", () => this.moveInThread(-1)),
      button("Next step of this thread", "n ↠", "n", () => this.moveInThread(1)),
      this.place);
    if (alternate) this.bar.append(this.makeModes());
  }

  makeModes() {
    const modes = element("fieldset", { class: "modes" }, element("legend", { class: "unseen" }, "Runs"));
    for (const [mode, title] of [["failing", "fails"], ["both", "side by side"], ["alternate", "passes"]]) {
      const input = element("input", { type: "radio", name: "mode", value: mode, checked: mode === this.mode });
      input.addEventListener("change", () => this.setMode(mode));
      modes.append(element("label", {}, input, element("span", {}, title)));
    }
    return modes;
  }

  /** What the signs mean. */
  makeLegend() {
    const sign = (look) => shape("svg", { width: 14, height: 14, "aria-hidden": "true" }, this.lanes.drawDot(7, 7, look, "currentColor"));
    const bar = shape("svg", { width: 10, height: 14, "aria-hidden": "true" }, shape("rect", { x: 1, y: 0.5, width: 8, height: 13, rx: 2, class: "hold", fill: "currentColor", stroke: "currentColor" }));
    const signs = [[sign(LOOK.read), "reads"], [sign(LOOK.write), "writes"], [sign(LOOK.update), "both at once"],
      [sign(LOOK.acquire), "locks"], [sign(LOOK.release), "unlocks"], [bar, "holds a lock"]];
    if (failing.racing.length) signs.push([element("b", { class: "unequal" }, "!"), "races"]);
    if (alternate) signs.push([element("b", { class: "unequal" }, "≠"), "differs"]);
    this.legend.append(...signs.map(([sign, words]) => element("span", {}, sign, words)),
      element("span", { class: "hint", id: "keys" }, KEYS));
  }

  setMode(mode) {
    this.mode = mode;
    const wanted = mode === "alternate" ? alternate : mode === "failing" ? failing : this.at.run;
    if (wanted !== this.at.run) this.at = { run: wanted, event: this.counterpart(this.at.run, this.at.event) };
    this.arrange();
  }

  /** The event of the other run that stands in the same row, or near it. */
  counterpart(run, event) {
    const others = data.aligned[run === failing ? "alternate" : "failing"];
    for (let row = alignedRows[run.name][event]; row >= 0; row--) if (others[row] >= 0) return others[row];
    return 0;
  }

  makeFilters() {
    const threads = element("fieldset", { class: "threads" }, element("legend", {}, "threads"));
    const many = failing.threads.length > MANY;
    failing.threads.forEach(({ id, title }) => {
      const input = element("input", { type: "checkbox", value: id, checked: true, "aria-label": title });
      input.addEventListener("change", () => {
        if (input.checked) this.hidden.delete(id); else this.hidden.add(id);
        this.arrange();
      });
      threads.append(element("label", { style: `--own:${colour(id)}`, title }, input, element("span", {}, many ? shortThread(id) : title)));
    });
    const select = element("select", { id: "variable", "aria-label": "Only steps on this variable" }, element("option", { value: "" }, "all variables"));
    for (const [title, variable] of [["variables", true], ["locks and the like", false]]) {
      const names = failing.objects.filter((object) => object.variable === variable && object.rows.length).map((object) => object.name);
      if (!names.length) continue;
      names.sort((a, b) => a.localeCompare(b, "en", { numeric: true }));
      select.append(element("optgroup", { label: title }, ...names.map((name) => element("option", { value: name }, name))));
    }
    select.addEventListener("change", () => { this.variable = select.value; this.arrange(); });
    this.filters.append(threads, element("label", { class: "variable" }, "variable ", select));
  }

  passes(run, event) {
    if (event < 0) return false;
    if (run.look[event] === LOOK.end) return true;
    if (this.hidden.has(run.thread[event])) return false;
    return !this.variable || (run.object[event] >= 0 && run.objects[run.object[event]].name === this.variable);
  }

  /** The sides that are shown, with the rows that the filters leave. */
  sides() {
    if (this.mode !== "both") {
      const run = this.mode === "failing" ? failing : alternate;
      const rows = [];
      for (let event = 0; event < run.length; event++) if (this.passes(run, event)) rows.push(event);
      return [new Side(run, rows)];
    }
    const left = [], right = [];
    data.aligned.failing.forEach((one, row) => {
      const other = data.aligned.alternate[row];
      const [here, there] = [this.passes(failing, one), this.passes(alternate, other)];
      if (!here && !there) return;
      left.push(here ? one : -1);
      right.push(there ? other : -1);
    });
    return [new Side(failing, left), new Side(alternate, right)];
  }

  arrange() {
    const sides = this.sides();
    this.glance.dataset.mode = this.mode;
    const threads = (run) => run.threads.filter(({ id, rows }) => rows.length && !this.hidden.has(id)).map(({ id }) => id);
    this.lanes.show(sides, threads, (side, at, seen) => this.arrows(side, at, seen));
    const side = Math.max(0, sides.findIndex((side) => side.run === this.at.run));
    const near = Math.min(lowerBound(sides[side].events, this.at.event), sides[side].events.length - 1);
    this.select(side, sides[side].events[Math.max(0, near)]);
  }

  /** Differing flows always; those of the step; those of the variable that is filtered by. */
  arrows(side, at, seen) {
    const run = side.run, arrows = [];
    const chosen = this.at.run === run ? this.at.event : -1;
    for (const [from, to, label] of run.flows) arrows.push({ from, to, label, kind: run.told.passed ? "flow good" : "flow bad" });
    const known = new Set(arrows.map(({ from, to }) => `${from} ${to}`));
    const add = (from, to, kind) => { if (from >= 0 && !known.has(`${from} ${to}`)) { known.add(`${from} ${to}`); arrows.push({ from, to, kind }); } };
    if (chosen >= 0) {
      add(run.from[chosen], chosen, "chosen");
      for (const reader of (run.readers.get(chosen) ?? []).slice(0, MOST_ARROWS)) add(chosen, reader, "chosen");
    }
    if (this.variable && seen) {
      const first = lowerBound(side.events, seen[0]);
      for (let place = first; place < side.events.length && side.events[place] <= seen[1]; place++) add(run.from[side.events[place]], side.events[place], "plain");
    }
    return arrows;
  }

  select(side, event) {
    const { run, events } = this.lanes.sides[side];
    this.at = { run, event };
    this.lanes.select(side, event);
    this.moment.show(run, event);
    this.values.show(run, event, this.variable);
    this.source.show(run, event);
    for (const overview of this.overviews) {
      if (overview.run === run) overview.move(event);
      else if (this.mode === "both") overview.move(this.counterpart(run, event));
    }
    const number = lowerBound(events, event) + 1;
    const steps = events.length - 1;
    this.place.textContent = number > steps ? `end of ${steps} steps` : `${number} of ${steps} steps`;
    this.live.textContent = `${run.stepName(event)}, ${run.threads[run.thread[event]].title}: ${run.words(event)} ${run.at(event)?.short ?? ""}`;
  }

  move(by) {
    const side = this.current(), { events } = this.lanes.sides[side];
    const at = lowerBound(events, this.at.event) + by;
    if (at >= 0 && at < events.length) this.select(side, events[at]);
  }

  current() { return Math.max(0, this.lanes.sides.findIndex(({ run }) => run === this.at.run)); }

  ends(last) {
    const side = this.current(), { events } = this.lanes.sides[side];
    this.select(side, last ? events.at(-1) : events[0]);
  }

  moveInThread(by) {
    const side = this.current(), { run, events } = this.lanes.sides[side];
    const thread = run.thread[this.at.event];
    for (let at = lowerBound(events, this.at.event) + by; at >= 0 && at < events.length; at += by) {
      if (run.thread[events[at]] === thread) return this.select(side, events[at]);
    }
  }

  /** A step that a link or the overview names, in whatever view shows it. */
  goto(run, event) {
    if (!this.lanes.sides.some((side) => side.run === run)) {
      this.mode = run.name;
      this.at = { run, event };
      const input = this.bar.querySelector(`input[value=${run.name}]`);
      if (input) input.checked = true;
      return this.arrange();
    }
    const side = this.lanes.sides.findIndex((side) => side.run === run);
    const { events } = this.lanes.sides[side];
    this.select(side, events[Math.min(lowerBound(events, event), events.length - 1)]);
  }

  /** Left and right, n and p wherever the focus is; what would scroll the page only in the lanes. */
  pressed(event) {
    if (event.altKey || event.ctrlKey || event.metaKey) return;
    if (event.target.matches?.("input, select, textarea")) return;
    const inLanes = this.lanes.scroller.contains(event.target);
    const act = {
      ArrowRight: () => this.move(1), ArrowLeft: () => this.move(-1),
      n: () => this.moveInThread(1), p: () => this.moveInThread(-1),
      ...(inLanes && {
        ArrowDown: () => this.move(1), ArrowUp: () => this.move(-1),
        PageDown: () => this.move(20), PageUp: () => this.move(-20),
        Home: () => this.ends(false), End: () => this.ends(true),
      }),
    }[event.key];
    if (!act) return;
    event.preventDefault();
    act();
  }
}

if (failing) {
  document.documentElement.classList.add("drawn");
  new Stage(document.getElementById("stage"));
}
