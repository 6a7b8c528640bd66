// The board: squares for hands, keys and screen readers, with the program's own pictures of
// what stands on them, and the moves as arrows above.

import { art, element, shape } from "./dom.js";

const RING = 0.62; // the width of the ring around the board, in squares
const key = (column, row) => `${column},${row}`;
const STEPS = { ArrowUp: [0, 1], ArrowDown: [0, -1], ArrowLeft: [-1, 0], ArrowRight: [1, 0] };

export class Board {
  // `acts` has what the page does: move(name), several(names), refuse(from, to), put(cell, thing),
  // shift(from, to), pick(number).
  constructor(stage, acts) {
    this.stage = stage;
    this.acts = acts;
    this.setting = false;
    this.picked = null;
    this.focus = null;
    stage.addEventListener("pointerdown", (event) => this.down(event));
    stage.addEventListener("pointermove", (event) => this.drag(event));
    stage.addEventListener("pointerup", (event) => this.up(event));
    stage.addEventListener("pointercancel", () => this.release());
    stage.addEventListener("keydown", (event) => this.key(event));
  }

  // What the board shows: size, labels, things by square, legal moves, forbidden move.
  show(data) {
    const focused = this.stage.contains(document.activeElement);
    this.data = data;
    this.picked = null;
    const [columns, rows] = data.size;
    if (!this.focus || !this.inside(this.focus)) this.focus = [0, rows - 1];
    const ring = `${RING}fr`;
    this.names = new Map((data.graph?.vertices ?? []).map(([column, row, name]) => [key(column, row), name]));
    if (data.graph && !this.names.has(key(...this.focus))) this.focus = data.graph.vertices[0].slice(0, 2);
    const grid = element("div", { class: "grid", role: "grid", "aria-label": `Board, ${columns} by ${rows}` });
    grid.classList.toggle("checkered", data.shaded.length > 0);
    grid.style.gridTemplateColumns = `${ring} repeat(${columns}, 1fr) ${ring}`;
    this.cells = new Map();
    for (let row = rows; row >= -1; row--) {
      const line = element("div", { class: "grid-row", role: "row" });
      for (let column = -1; column <= columns; column++) line.append(this.cell(column, row));
      grid.append(line);
    }
    this.overlay = shape("svg", {
      class: "overlay", "aria-hidden": "true",
      viewBox: `${-RING} ${-RING} ${columns + 2 * RING} ${rows + 2 * RING}`,
    });
    this.stage.replaceChildren(...this.edges(), grid, this.overlay);
    this.stage.classList.toggle("setting", this.setting);
    this.mark();
    if (focused) this.cells.get(key(...this.focus)).focus({ preventScroll: true });
  }

  // The edges of a graph, under its vertices.
  edges() {
    const { data } = this;
    if (!data.graph) return [];
    const y = (row) => data.size[1] - row - 0.5;
    const lines = data.graph.edges.map(([a, b, c, d]) => shape("line", { x1: a + 0.5, y1: y(b), x2: c + 0.5, y2: y(d) }));
    return [shape("svg", { class: "overlay edges", "aria-hidden": "true", viewBox: this.overlay.getAttribute("viewBox") }, ...lines)];
  }

  cell(column, row) {
    const { data } = this;
    const here = this.inside([column, row]);
    const thing = data.things.get(key(column, row));
    const kind = !here ? "ring" : thing?.absent ? "gap" : "square";
    const dark = here && data.shaded.some(([file, rank]) => file === column && rank === row) ? " shaded" : "";
    const cell = element("div", { class: `cell ${kind}${dark}`, role: "gridcell", tabindex: "-1" });
    cell.dataset.at = key(column, row);
    if (!here) {
      cell.style.aspectRatio = column < 0 || column >= data.size[0] ? (row < 0 || row >= data.size[1] ? "1" : `${RING}`) : `${1 / RING}`;
      const label = row === -1 ? data.files[column] : column === -1 ? data.ranks[row] : "";
      if (label) cell.append(label);
    } else if (thing?.wild) {
      cell.classList.add("wild");
    } else if (thing && !thing.absent) {
      cell.append(...art(thing));
    } else if (this.names.has(key(column, row))) {
      cell.append(this.names.get(key(column, row)));
    }
    cell.classList.toggle("vertex", this.names.has(key(column, row)));
    cell.addEventListener("focus", () => { this.focus = [column, row]; });
    this.cells.set(key(column, row), cell);
    return cell;
  }

  inside([column, row]) {
    return column >= 0 && row >= 0 && column < this.data.size[0] && row < this.data.size[1];
  }

