// A whole run at a glance: a line a thread, time goes to the right. Drawn once; only the mark moves.

const LINE = 9;

class Overview {
  constructor(host, run, onPick) {
    this.run = run;
    const passed = run.told.passed;
    this.canvas = element("canvas", { class: "overview-lines" });
    this.mark = element("div", { class: "overview-mark" });
    const field = element("div", { class: "overview-field" }, this.canvas, this.mark);
    host.append(element("div", { class: "overview", "aria-hidden": "true" },
      element("span", { class: `overview-name ${passed ? "good" : "bad"}` }, passed ? "passes" : "fails"), field));
    const pick = (event) => {
      const box = field.getBoundingClientRect();
      const part = Math.min(0.999999, Math.max(0, (event.clientX - box.left) / box.width));
      onPick(run, Math.floor(part * run.length));
    };
    field.addEventListener("pointerdown", (event) => { field.setPointerCapture(event.pointerId); pick(event); });
    field.addEventListener("pointermove", (event) => { if (event.buttons & 1) pick(event); });
    new ResizeObserver(() => this.draw()).observe(field);
    matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => this.draw());
  }

  draw() {
    const { run, canvas } = this;
    const scale = devicePixelRatio || 1;
    const width = canvas.parentElement.clientWidth;
    // Of very many threads each gets a thinner line.
    const line = Math.max(2, Math.min(LINE, 60 / run.threads.length));
    const height = Math.ceil(run.threads.length * line);
    canvas.width = Math.max(1, width * scale);
    canvas.height = height * scale;
    canvas.style.height = `${height}px`;
    const pen = canvas.getContext("2d");
    pen.scale(scale, scale);
    const style = getComputedStyle(document.documentElement);
    const each = width / run.length;
    run.threads.forEach((lane, id) => {
      pen.fillStyle = style.getPropertyValue(`--t${id % COLOURS}`);
      const y = id * line;
      pen.globalAlpha = 0.3;
      for (const holds of lane.holds) {
        for (const { from, to } of holds) pen.fillRect(from * each, y + line * 0.3, Math.max(0.5, (to - from + 1) * each), line * 0.4);
      }
      pen.globalAlpha = 1;
      let drawn = -1;
      for (const row of lane.rows) {
        const x = Math.floor(row * each * scale);
        // More than one event in a point of the screen looks like one.
        if (x === drawn) continue;
        drawn = x;
        pen.fillRect(row * each, y + line * 0.1, Math.max(1 / scale, each - (each > 4 ? 1 : 0)), line * 0.8);
      }
    });
    this.move(this.row ?? 0);
  }

  move(row) {
    this.row = row;
    this.mark.style.left = `${((row + 0.5) / this.run.length) * 100}%`;
  }
}
