// The gallery, its filters, and the way between gallery and puzzles.

const title = book.title;
at("title").textContent = title;
at("kicker").textContent = book.author;
at("subtitle").textContent = book.subtitle;
say(at("colophon"), `${book.game}, solved with tesuji.${book.puzzles.every(({ unit }) => unit === "Moves") ? "" : " Plies count single moves, the last one included."}`);
say(at("notes"), ...book.notes.map((note) => element("li", {}, note)));
book.puzzles.forEach((puzzle, index) => { puzzle.number = index + 1; });

const cards = book.puzzles.map((puzzle) => {
  const mark = element("span", { class: "tick" });
  const link = element("a", { class: "card", href: `#${encodeURIComponent(puzzle.id)}` },
    still_picture(puzzle),
    ...(puzzle.stands.length ? [element("p", { class: "stands" }, ...stands(puzzle))] : []),
    // Above the boards, titles of different heights would shift them within a row.
    credit(element("p", { class: "by" }), puzzle),
    element("p", {}, element("b", {}, String(puzzle.number)), ...mover(puzzle), element("span", { class: "task" }, puzzle.task), " ", mark),
    element("p", { class: "grade" }, ...stars(puzzle.grade)),
    element("small", { class: "told", hidden: "" }, puzzle.themes.join(" · ")));
  return { puzzle, mark, link, item: element("li", {}, link) };
});

// On a small screen the choices would fill the first page.
if (matchMedia("(max-width: 46rem)").matches) at("choose").open = false;

function options(select, all, values) {
  say(select, element("option", { value: "" }, all), ...values.map(([value, text]) => element("option", { value }, text)));
}

function count(list) {
  const counts = new Map();
  for (const value of list) counts.set(value, (counts.get(value) || 0) + 1);
  return counts;
}

at("chapters").hidden = !book.chapters.length;
options(at("chapter"), "all chapters", book.chapters.map(([name], index) => [String(index), name]));
const themes = count(book.puzzles.flatMap((puzzle) => puzzle.themes));
options(at("theme"), "all themes", [...themes].sort(([a], [b]) => (a < b ? -1 : 1))
  .map(([name, many]) => [name, `${name} (${many})`]));
// Moves, plies and plies to mate, each from short to long.
const byLength = [...book.puzzles].sort((a, b) => a.unit.localeCompare(b.unit) || a.length - b.length);
options(at("length"), "any length", [...count(byLength.map(lengthOf))].map(([length, many]) => [length, `${length} (${many})`]));

const grades = count(book.puzzles.map((puzzle) => puzzle.grade[0]));
options(at("grade"), "any", [...grades].sort(([a], [b]) => a - b)
  .map(([many, puzzles]) => [String(many), `${"★".repeat(many)} ${book.puzzles.find((puzzle) => puzzle.grade[0] === many).grade[1]} (${puzzles})`]));

// By stars first: bits tell apart what has as many.
const harder = (a, b) => a.grade[0] - b.grade[0] || a.difficulty - b.difficulty;
const orders = {
  "": (a, b) => a.number - b.number,
  easy: (a, b) => harder(a, b) || a.number - b.number,
  hard: (a, b) => harder(b, a) || a.number - b.number,
  short: (a, b) => a.length - b.length || a.number - b.number,
};

function chosen() {
  const [chapter, theme, length, grade, state] = ["chapter", "theme", "length", "grade", "state"].map((id) => at(id).value);
  return cards.filter(({ puzzle }) => (!chapter || String(chapterOf(puzzle)) === chapter) && (!theme || puzzle.themes.includes(theme))
    && (!length || lengthOf(puzzle) === length)
    && (!grade || String(puzzle.grade[0]) === grade)
    && (!state || solved(puzzle) === (state === "done")))
    .sort((a, b) => orders[at("order").value](a.puzzle, b.puzzle));
}

function browse() {
  const list = chosen();
  for (const { puzzle, mark, link } of cards) {
    // Themes tell of the solution.
    link.querySelector(".told").hidden = !solved(puzzle);
    say(mark, ...(solved(puzzle) ? [element("span", { role: "img", "aria-label": how[progress[puzzle.id]] },
      ["", "✓", "(✓)", "✓?"][progress[puzzle.id]])] : []));
  }
  say(at("cards"), ...list.map(({ item }) => item));
  const done = book.puzzles.filter(solved).length;
  say(at("count"), `${list.length} of ${book.puzzles.length} shown, ${done} solved`);
}

// What the address asks for: a puzzle, or the gallery.
function route() {
  recall();
  const [name, ...flags] = location.hash.slice(1).split("&");
  let id = "";
  try {
    id = decodeURIComponent(name);
  } catch { /* no puzzle has such a name */ }
  // Another puzzle every day, the same for all readers.
  const today = book.puzzles[Math.floor(Date.now() / 864e5) % book.puzzles.length];
  const puzzle = id === "today" ? today : book.puzzles.find((one) => one.id === id);
  at("gallery").hidden = Boolean(puzzle);
  at("puzzle").hidden = !puzzle;
  document.body.classList.toggle("playing", Boolean(puzzle));
  // Inside another page there is one puzzle alone.
  document.body.classList.toggle("embedded", Boolean(puzzle) && flags.includes("embed"));
  document.title = puzzle ? `${puzzle.number}. ${puzzle.task} · ${title}` : title;
  if (!puzzle) {
    if (game) game.turn++;
    browse();
    const last = game && cards[game.puzzle.number - 1].item;
    if (last && last.isConnected) last.firstChild.focus();
    return;
  }
  const shown = chosen().map((card) => card.puzzle);
  const list = shown.includes(puzzle) ? shown : book.puzzles;
  const place = list.indexOf(puzzle);
  neighbour("previous", list[place - 1]);
  neighbour("next", list[place + 1]);
  open(puzzle);
  scrollTo(0, 0);
  at("main").focus({ preventScroll: true });
}

function neighbour(id, puzzle) {
  if (puzzle) {
    at(id).href = `#${encodeURIComponent(puzzle.id)}`;
    at(id).removeAttribute("aria-disabled");
  } else {
    at(id).removeAttribute("href");
    at(id).setAttribute("aria-disabled", "true");
  }
}

// What is chosen is kept, for each book. Many have the same title.
const CHOICES = ["chapter", "theme", "length", "grade", "state", "order"];
const PLACE = `tesuji.choices.${location.pathname}.${book.puzzles.length}`;
try {
  const kept = JSON.parse(localStorage.getItem(PLACE) || "{}");
  for (const id of CHOICES) {
    if ([...at(id).options].some((option) => option.value === kept[id])) at(id).value = kept[id];
  }
} catch { /* nothing was kept */ }

at("filters").addEventListener("change", () => {
  try {
    localStorage.setItem(PLACE, JSON.stringify(Object.fromEntries(CHOICES.map((id) => [id, at(id).value]))));
  } catch { /* kept for this visit only */ }
  browse();
});
at("filters").addEventListener("submit", (event) => event.preventDefault());
at("forget").addEventListener("click", () => {
  if (!confirm(translated("Forget which problems you have solved?"))) return;
  recall();
  // Other books share the place.
  for (const { id } of book.puzzles) delete progress[id];
  store();
  route();
});
// The address names the puzzle, so the link must not change it.
document.querySelector(".skip").addEventListener("click", (event) => {
  event.preventDefault();
  at("main").focus();
});
// A page around a frame may give it the height of what it shows.
new ResizeObserver(() => {
  if (parent !== window) parent.postMessage({ height: Math.ceil(document.body.getBoundingClientRect().height) }, "*");
}).observe(document.body);
addEventListener("hashchange", route);
route();