  // The squares of the board itself, without those of hands beside it.
  squares() {
    return [...this.cells.keys()].filter((place) => {
      const point = place.split(",").map(Number);
      return this.inside(point) && (this.data.graph ? this.names.has(place) : this.data.files[point[0]]);
    });
  }

  // The name of a square, as the game's labels say it.
  name([column, row]) {
    if (!this.inside([column, row])) return "off the board";
    if (this.data.graph) return this.names.get(key(column, row)) ?? "between vertices";
    const file = this.data.files[column] ?? "";
    return file ? `${file}${this.data.ranks[row] ?? ""}` : `beside the board, column ${column + 1}, row ${row + 1}`;
  }

  goals() {
    if (this.setting || !this.picked) return [];
    return this.data.moves.filter((move) => key(...move.from) === this.picked);
  }

  // Says which squares can be chosen.
  mark() {
    const starts = new Set(this.setting ? [] : this.data.moves.map((move) => key(...move.from)));
    const goals = new Set(this.goals().map((move) => key(...move.to)));
    for (const [place, cell] of this.cells) {
      const point = place.split(",").map(Number);
      const thing = this.data.things.get(place);
      const gap = thing?.absent && !starts.has(place);
      const what = thing?.wild ? "anything" : thing?.words ?? (this.inside(point) ? "empty" : "");
      const can = goals.has(place) ? ", goal" : starts.has(place) ? ", can move" : "";
      const open = this.inside(point) ? !gap : goals.has(place);
      cell.classList.toggle("can", starts.has(place));
      cell.classList.toggle("goal", goals.has(place));
      cell.classList.toggle("picked", place === this.picked);
      if (open) {
        cell.setAttribute("aria-label", `${this.name(point)} ${what}${can}`);
        cell.setAttribute("aria-selected", String(place === this.picked));
        cell.setAttribute("role", "gridcell");
        cell.removeAttribute("aria-hidden");
        cell.tabIndex = place === key(...this.focus) ? 0 : -1;
      } else {
        cell.removeAttribute("aria-label");
        cell.removeAttribute("aria-selected");
        cell.removeAttribute("tabindex");
        cell.setAttribute("role", "presentation");
        cell.setAttribute("aria-hidden", "true");
      }
    }
    // A row of the ring is one only while it has goals.
    for (const line of this.stage.querySelectorAll(".grid-row")) {
      line.setAttribute("role", line.querySelector("[role=gridcell]") ? "row" : "presentation");
    }
  }

  pick(place) {
    this.picked = place;
    this.mark();
  }

  // What a click, a drop or Enter does on a square.
  touch(place) {
    const point = place.split(",").map(Number);
    if (this.setting) {
      if (this.inside(point)) this.acts.put(point);
      return;
    }
    const starts = this.data.moves.filter((move) => key(...move.from) === place);
    const goals = this.goals().filter((move) => key(...move.to) === place);
    // A move that goes nowhere is made at once, unless its man has others.
    const goal = goals[0] ?? (starts.every((move) => key(...move.to) === place) ? starts[0] : undefined);
    if (goals.length > 1) {
      this.pick(null);
      this.acts.several(goals.map((found) => found.move));
    } else if (goal) {
      this.pick(null);
      this.acts.move(goal.move);
    } else if (place !== this.picked && starts.length) {
      this.pick(place);
    } else {
      if (this.picked && place !== this.picked) this.acts.refuse(this.picked.split(",").map(Number), point);
      this.pick(null);
    }
  }

  under(event) {
    const found = document.elementFromPoint(event.clientX, event.clientY)?.closest(".cell");
    return found && this.stage.contains(found) ? found.dataset.at : null;
  }

  down(event) {
    const place = this.under(event);
    if (event.button !== 0 || !place || !this.data) return;
    const cell = this.cells.get(place);
    if (cell.hasAttribute("tabindex")) {
      event.preventDefault();
      cell.focus({ preventScroll: true });
    }
    this.held = { place, x: event.clientX, y: event.clientY, ghost: null, fresh: place !== this.picked };
    if (!this.setting) {
      this.touch(place);
      // A move was made or refused, so nothing is in hand.
      if (this.picked !== place) this.held = null;
    }
    if (this.held) this.stage.setPointerCapture(event.pointerId);
  }

  drag(event) {
    const held = this.held;
    if (!held) return;
    if (!held.ghost) {
      const thing = this.data.things.get(held.place);
      if (Math.hypot(event.clientX - held.x, event.clientY - held.y) < 8 || !thing || thing.absent || thing.wild) return;
      held.ghost = element("div", { class: "ghost", "aria-hidden": "true" }, art(thing));
      document.body.append(held.ghost);
      this.cells.get(held.place).classList.add("held");
    }
    held.ghost.style.left = `${event.clientX}px`;
    held.ghost.style.top = `${event.clientY}px`;
  }

