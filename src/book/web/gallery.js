// The gallery, its filters, and the way between gallery and puzzles.

const title = book.title;
at("title").textContent = title;
at("kicker").textContent = book.author;
at("subtitle").textContent = book.subtitle;
at("colophon").textContent = `${book.puzzles.length} problems of ${book.game}, solved completely with tesuji. Plies count single moves, the last one included.`;
book.puzzles.forEach((puzzle, index) => { puzzle.number = index + 1; });

const cards = book.puzzles.map((puzzle) => {
  const mark = element("span", { class: "tick" });
  const link = element("a", { class: "card", href: `#${encodeURIComponent(puzzle.id)}` },
    still_picture(puzzle),
    ...(puzzle.stands.length ? [element("p", { class: "stands" }, ...stands(puzzle))] : []),
    element("p", {}, element("b", {}, String(puzzle.number)), element("span", { class: "task" }, puzzle.task), " ", mark),
    element("small", {}, puzzle.themes.join(" · ")));
  return { puzzle, mark, item: element("li", {}, link) };
});

function options(select, all, values) {
  say(select, element("option", { value: "" }, all), ...values.map(([value, text]) => element("option", { value }, text)));
}

function count(list) {
  const counts = new Map();
  for (const value of list) counts.set(value, (counts.get(value) || 0) + 1);
  return counts;
}

const themes = count(book.puzzles.flatMap((puzzle) => puzzle.themes));
options(at("theme"), "all themes", [...themes].sort(([a], [b]) => (a < b ? -1 : 1))
  .map(([name, many]) => [name, `${name} (${many})`]));
const lengths = count(book.puzzles.map((puzzle) => puzzle.length));
options(at("length"), "any length", [...lengths].sort(([a], [b]) => a - b)
  .map(([length, many]) => [length, `${length ? plies(length) : "draws"} (${many})`]));

const orders = {
  "": (a, b) => a.number - b.number,
  easy: (a, b) => a.difficulty - b.difficulty || a.number - b.number,
  hard: (a, b) => b.difficulty - a.difficulty || a.number - b.number,
  short: (a, b) => a.length - b.length || a.number - b.number,
};

function chosen() {
  const [theme, length, state] = ["theme", "length", "state"].map((id) => at(id).value);
  return cards.filter(({ puzzle }) => (!theme || puzzle.themes.includes(theme))
    && (!length || String(puzzle.length) === length)
    && (!state || solved(puzzle) === (state === "done")))
    .sort((a, b) => orders[at("order").value](a.puzzle, b.puzzle));
}

function browse() {
  const list = chosen();
  for (const { puzzle, mark } of cards) {
    mark.textContent = solved(puzzle) ? "✓" : "";
    if (solved(puzzle)) mark.setAttribute("aria-label", "solved"); else mark.removeAttribute("aria-label");
  }
  say(at("cards"), ...list.map(({ item }) => item));
  const done = book.puzzles.filter(solved).length;
  at("count").textContent = `${list.length} of ${book.puzzles.length} shown, ${done} solved`;
}

// What the address asks for: a puzzle, or the gallery.
function route() {
  let id = "";
  try {
    id = decodeURIComponent(location.hash.slice(1));
  } catch { /* no puzzle has such a name */ }
  const puzzle = book.puzzles.find((one) => one.id === id);
  at("gallery").hidden = Boolean(puzzle);
  at("puzzle").hidden = !puzzle;
  document.body.classList.toggle("playing", Boolean(puzzle));
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

at("filters").addEventListener("change", browse);
at("filters").addEventListener("submit", (event) => event.preventDefault());
at("forget").addEventListener("click", () => {
  if (!confirm("Forget which problems you have solved?")) return;
  progress = {};
  store();
  route();
});
addEventListener("hashchange", route);
route();
