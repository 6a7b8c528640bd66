// Searching: conditions with completion of columns, finds as diagrams while the scan runs,
// and files of them.

import { ask, file, follow, get } from "./api.js";
import { at, diagram, element, plural } from "./dom.js";

const fit = (count) => plural(count, "position fits", "positions fit");
const shown = (puzzles) => `${plural(puzzles.length, "is", "are")} shown`;

const FORMATS = { pdf: "pdf", html: "html", svg: "svg", csv: "csv" };
const PATIENCE = 20_000; // the time that a stopped search needs to end, and more
const WORD = /[A-Za-z_][A-Za-z_0-9]*$/;

export class Mining {
  // `acts` has open(position) and pattern(), the partial diagram on the board.
  constructor(game, acts) {
    this.game = game;
    this.acts = acts;
    this.columns = [];
    this.found = [];
    this.asked = null;
    this.stopped = 0; // when a search was last stopped; loading the page may have stopped one
    const filters = [element("option", { value: "" }, "own condition")];
    for (const filter of game.filters) filters.push(element("option", { value: filter.name }, filter.name));
    at("filter").replaceChildren(...filters);
    at("condition").value = "outcome = 'win' AND plies > 1 AND n_best = 1";
    at("filter").addEventListener("change", () => this.chosen());
    at("open").addEventListener("change", () => this.open());
    at("seek").addEventListener("submit", (event) => { event.preventDefault(); this.run(); });
    at("stop").addEventListener("click", () => this.abort());
    at("from-board").addEventListener("click", async () => { at("pattern").value = await acts.pattern() ?? ""; });
    at("pattern-row").hidden = !game.operations.includes("composing");
    for (const button of at("exports").children) button.addEventListener("click", () => this.save(button.dataset.format));
    const box = at("condition");
    box.addEventListener("input", () => { at("filter").value = ""; this.chosen(); this.complete(); });
    box.addEventListener("keydown", (event) => this.key(event));
    box.addEventListener("blur", () => this.fold());
    get("columns").then((columns) => { this.columns = columns; }, () => {});
  }

  chosen() {
    const filter = this.game.filters.find((one) => one.name === at("filter").value);
    at("filter-text").textContent = filter?.text ?? "";
    if (filter) at("condition").value = filter.condition;
  }

  // Takes a filter file, which the program reads when it searches.
  async open() {
    const [chosen] = at("open").files;
    if (!chosen) return;
    const { name } = chosen;
    const known = this.game.filters.some((one) => one.name === name);
    if (!known) at("filter").append(element("option", { value: name }, name));
    this.game.filters.unshift({ name, text: "All of the file counts; a condition of your own takes its place.", condition: "", toml: await chosen.text() });
    at("filter").value = name;
    at("open").value = "";
    this.chosen();
  }

  // Offers columns that begin with, or contain, the word at the cursor.
  complete() {
    const box = at("condition");
    const word = box.value.slice(0, box.selectionStart).match(WORD)?.[0].toLowerCase() ?? "";
    if (!word) return this.fold();
    const rank = (column) => (column.name.startsWith(word) ? 0 : column.name.includes(word) ? 1 : 2);
    const offered = this.columns.filter((column) => rank(column) < 2 && column.name !== word)
      .sort((a, b) => rank(a) - rank(b)).slice(0, 8);
    if (!offered.length) return this.fold();
    const rows = offered.map((column, place) => {
      const take = (event) => { event.preventDefault(); this.take(column.name); };
      return element("li", { id: `column-${place}`, role: "option", "data-name": column.name, "aria-selected": "false", on: { pointerdown: take } },
        element("code", {}, column.name), " ", element("span", {}, `${column.type}, ${column.cost}: ${column.meaning}`));
    });
    at("columns").replaceChildren(...rows);
    at("columns").hidden = false;
    box.removeAttribute("aria-activedescendant");
    this.at = -1;
  }

  fold() {
    at("columns").hidden = true;
    at("condition").removeAttribute("aria-activedescendant");
  }

