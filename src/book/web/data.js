// The book, and what the reader has done with it. Everything that is shown goes
// through text nodes, never through markup.

const book = JSON.parse(document.getElementById("book").textContent);
// The board of the puzzle that is drawn or played: one of those of the book.
let ground, columns, rows, vertices;
let wide; // points are numbered with a ring around the board
function setBoard(puzzle) {
  ground = book.boards[puzzle.board];
  [columns, rows] = ground.size;
  wide = columns + 2;
  // The vertices of a graph, which are drawn instead of squares, with their names.
  vertices = new Map(Object.entries(ground.graph?.names ?? {}).map(([point, name]) => [Number(point), name]));
}
const at = (id) => document.getElementById(id);
const still = () => matchMedia("(prefers-reduced-motion: reduce)").matches;

// What the template of the book says in place of a text, as in the program: patterns have names in
// braces, of which n, m and k are numbers and move is a move.
const patterns = book.words.map(([key, said]) => {
  const names = [];
  const source = key.split(/\{(\w+)\}/).map((part, index) => {
    if (index % 2 === 0) return part.replace(/[\\^$.*+?()[\]|/]/g, "\\$&");
    names.push(part);
    // A short pattern would fit across sentences.
    if (["square", "spec"].includes(part)) return "(\\S+)";
    const most = { side: 3, move: 3, piece: 4 }[part];
    if (most) return `((?:(?!\\. )\\S)+(?: (?:(?!\\. )\\S)+){0,${most - 1}}?)`;
    return /^[nmk]$/.test(part) ? "(\\d+)" : "((?:(?!\\. ).)+?)";
  });
  return [new RegExp(`^${source.join("")}$`, "su"), names, said];
});

// What stands between the parts of a list.
const comma = book.words.find(([key]) => key === ",")?.[1] ?? ", ";

function translated(text) {
  if (!patterns.length || typeof text !== "string") return text;
  return known(text) ?? text;
}

// The same, or nothing if the template has nothing for the text or one of its parts.
function known(text) {
  const [, before, words, after] = text.match(/^(\s*)(.*?)(\s*)$/su);
  for (const [pattern, names, said] of patterns) {
    const found = words.match(pattern);
    if (!found) continue;
    const part = (_, name) => {
      const capture = found[names.indexOf(name) + 1];
      return name === "move" || name === "other" ? capture : translated(capture);
    };
    return before + said.replace(/\{(\w+)\}/g, part) + after;
  }
  const ways = [[/(?<=[.!?]) /, " "], [/, /, comma]];
  const [between, sign] = ways.find(([one]) => one.test(words)) ?? [];
  if (!between) return null;
  const parts = words.split(between).map(known);
  return parts.includes(null) ? null : before + parts.join(sign) + after;
}

function element(name, attributes = {}, ...children) {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    made.setAttribute(key, key === "aria-label" ? translated(value) : value);
  }
  made.append(...children.map(translated));
  return made;
}

function say(place, ...children) {
  place.replaceChildren(...children.map(translated));
}

// The texts of the document itself.
const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT,
  (node) => (node.parentElement.closest("script, h1, #rules dl") ? NodeFilter.FILTER_REJECT : NodeFilter.FILTER_ACCEPT));
while (patterns.length && walker.nextNode()) walker.currentNode.data = translated(walker.currentNode.data);
for (const named of patterns.length ? document.querySelectorAll("[aria-label]") : []) {
  named.setAttribute("aria-label", translated(named.getAttribute("aria-label")));
}

// Title, author and source of a puzzle.
function credit(place, puzzle) {
  const title = element("em", {});
  title.textContent = puzzle.title;
  say(place, ...(puzzle.title ? [title] : []), puzzle.title && puzzle.by ? " \u00b7 " : "", document.createTextNode(puzzle.by));
  place.hidden = !puzzle.title && !puzzle.by;
  return place;
}

// The chapter of a puzzle: the last that begins before it.
const chapterOf = (puzzle) => book.chapters.findLastIndex(([, first]) => first < puzzle.number);

