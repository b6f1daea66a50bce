// What the page knows: the two runs, prepared so that every question about a moment is a binary search.

const data = JSON.parse(document.getElementById("data").textContent);
const LOOK = { other: 0, read: 1, write: 2, update: 3, acquire: 4, release: 5, end: 6 };
const LOOKS = Object.keys(LOOK);

/** The first place in a sorted list whose number is at least `value`. */
function lowerBound(list, value) {
  let low = 0, high = list.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (list[middle] < value) low = middle + 1; else high = middle;
  }
  return low;
}

/** The last place in a sorted list whose number is at most `value`; -1: there is none. */
const lastUpTo = (list, value) => lowerBound(list, value + 1) - 1;

/** For each number the rows that have it. */
function grouped(column) {
  const groups = new Map();
  column.forEach((number, row) => {
    if (!groups.has(number)) groups.set(number, []);
    groups.get(number).push(row);
  });
  return groups;
}

class Run {
  constructor(name, told, differences) {
    this.name = name;
    this.told = told;
    this.length = told.thread.length;
    this.last = this.length - 1;
    for (const column of ["step", "thread", "text", "place", "object", "look", "from"]) {
      this[column] = Int32Array.from(told[column]);
    }
    this.threads = told.threads.map((title, id) => ({ id, title, rows: [], slots: 0, holds: [] }));
    this.thread.forEach((thread, row) => this.threads[thread]?.rows.push(row));
    this.objects = told.objects.map((object, id) => ({ id, ...object, rows: [] }));
    this.object.forEach((object, row) => { if (object >= 0) this.objects[object].rows.push(row); });
    this.readers = grouped(this.from);
    this.values = told.values.map(({ object, at, text }) => ({ object: this.objects[object], at, text }));
    this.valuesOf = new Map(this.values.map((value) => [value.object.id, value]));
    this.differing = new Set(differences?.rows);
    this.flows = differences?.flows ?? [];
    this.racing = (data.races ?? []).map((site) => this.lastLike(site)).filter((row) => row >= 0).sort((a, b) => a - b);
    this.prepareHolds();
  }

  /** The last access of a thread at a line. */
  lastLike({ thread, line, operation }) {
    const looks = operation === "read" ? [LOOK.read] : operation === "write" ? [LOOK.write] : [LOOK.read, LOOK.write, LOOK.update];
    return this.threads[thread]?.rows.findLast((row) => looks.includes(this.look[row]) && this.at(row)?.line === line) ?? -1;
  }

  /** Each time that a thread holds a lock is a bar; those of one thread that overlap lie in different slots. */
  prepareHolds() {
    for (const [thread, object, from, to, shared] of this.told.holds) {
      const lane = this.threads[thread];
      if (!lane) continue;
      const ends = lane.ends ??= [];
      let slot = ends.findIndex((end) => end < from);
      if (slot < 0) slot = ends.length;
      const hold = { thread, object, from, to: to < 0 ? this.last : to, open: to < 0, shared, slot };
      ends[slot] = hold.to;
      lane.slots = Math.max(lane.slots, slot + 1);
      (lane.holds[slot] ??= []).push(hold);
    }
    for (const lane of this.threads) {
      lane.begins = lane.holds.map((holds) => holds.map((hold) => hold.from));
    }
  }

  /** The bars of a thread that touch the rows from `first` to `last`. */
  holdsBetween(thread, first, last) {
    const lane = this.threads[thread];
    const found = [];
    lane.holds.forEach((holds, slot) => {
      for (let at = Math.max(0, lastUpTo(lane.begins[slot], first)); at < holds.length; at++) {
        if (holds[at].from > last) break;
        if (holds[at].to >= first) found.push(holds[at]);
      }
    });
    return found;
  }

  /** The locks that a thread holds after a row. */
  heldAfter(thread, row) {
    return this.holdsBetween(thread, row, row)
      .filter((hold) => hold.open || hold.to > row)
      .map((hold) => this.objects[hold.object].name + (hold.shared ? " (shared)" : ""));
  }

  words(row) { return this.told.texts[this.text[row]]; }

  at(row) { return this.placeOf(this.place[row]); }

  /** Where a thread is after a row: what it did last, or at the end of a deadlock where it waits. */
  whereIs(thread, row) {
    const wait = row === this.last && this.told.waits.find(([waiting]) => waiting === thread);
    const last = this.lastOf(thread, row);
    return wait ? this.placeOf(wait[2]) : last < 0 ? null : this.at(last);
  }

  placeOf(number) {
    const place = this.told.places[number];
    if (!place) return null;
    const [file, line, name] = place;
    return { file, line, function: name, short: `${data.files[file].name}:${line}` };
  }

  /** `step 12`, or how it ended. */
  stepName(row) { return this.step[row] > 0 ? String(this.step[row]) : this.told.passed ? "✓" : "✗"; }

  /** The value of a variable after a row, and the row since which it has it. */
  valueAt(value, row) {
    const at = lastUpTo(value.at, row);
    return at < 0 ? null : { text: this.told.texts[value.text[at]], since: value.at[at] };
  }

  /** Where a thread was last, up to a row. */
  lastOf(thread, row) {
    const rows = this.threads[thread].rows;
    const at = lastUpTo(rows, row);
    return at < 0 ? -1 : rows[at];
  }
}

const failing = data.failing && new Run("failing", data.failing, data.differences.failing);
const alternate = data.alternate && new Run("alternate", data.alternate, data.differences.alternate);

/** An element with attributes and children; text is text. */
function element(name, attributes = {}, ...children) {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    if (value === true) made.setAttribute(key, "");
    else if (value !== false && value != null) made.setAttribute(key, value);
  }
  made.append(...children);
  return made;
}

/** The same for drawings. */
function shape(name, attributes = {}, ...children) {
  const made = document.createElementNS("http://www.w3.org/2000/svg", name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  made.append(...children);
  return made;
}

/** Colours repeat after eight threads; names never do. */
const COLOURS = 8;
const colour = (thread) => `var(--t${thread % COLOURS})`;
const shortThread = (thread) => `T${thread}`;

/** Where the two runs have an event side by side: the rows of each event. */
function rowsOfEvents(column) {
  const rows = [];
  column.forEach((event, row) => { if (event >= 0) rows[event] = row; });
  return rows;
}

const alignedRows = data.aligned && {
  failing: rowsOfEvents(data.aligned.failing), alternate: rowsOfEvents(data.aligned.alternate),
};
