// The picture of a board, and a board that can be played on.

const SVG = "http://www.w3.org/2000/svg";
const UNIT = 100;
const x = (point) => (columnOf(point) + 0.5) * UNIT;
const y = (point) => (rows - rowOf(point) - 0.5) * UNIT;

// The room around a board: for goals beyond its edge if there are any, which must be large
// enough for a finger, otherwise for its labels.
const room = () => (ground.beyond ? 84 : 50);

function shape(name, attributes, ...children) {
  const made = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  made.append(...children);
  return made;
}

// A symbol in a square of 100 units around the origin.
function symbol(place) {
  const [, path, degrees, hollow] = book.shapes[place];
  return shape("path", {
    class: hollow ? "symbol hollow" : "symbol", d: path, transform: `rotate(${degrees})scale(.1)translate(-500 -500)`,
  });
}

// What stands beside the board at the beginning, such as pieces in hand, as lines.
function stands(puzzle) {
  return puzzle.stands.map(([head, caption, held]) => {
    const picture = (place) => element("span", { role: "img", "aria-label": book.shapes[place][0] },
      shape("svg", { viewBox: "-50 -50 100 100", "aria-hidden": "true" }, symbol(place)));
    return element("span", { class: "stand" }, ...(head === null ? [] : [picture(head), " "]), caption,
      ...held.flatMap(([place, count]) => [" ", picture(place), count === 1 ? "" : String(count)]));
  });
}

// What stands on a square, drawn around the origin.
function thing(letter) {
  const [kind, , text, initial, paths, count] = book.legend[letter];
  const group = shape("g", { class: "thing" });
  if (kind === "dark" || kind === "light") {
    group.append(shape("rect", { class: `piece ${kind}`, x: -32, y: -32, width: 64, height: 64, rx: 13 }));
  } else if (kind === "man") {
    const man = shape("g", { class: `piece ${text}` });
    if (paths) {
      const [outline, lines] = paths.map((d) => shape("path", { d }));
      lines.classList.add("inside");
      man.append(shape("g", { class: "figure", transform: "scale(.09)translate(-500 -500)" }, outline, lines));
    } else {
      man.append(shape("circle", { r: 36 }), shape("text", { class: "letter", y: 16 }, initial));
    }
    group.append(man);
    if (count > 1) {
      man.setAttribute("transform", "translate(-12 -12)scale(.72)");
      group.append(shape("text", { class: "letter count", x: 36, y: 44 }, count));
    }
  } else if (kind === "hole") {
    group.append(shape("circle", { class: "hole", r: 40 }));
    for (let offset = -32; offset <= 32; offset += 10.6) {
      const half = Math.sqrt(39 * 39 - offset * offset);
      const [a, b] = [(offset - half) * Math.SQRT1_2, (offset + half) * Math.SQRT1_2];
      group.append(shape("line", { class: "hatch", x1: a, y1: (offset + half) * Math.SQRT1_2, x2: b, y2: (offset - half) * Math.SQRT1_2 }));
    }
  } else if (kind === "filled") {
    group.append(shape("rect", { class: "wall", x: -50, y: -50, width: 100, height: 100 }));
  } else if (kind === "blocked") {
    for (let along = 12.5; along < 200; along += 12.5) {
      const [low, high] = [Math.min(along, 100) - 50, Math.max(along - 100, 0) - 50];
      group.append(shape("line", { class: "hatch", x1: high, y1: low, x2: low, y2: high }));
    }
  } else if (kind === "symbol") {
    group.append(shape("g", { transform: "scale(.9)" }, symbol(text)));
  } else if (kind === "text") {
    group.append(shape("text", { class: "letter", y: 16 }, text));
  }
  return group;
}

// Where the focus is at first.
const home = () => (ground.graph ? vertices.keys().next().value : pointOf(0, rows - 1));

const absent = (letter) => letter !== undefined && book.legend[letter][0] === "absent";

function place(piece, point) {
  piece.style.transform = `translate(${x(point)}px, ${y(point)}px)`;
}

// The edges and vertices of a graph. Where something stands, a vertex has no name.
function graph(board) {
  const edges = ground.graph.edges.map(([a, b]) => shape("line", { class: "edge", x1: x(a), y1: y(a), x2: x(b), y2: y(b) }));
  const discs = [...vertices.keys()].map((point) => shape("circle", { class: "square vertex", cx: x(point), cy: y(point), r: 41 }));
  const names = [...vertices].filter(([point]) => !board.has(point))
    .map(([point, name]) => {
      const size = Math.min(36, 110 / name.length);
      return shape("text", { class: "name", "font-size": size, x: x(point), y: y(point) + size / 3 }, name);
    });
  return [...edges, ...discs, ...names];
}

