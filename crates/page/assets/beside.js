// Beside the lanes: the source line of the step, the values of that moment, and what the step has to do with others.

/** Lines of a file that are in the page at once, around the one that is shown. */
const LINES = 150;
/** Variables whose values are shown at once, and how far back those are looked for that were touched last. */
const VALUES = 40, RECENT = 2000;

class Source {
  constructor(host) {
    this.title = element("h3", {}, "Source");
    this.lines = element("div", { class: "source", tabindex: "0", role: "region", "aria-label": "Source" });
    host.append(element("section", { class: "panel source-panel" }, this.title, this.lines));
    this.named = new Map();
    for (const { file, line, why } of data.sites ?? []) this.named.set(`${file}:${line}`, why);
  }

  show(run, row) {
    const at = run.at(row);
    if (!at) {
      this.title.textContent = "Source";
      if (this.current) this.current.classList.remove("here");
      return;
    }
    const file = data.files[at.file];
    this.title.replaceChildren(element("span", { class: "path", title: file.path }, at.short), at.function ? ` in ${at.function}` : "");
    const piece = file.pieces.find(({ from, lines }) => at.line >= from && at.line < from + lines.length);
    if (!piece) {
      this.shown = null;
      this.lines.replaceChildren(element("p", { class: "nothing" }, "The source text is not at hand."));
      return;
    }
    this.fill(at, file, piece);
    this.mark(run, row, at);
  }

  /** Puts the lines around the place into the page, unless they are there. */
  fill(at, file, piece) {
    const shown = this.shown;
    const near = shown && shown.file === at.file && at.line >= shown.from + (shown.from > piece.from ? 20 : 0)
      && at.line <= shown.to - (shown.to < piece.from + piece.lines.length - 1 ? 20 : 0);
    if (near) return;
    const from = Math.max(piece.from, at.line - LINES), to = Math.min(piece.from + piece.lines.length - 1, at.line + LINES);
    const base = file.path.split("/").pop();
    const made = [];
    for (let line = from; line <= to; line++) {
      const why = this.named.get(`${base}:${line}`);
      made.push(element("div", { class: `line${why ? " named" : ""}`, "data-line": line, title: why ? `named by: ${why}` : null },
        element("span", { class: "who" }), element("span", { class: "number" }, String(line)),
        element("code", {}, ...coloured(piece.lines[line - piece.from]))));
    }
    this.lines.replaceChildren(...made);
    this.shown = { file: at.file, from, to };
    this.marked = [];
  }

  /** The line of this step, and beside lines which threads are there. */
  mark(run, row, at) {
    const line = (number) => this.lines.children[number - this.shown.from];
    if (this.current) this.current.classList.remove("here");
    this.current = line(at.line);
    this.current.classList.add("here");
    this.current.style.setProperty("--here", colour(run.thread[row]));
    for (const marked of this.marked) marked.replaceChildren();
    this.marked = [];
    for (const lane of run.threads) {
      const its = run.whereIs(lane.id, row);
      const made = its && its.file === at.file ? line(its.line) : null;
      if (!made) continue;
      const who = made.firstChild;
      if (who.childElementCount < 3) {
        who.append(element("b", { style: `color:${colour(lane.id)}`, title: `${lane.title} was here last` }, shortThread(lane.id)));
      } else if (who.childElementCount === 3) who.append(element("b", {}, "…"));
      this.marked.push(who);
    }
    const room = this.lines.clientHeight, top = this.current.offsetTop;
    if (top < this.lines.scrollTop + 30 || top > this.lines.scrollTop + room - 50) this.lines.scrollTop = top - room / 2;
  }
}

/** Comments, texts and words of the language, with a hint of colour. */
const TOKENS = /(\/\/.*|\/\*.*?(?:\*\/|$))|("(?:[^"\\]|\\.)*"?|'(?:[^'\\]|\\.)*'?)|\b(if|else|for|while|do|switch|case|break|continue|return|goto|static|const|volatile|struct|union|enum|typedef|sizeof|void|int|long|short|char|unsigned|signed|float|double|bool|_Bool|_Atomic|class|public|private|template|typename|auto|new|delete|nullptr|NULL|true|false|fn|let|mut|pub|impl|use|match|loop|unsafe)\b/g;

function coloured(text) {
  const made = [];
  let done = 0;
  for (const match of text.matchAll(TOKENS)) {
    made.push(text.slice(done, match.index));
    const kind = match[1] ? "comment" : match[2] ? "string" : "word";
    made.push(element("span", { class: kind }, match[0]));
    done = match.index + match[0].length;
  }
  made.push(text.slice(done));
  return made;
}