  key(event) {
    const rows = [...at("columns").children];
    if (at("columns").hidden) {
      if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) at("seek").requestSubmit();
      return;
    }
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step) {
      this.at = (this.at + step + rows.length) % rows.length;
      rows.forEach((row, place) => row.setAttribute("aria-selected", String(place === this.at)));
      rows[this.at].scrollIntoView({ block: "nearest" });
      at("condition").setAttribute("aria-activedescendant", rows[this.at].id);
    } else if ((event.key === "Enter" || event.key === "Tab") && this.at >= 0) {
      this.take(rows[this.at].dataset.name);
    } else if (event.key === "Escape") {
      this.fold();
    } else {
      return;
    }
    event.preventDefault();
  }

  take(name) {
    const box = at("condition");
    const start = box.value.slice(0, box.selectionStart).replace(WORD, "");
    const rest = box.value.slice(box.selectionStart).replace(/^[A-Za-z_0-9]*/, "");
    box.value = `${start}${name}${rest}`;
    box.setSelectionRange(start.length + name.length, start.length + name.length);
    box.focus();
    this.fold();
  }

  question() {
    const name = at("filter").value;
    const toml = this.game.filters.find((one) => one.name === name)?.toml;
    const question = toml ? { toml } : name ? { filter: name } : { condition: at("condition").value };
    question.limit = Number(at("limit").value) || 24;
    return question;
  }

  async run() {
    this.fold();
    this.abort();
    const running = new AbortController();
    this.running = running;
    const pattern = at("pattern-row").hidden ? "" : at("pattern").value.trim();
    const question = this.question();
    const filter = this.game.filters.find((one) => one.name === at("filter").value);
    this.asked = { filter, condition: at("condition").value, pattern, limit: question.limit };
    this.busy(true);
    this.show([]);
    say("Searching.");
    try {
      if (pattern) {
        const found = await this.waiting(running.signal, () => ask("compose", { ...question, pattern }, running.signal));
        this.show(found.puzzles);
        say(`${fit(found.matched)}; ${shown(found.puzzles)}.`);
      } else {
        const told = (event) => { if (this.running === running) this.told(event); };
        await this.waiting(running.signal, () => follow("mine", question, running.signal, told));
      }
    } catch (error) {
      if (this.running !== running) return;
      if (running.signal.aborted) say(`Stopped. ${plural(this.found.length, "find is", "finds are")} shown.`);
      else say(error.message, "bad");
    }
    if (this.running === running) this.busy(false);
  }

  abort() {
    if (at("stop").hidden) return;
    this.running.abort();
    this.stopped = performance.now();
  }

  // Searches; for a search that was stopped and still holds its place, waits.
  async waiting(signal, search) {
    for (;;) {
      try {
        return await search();
      } catch (error) {
        if (signal.aborted || error.status !== 503 || performance.now() > this.stopped + PATIENCE) throw error;
      }
      say("Waiting for the search before to end.");
      await new Promise((done) => { setTimeout(done, 400); });
      signal.throwIfAborted();
    }
  }

  told(event) {
    if (event.event === "progress") {
      at("progress").value = event.total ? event.done / event.total : 0;
    } else if (event.event === "estimate") {
      const near = event.error_95 > 0 ? `about ${event.estimate.toLocaleString("en")} ± ${event.error_95.toLocaleString("en")}` : event.estimate.toLocaleString("en");
      say(`${near} positions fit, as far as one can tell.`);
    } else if (event.event === "finds") {
      // A sample that has nothing says nothing.
      if (event.complete || event.puzzles.length) this.show(event.puzzles);
      say(event.complete ? `${fit(event.matched)}; ${shown(event.puzzles)}.`
        : `${fit(event.matched)}${event.looked_at ? ` of ${event.looked_at.toLocaleString("en")} in a sample` : ""}; looking on.`);
    } else if (event.event === "error") {
      say(event.error, "bad");
    }
  }

  busy(is) {
    at("stop").hidden = !is;
    at("progress").hidden = !is;
    at("progress").value = 0;
    at("mine").setAttribute("aria-busy", String(is));
  }

  show(puzzles) {
    this.found = puzzles;
    at("exports").hidden = puzzles.length === 0;
    at("finds").replaceChildren(...puzzles.map((row) => element("li", {},
      element("button", { type: "button", on: { click: () => this.acts.open(row.position) } },
        diagram(row.position, ""), element("strong", {}, row.stipulation),
        element("span", {}, `score ${row.score}${row.themes ? `; ${row.themes.split(" ").join(", ")}` : ""}`)))));
  }

  async save(format) {
    const name = this.asked.filter?.name.replace(/\.toml$/, "") ?? "finds";
    try {
      if (format === "toml") return download(new Blob([this.toml()], { type: "application/toml" }), "my-filter.toml");
      const title = this.asked.filter ? name[0].toUpperCase() + name.slice(1).replaceAll("-", " ") : "Finds";
      say("Making the file.");
      download(await file("export", { format, puzzles: this.found, title }), `${name}.${FORMATS[format]}`);
      say("Saved.");
    } catch (error) {
      say(error.message, "bad");
    }
  }

  // A filter file of the search. Values in JSON are also ones of TOML.
  toml() {
    const { filter, condition, pattern, limit } = this.asked;
    if (filter?.toml) return filter.toml;
    const keys = { name: "my-filter", title: "", text: "", predicate: condition, order: ["-plies"], distinct: true };
    for (const key of ["title", "text", "order", "distinct", "stipulation", "states", "pattern", "shortlist"]) {
      if (filter) keys[key] = filter[key];
    }
    if (pattern) {
      keys.pattern = pattern;
      // What fits a partial diagram is compared by score, ten for each find.
      keys.shortlist ??= 10 * limit;
    }
    if (keys.shortlist) keys.shortlist = Math.max(keys.shortlist, limit);
    const text = (value) => JSON.stringify(value).replaceAll("\u007f", "\\u007f");
    const given = Object.entries({ ...keys, limit }).filter(([, value]) => (value ?? null) !== null);
    return given.map(([key, value]) => `${key} = ${text(value)}\n`).join("");
  }
}

function download(blob, name) {
  const address = URL.createObjectURL(blob);
  const link = element("a", { href: address, download: name });
  document.body.append(link);
  link.click();
  link.remove();
  setTimeout(() => URL.revokeObjectURL(address), 10_000);
}

function say(text, kind = "") {
  at("mined").className = `message ${kind}`;
  at("mined").textContent = text;
}