// An empty board with its labels, and the forbidden move if there is one.
function empty(board, margin, ban) {
  const size = [columns * UNIT, rows * UNIT];
  const picture = shape("svg", {
    viewBox: `${-margin} ${-margin} ${size[0] + 2 * margin} ${size[1] + 2 * margin}`, "aria-hidden": "true",
  });
  for (let row = 0; row < rows; row++) {
    for (let column = 0; column < columns; column++) {
      const point = pointOf(column, row);
      if (ground.graph || absent(board.get(point))) continue;
      const kind = ground.shaded.includes(point) ? "square shaded" : "square";
      picture.append(shape("rect", { class: kind, x: x(point) - 50, y: y(point) - 50, width: UNIT, height: UNIT }));
    }
  }
  if (ground.graph) picture.append(...graph(board));
  else if (![...board.values()].some(absent)) {
    picture.append(shape("rect", { class: "frame", x: 0, y: 0, width: size[0], height: size[1] }));
  }
  if (margin >= 36) {
    ground.files.forEach((file, column) => {
      picture.append(shape("text", { class: "label", x: (column + 0.5) * UNIT, y: ground.above ? -13 : size[1] + 27 }, file));
    });
    // Columns without a label on the left, such as a hand, are not part of the board.
    const left = Math.max(0, ground.files.findIndex((file) => file !== "")) * UNIT;
    ground.ranks.forEach((rank, row) => {
      picture.append(shape("text", { class: "label", x: ground.right ? size[0] + 19 : left - 19, y: size[1] - (row + 0.5) * UNIT + 7 }, rank));
    });
  }
  for (const [column, row] of ground.stars) {
    picture.append(shape("circle", { class: "star", cx: column * UNIT, cy: size[1] - row * UNIT, r: 6 }));
  }
  const marks = shape("g", {});
  if (ban) {
    const [from, to] = [ban[1], ban[2]];
    const [mx, my] = [(x(from) + x(to)) / 2, (y(from) + y(to)) / 2];
    const turn = Math.atan2(y(to) - y(from), x(to) - x(from)) * 180 / Math.PI;
    marks.append(shape("g", { class: "bans", transform: `translate(${mx} ${my})rotate(${turn})` },
      ...["halo", "ban"].map((kind) => shape("path", { class: kind, d: "M-40 0H-18M18 0H34M24 -12L38 0L24 12" })),
      shape("circle", { class: "disc", r: 23 }),
      shape("circle", { class: "ban", r: 16 }),
      shape("path", { class: "ban", d: "M-11 -11L11 11" })));
  }
  return { picture, marks };
}

// A still picture, for the gallery.
function still_picture(puzzle) {
  setBoard(puzzle);
  const board = boardOf(puzzle.nodes[0][0]);
  const { picture, marks } = empty(board, 8, null);
  for (const [point, letter] of board) {
    const piece = thing(letter);
    piece.setAttribute("transform", `translate(${x(point)} ${y(point)})`);
    picture.append(piece);
  }
  picture.append(marks);
  return picture;
}

// A board to play on. `choose(moves)` is called with the places of the legal moves between two squares.
class Board {
  constructor(stage, choose, refuse) {
    this.stage = stage;
    this.choose = choose;
    this.refuse = refuse;
    this.moves = [];
    this.picked = null;
    stage.addEventListener("pointerdown", (event) => this.down(event));
    stage.addEventListener("pointermove", (event) => this.drag(event));
    stage.addEventListener("pointerup", (event) => this.up(event));
    stage.addEventListener("pointercancel", () => this.release());
    stage.addEventListener("keydown", (event) => this.key(event));
  }