/** What is the same stays untouched: the browser need not lay it out again. */
function put(cell, text) { if (cell.textContent !== text) cell.textContent = text; }

class Values {
  constructor(host) {
    this.body = element("tbody");
    this.note = element("p", { class: "nothing" });
    host.append(element("section", { class: "panel values-panel" },
      element("h3", {}, "Values at this moment"),
      element("div", { class: "wide", tabindex: "0", role: "region", "aria-label": "Values at this moment" },
        element("table", { class: "values" },
          element("thead", {}, element("tr", {}, element("th", { scope: "col" }, "variable"),
            element("th", { scope: "col" }, "value"), element("th", { scope: "col" }, "since"))), this.body), this.note)));
  }

  show(run, row, wanted) {
    const own = run.object[row];
    const list = this.chosen(run, row, wanted);
    if (this.run !== run || this.list?.length !== list.length || list.some((value, at) => value !== this.list[at])) {
      [this.run, this.list] = [run, list];
      this.cells = list.map((value) => ({ value: element("code"), since: element("td", { class: "since" }) }));
      this.body.replaceChildren(...list.map((value, at) => element("tr", { "data-variable": value.object.name },
        element("th", { scope: "row" }, element("code", {}, value.object.name)),
        element("td", { class: "value" }, this.cells[at].value), this.cells[at].since)));
    }
    list.forEach((value, at) => {
      const now = run.valueAt(value, row);
      const cell = this.cells[at], made = this.body.children[at];
      put(cell.value, now ? now.text : "–");
      put(cell.since, !now ? "" : now.since < 0 ? "start" : `${run.stepName(now.since)} ${shortThread(run.thread[now.since])}`);
      made.className = `${value.object.id === own ? "touched" : ""}${now && now.since === row ? " fresh" : ""}`;
    });
    const more = wanted ? 0 : run.values.length - list.length;
    this.note.textContent = more > 0 ? `${more} more: choose one by the filter` : list.length ? "" : "No variable is shared.";
  }

  /** All of them; where they are too many, those that were touched last. */
  chosen(run, row, wanted) {
    if (wanted) return run.values.filter((value) => value.object.name === wanted);
    if (run.values.length <= VALUES) return run.values;
    const found = new Set();
    for (let at = row; at >= 0 && at > row - RECENT && found.size < VALUES / 2; at--) {
      const value = run.valuesOf.get(run.object[at]);
      if (value) found.add(value);
    }
    return [...found];
  }
}

class Moment {
  constructor(host, jump) {
    this.jump = jump;
    this.words = element("p", { class: "moment-words" });
    this.facts = element("ul", { class: "moment-facts" });
    host.append(element("section", { class: "panel moment-panel", "aria-label": "This step" }, this.words, this.facts));
  }

  show(run, row) {
    const thread = run.thread[row], isEnd = run.look[row] === LOOK.end;
    this.words.replaceChildren(
      element("span", { class: "moment-number" }, isEnd ? "end" : `step ${run.step[row]}`),
      element("span", { class: "moment-thread", style: `color:${colour(thread)}` }, run.threads[thread].title),
      element("code", {}, run.words(row)));
    const facts = isEnd ? run.told.outcome.slice(1).map((line) => [line]) : this.factsOf(run, row, thread);
    this.facts.replaceChildren(...facts.map((parts) => element("li", {}, ...parts)));
  }

  factsOf(run, row, thread) {
    const facts = [];
    const reads = [LOOK.read, LOOK.update].includes(run.look[row]);
    if (reads) {
      const from = run.from[row];
      facts.push(from < 0 ? ["reads what was there before anybody wrote"]
        : ["reads what ", this.link(run, from), run.thread[from] === thread ? " wrote itself" : " wrote"]);
    }
    const readers = run.readers.get(row) ?? [];
    if (readers.length) {
      const shown = readers.slice(0, 4).flatMap((reader, at) => [at ? ", " : "", this.link(run, reader)]);
      facts.push(["read by ", ...shown, readers.length > 4 ? ` and ${readers.length - 4} more` : ""]);
    }
    const held = run.heldAfter(thread, row);
    if (held.length) facts.push([`holds ${held.join(", ")}`]);
    if (run.racing.includes(row)) facts.push([element("strong", {}, "races: nothing orders it and the other access")]);
    if (run.differing.has(row)) facts.push([element("strong", {}, run.told.passed ? "differs from the failing run" : "differs from the run that passes")]);
    return facts;
  }

  link(run, row) {
    const made = element("button", { type: "button", class: "link" }, `${shortThread(run.thread[row])} at step ${run.stepName(row)}`);
    made.addEventListener("click", () => this.jump(run, row));
    return made;
  }
}