// The side to move as a disc; the task names it.
const mover = (puzzle) => (puzzle.tone ? [element("span", { class: `mover ${puzzle.tone}`, "aria-hidden": "true" })] : []);

// How far one must look ahead: stars, and words for whoever hears the page.
const stars = ([many, words]) => [element("span", { "aria-hidden": "true" }, "★".repeat(many)), ` ${words}`];

const strong = (text) => element("strong", {}, text);
// How long a win takes in a puzzle: in plies, or in moves of the winner where every win is a mate.
function duration(plies, puzzle = game.puzzle, more = "") {
  const [count, one, many] = puzzle.unit === "Moves" ? [Math.ceil(plies / 2), "move", "moves"] : [plies, "ply", "plies"];
  return translated(`${count} ${count === 1 ? one : many}${more}`);
}

// The length of a puzzle in words.
const lengthOf = (puzzle) => (puzzle.length
  ? duration(puzzle.length, puzzle, puzzle.unit === "PliesToMate" ? " to mate" : "") : translated("draws"));

// A move: its name, where it begins and aims, what slides where, what is lost, what
// comes onto the board.
function act(number) {
  const [name, from, to, slides, lost, appears = []] = book.acts[number];
  const pairs = [];
  for (let i = 0; i < slides.length; i += 2) pairs.push([slides[i], slides[i + 1]]);
  const fresh = [];
  for (let i = 0; i < appears.length; i += 2) fresh.push([appears[i], appears[i + 1]]);
  return { name, from, to, slides: pairs, lost, fresh };
}

// A board as a map from points to letters of the legend.
function boardOf(text) {
  const board = new Map();
  for (let cell = 0; cell < text.length; cell++) {
    if (text[cell] !== ".") board.set(pointOf(cell % columns, Math.floor(cell / columns)), text[cell]);
  }
  return board;
}

const pointOf = (column, row) => (row + 1) * wide + column + 1;
const columnOf = (point) => (point % wide) - 1;
const rowOf = (point) => Math.floor(point / wide) - 1;
const inside = (point) => columnOf(point) >= 0 && columnOf(point) < columns && rowOf(point) >= 0 && rowOf(point) < rows;

// Columns without a label are hands beside the board.
const isHand = (point) => !ground.graph && inside(point) && !ground.files[columnOf(point)];

function nameOf(point) {
  if (ground.graph && inside(point)) return vertices.get(point) ?? "between vertices";
  return inside(point) ? ground.files[columnOf(point)] + ground.ranks[rowOf(point)] : "off the board";
}

function after(board, move) {
  const next = new Map(board);
  for (const [from] of move.slides) next.delete(from);
  move.slides.forEach(([from, to], index) => {
    if (index !== move.lost) next.set(to, board.get(from));
  });
  for (const [point, letter] of move.fresh) next.set(point, letter);
  return next;
}

// Progress: 1 solved at the first try, 2 with help, 3 after a mistake; -2 and -3 the same,
// not yet solved: the first answer counts. Reading may be forbidden; then it lasts as long as
// the page.
const KEY = "tesuji.progress";
let progress = {};
let lasting = true; // until nothing can be stored

// Other pages may have stored something in the meantime.
function recall() {
  if (!lasting) return;
  try {
    const stored = JSON.parse(localStorage.getItem(KEY) || "{}");
    if (stored && typeof stored === "object") progress = stored;
  } catch { /* kept for this visit only */ }
}

function remember(id, state) {
  recall();
  if (state === 1) progress[id] = Math.abs(progress[id] || 1);
  else if (!progress[id]) progress[id] = -state;
  store();
}

function store() {
  try {
    localStorage.setItem(KEY, JSON.stringify(progress));
  } catch {
    lasting = false;
  }
}

const solved = (puzzle) => Object.hasOwn(progress, puzzle.id) && progress[puzzle.id] > 0;
const how = ["", "solved at the first try", "solved with help", "solved after a mistake"];