  // Shows a position at once.
  show(board, ban, trail) {
    const { picture, marks } = empty(board, room(), ban);
    this.board = board;
    this.things = new Map();
    picture.classList.add("still");
    for (const [point, letter] of board) {
      const piece = thing(letter);
      place(piece, point);
      picture.append(piece);
      this.things.set(point, piece);
    }
    if (trail) {
      for (const point of [trail.from, trail.to].filter(inside)) {
        const box = { x: x(point) - 46, y: y(point) - 46, width: 92, height: 92, rx: 6 };
        marks.append(shape("rect", { class: "last under", ...box }), shape("rect", { class: "last", ...box }));
      }
    }
    picture.append(marks);
    this.picture = picture;
    const focused = this.stage.contains(document.activeElement);
    this.build();
    this.wait([]);
    if (focused) this.cells.get(this.focus).focus({ preventScroll: true });
  }

  // The squares for hands and screen readers, with a ring for goals off the board.
  build() {
    const grid = element("div", { class: "cells", role: "grid", "aria-label": "Board" });
    this.cells = new Map();
    const span = [columns * UNIT + 2 * room(), rows * UNIT + 2 * room()];
    this.lines = [];
    for (let row = rows; row >= -1; row--) {
      const line = element("div", { class: "row", role: "row" });
      for (let column = -1; column <= columns; column++) {
        const point = pointOf(column, row);
        const cell = element("div", { class: inside(point) ? "cell" : "cell ring", role: "gridcell", tabindex: "-1", "data-point": point });
        // Beyond the edge there is no more than the margin.
        const [left, right] = [column, column + 1].map((at) => Math.min(Math.max(at * UNIT + room(), 0), span[0]));
        const [top, bottom] = [rows - 1 - row, rows - row].map((at) => Math.min(Math.max(at * UNIT + room(), 0), span[1]));
        cell.style.left = `${(100 * left) / span[0]}%`;
        cell.style.top = `${(100 * top) / span[1]}%`;
        cell.style.width = `${(100 * (right - left)) / span[0]}%`;
        cell.style.height = `${(100 * (bottom - top)) / span[1]}%`;
        cell.addEventListener("focus", () => { this.focus = point; });
        this.cells.set(point, cell);
        line.append(cell);
      }
      this.lines.push(line);
      grid.append(line);
    }
    this.stage.replaceChildren(this.picture, grid);
  }

  // Lets the reader choose among moves; none: the board is at rest.
  wait(moves) {
    this.moves = moves;
    this.pick(null);
  }

  goals() {
    return this.moves.map((move, index) => ({ ...move, index })).filter((move) => move.from === this.picked);
  }

  pick(point) {
    const focused = this.stage.contains(document.activeElement);
    this.picked = point;
    const starts = new Set(this.moves.map((move) => move.from));
    const goals = new Set(this.goals().map((move) => move.to));
    // Gaps between a board and hands beside it are no squares.
    const usable = (here) => goals.has(here) || starts.has(here) || (inside(here) && !absent(this.board.get(here)));
    const there = ground.graph ? (here) => vertices.has(here) : usable;
    if (!there(this.focus)) this.focus = [home(), ...this.cells.keys()].find(there);
    for (const [here, cell] of this.cells) {
      const letter = this.board.get(here);
      const what = letter ? book.legend[letter][1] : inside(here) ? "empty" : "";
      // Where there are several in hand, their words say so.
      const hand = isHand(here) && !what.includes(", ") ? ", in hand" : "";
      const can = goals.has(here) ? ", goal" : starts.has(here) ? ", can move" : "";
      cell.classList.toggle("can", starts.has(here));
      cell.classList.toggle("goal", goals.has(here));
      cell.classList.toggle("picked", here === point);
      cell.hidden = !there(here);
      cell.setAttribute("aria-selected", String(here === point));
      cell.setAttribute("aria-label", `${translated(nameOf(here))} ${translated(what)}${translated(hand)}${translated(can)}`);
      cell.tabIndex = here === this.focus ? 0 : -1;
    }
    // A row without squares is no row, and focus on a goal that is gone would be lost.
    for (const line of this.lines) line.hidden = [...line.children].every((cell) => cell.hidden);
    if (focused) this.cells.get(this.focus).focus({ preventScroll: true });
  }

  // What a tap, a drop or Enter does at a point.
  touch(point) {
    // A move that goes nowhere is made by pointing at its square: twice, if its man has others.
    const here = this.moves.findIndex((move) => move.from === point && move.to === point);
    const others = this.moves.some((move) => move.from === point && move.to !== point);
    if (here >= 0 && (!others || point === this.picked)) {
      this.pick(null);
      this.choose([here]);
      return;
    }
    const goals = this.goals().filter((move) => move.to === point);
    if (goals.length) {
      this.pick(null);
      this.choose(goals.map((move) => move.index));
    } else if (point !== this.picked && this.moves.some((move) => move.from === point)) {
      this.pick(point);
    } else {
      if (this.picked !== null && point !== this.picked) this.refuse(this.picked, point);
      this.pick(null);
    }
  }