  up(event) {
    const held = this.held;
    if (!held) return;
    const place = this.under(event);
    const dragged = held.ghost !== null;
    this.release();
    if (!dragged) {
      if (this.setting && place === held.place) this.touch(place);
      return;
    }
    if (place === held.place) return;
    if (!this.setting) {
      if (place) this.touch(place);
    } else {
      const to = place?.split(",").map(Number);
      // Whatever is dragged off the board is taken away.
      this.acts.shift(held.place.split(",").map(Number), to && this.inside(to) ? to : null);
    }
  }

  release() {
    if (!this.held) return;
    this.held.ghost?.remove();
    this.cells.get(this.held.place)?.classList.remove("held");
    this.held = null;
  }

  key(event) {
    if (!this.data || event.ctrlKey || event.metaKey || event.altKey) return;
    const step = STEPS[event.key];
    if (step) {
      let point = [this.focus[0] + step[0], this.focus[1] + step[1]];
      // Squares that are not there are passed over.
      if (this.data.graph) point = this.nearest(step);
      while (this.inside(point) && !this.cells.get(key(...point)).hasAttribute("tabindex")) point = [point[0] + step[0], point[1] + step[1]];
      const cell = this.cells.get(key(...point));
      if (cell?.hasAttribute("tabindex")) {
        this.cells.get(key(...this.focus))?.setAttribute("tabindex", "-1");
        cell.tabIndex = 0;
        cell.focus({ preventScroll: true });
      }
    } else if (event.key === "Enter" || event.key === " ") {
      this.touch(key(...this.focus));
    } else if (event.key === "Escape") {
      this.pick(null);
    } else if (this.setting && (event.key === "Delete" || event.key === "Backspace")) {
      this.acts.put(this.focus, -1);
    } else if (this.setting && /^[1-9]$/.test(event.key)) {
      this.acts.put(this.focus, Number(event.key) - 1);
    } else {
      return;
    }
    event.preventDefault();
  }

  // The vertex of a graph that is nearest in a direction; where the focus is if there is none.
  nearest([dx, dy]) {
    let [least, found] = [Infinity, this.focus];
    for (const [column, row] of this.data.graph.vertices) {
      const [right, up] = [column - this.focus[0], row - this.focus[1]];
      const along = right * dx + up * dy;
      const cost = along + 2 * Math.abs(right * dy + up * dx);
      if (along > 0 && cost < least) [least, found] = [cost, [column, row]];
    }
    return found;
  }

  // Draws arrows for moves: [{from, to, outcome, strong}], and the forbidden move.
  arrows(moves) {
    const { data } = this;
    const along = (index, count) => (index < 0 ? -RING / 2 : index >= count ? count + RING / 2 : index + 0.5);
    const place = ([column, row]) => [along(column, data.size[0]), data.size[1] - along(row, data.size[1])];
    const drawn = moves.map((move) => {
      const group = shape("g", { class: `${move.outcome}${move.strong ? " strong" : ""}` });
      group.append(...arrow(place(move.from), place(move.to), move.strong));
      return group;
    });
    if (data.forbidden) {
      const [a, b] = [place(data.forbidden.from), place(data.forbidden.to)];
      const [x, y] = [(a[0] + b[0]) / 2, (a[1] + b[1]) / 2];
      drawn.push(shape("g", { class: "ban" },
        shape("line", { x1: a[0], y1: a[1], x2: b[0], y2: b[1] }),
        shape("path", { d: `M${x - 0.13} ${y - 0.13}l.26 .26M${x + 0.13} ${y - 0.13}l-.26 .26` })));
    }
    this.overlay.replaceChildren(...drawn);
  }
}

function arrow([x1, y1], [x2, y2], strong) {
  const length = Math.hypot(x2 - x1, y2 - y1);
  const size = strong ? 0.24 : 0.17;
  // Something is put on the board.
  if (length === 0) return [shape("circle", { cx: x1, cy: y1, r: 0.3 })];
  const [dx, dy] = [(x2 - x1) / length, (y2 - y1) / length];
  const [bx, by] = [x2 - dx * size, y2 - dy * size];
  return [
    shape("line", { x1: x1 + dx * 0.12, y1: y1 + dy * 0.12, x2: bx, y2: by }),
    shape("path", { class: "head", d: `M${x2} ${y2}L${bx - dy * size * 0.7} ${by + dx * size * 0.7}L${bx + dy * size * 0.7} ${by - dx * size * 0.7}Z` }),
  ];
}