  pointAt(event) {
    const box = this.stage.getBoundingClientRect();
    const span = columns * UNIT + 2 * room();
    const [left, top] = [event.clientX - box.left, event.clientY - box.top].map((v) => (v * span) / box.width - room());
    return { left, top, point: pointOf(Math.floor(left / UNIT), rows - 1 - Math.floor(top / UNIT)) };
  }

  down(event) {
    if (event.button !== 0 || !this.moves.length) return;
    event.preventDefault();
    const { point, left, top } = this.pointAt(event);
    if (!this.cells.has(point)) return this.pick(null);
    if (inside(point)) {
      this.focus = point;
      this.cells.get(point).focus({ preventScroll: true });
    }
    const fresh = point !== this.picked;
    this.touch(point);
    if (this.picked === point) {
      this.held = { point, left, top, fresh, moved: false };
      this.stage.setPointerCapture(event.pointerId);
    }
  }

  drag(event) {
    const held = this.held;
    if (!held) return;
    const { left, top } = this.pointAt(event);
    if (!held.moved && Math.hypot(left - held.left, top - held.top) < 14) return;
    held.moved = true;
    const piece = this.things.get(held.point);
    piece.classList.add("held");
    this.picture.append(piece);
    piece.style.transform = `translate(${left}px, ${top}px)`;
  }

  up(event) {
    const held = this.held;
    if (!held) return;
    this.release();
    if (held.moved) {
      const { point } = this.pointAt(event);
      if (point !== held.point) this.touch(point);
    }
  }

  // Puts a dragged piece back; a move that follows takes it from there.
  release() {
    if (!this.held) return;
    const piece = this.things.get(this.held.point);
    if (piece) {
      piece.classList.remove("held");
      place(piece, this.held.point);
    }
    this.held = null;
  }

  key(event) {
    const step = { ArrowUp: wide, ArrowDown: -wide, ArrowLeft: -1, ArrowRight: 1 }[event.key];
    // At rest the arrow keys are for the solution.
    if (step && !this.moves.length && event.key !== "ArrowUp" && event.key !== "ArrowDown") return;
    if (step) {
      let to = ground.graph ? this.nearest(step) : this.focus + step;
      while (inside(to) && this.cells.get(to).hidden) to += step;
      const cell = this.cells.get(to);
      const near = ground.graph || columnOf(to) === columnOf(this.focus) || rowOf(to) === rowOf(this.focus);
      if (cell && near && !cell.hidden) {
        this.cells.get(this.focus).tabIndex = -1;
        cell.tabIndex = 0;
        cell.focus({ preventScroll: true });
      }
    } else if (event.key === "Enter" || event.key === " ") {
      this.touch(this.focus);
    } else if (event.key === "Escape") {
      this.pick(null);
    } else {
      return;
    }
    event.preventDefault();
  }

  // The vertex of a graph that is nearest in the direction of a step.
  nearest(step) {
    const way = { [wide]: [0, 1], [-wide]: [0, -1], "-1": [-1, 0], 1: [1, 0] }[step];
    let found = [Infinity];
    for (const point of vertices.keys()) {
      const [right, up] = [columnOf(point) - columnOf(this.focus), rowOf(point) - rowOf(this.focus)];
      const along = right * way[0] + up * way[1];
      const cost = along + 2 * Math.abs(right * way[1] + up * way[0]);
      if (along > 0 && cost < found[0]) found = [cost, point];
    }
    return found[1];
  }

  // Plays a move on the board; resolves when it has come to rest, or would have done.
  async animate(move) {
    this.wait([]);
    const { picture } = this;
    const next = after(this.board, move);
    if (!still()) {
      this.picture.classList.remove("still");
      this.picture.getBoundingClientRect(); // lets the transition begin where things are
      move.slides.forEach(([from, to], index) => {
        const piece = this.things.get(from);
        if (!piece) return;
        place(piece, to);
        if (index === move.lost) piece.classList.add("gone");
      });
      await new Promise((done) => setTimeout(done, 300));
    }
    // What was shown in the meantime stays.
    if (this.picture === picture) this.show(next, null, move);
  }
}
