// The page: where one is, what one did, and what is shown of it.

import { ask, get } from "./api.js";
import { Board } from "./board.js";
import * as desk from "./desk.js";
import { arrows, art, at, choose, diagram, element, worth } from "./dom.js";
import { Mining } from "./mining.js";
import { Umpire } from "./umpire.js";
import * as values from "./values.js";

const key = (column, row) => `${column},${row}`;
const has = (operation) => game.operations.includes(operation);
let game = null;
let board = null;
let mining = null;
let umpire = null;
let tool = 0; // place in the palette; -1 empties, "?" stands for anything

// What was looked at: positions, and arrangements that are none yet.
const past = [];
let now = -1;
let turn = 0; // answers to older questions are dropped
let found = null; // the evaluation of the position shown
let pointed = null;

const here = () => past[now];

function say(text, kind = "") {
  at("message").className = `message ${kind}`;
  at("message").textContent = text;
}

// Goes to a position, as a new step.
async function go(position, told = "") {
  past.splice(now + 1);
  past.push({ position });
  now = past.length - 1;
  await shown(told);
}

async function step(to) {
  if (to < 0 || to >= past.length) return;
  now = to;
  await shown("");
}

// Shows where one is.
async function shown(told) {
  const mine = ++turn;
  const entry = here();
  const written = at("notation").value;
  found = null;
  pointed = null;
  if (entry.data && !entry.position) {
    draw(entry.data);
    desk.clear();
    const why = await judged(entry).catch((error) => error.message);
    if (mine !== turn) return;
    if (!entry.position) {
      values.clear("");
      // The field has no position but that of the board.
      if (at("notation").value === written) at("notation").value = "";
      say(why, "bad");
      if (!at("desk").hidden) judge();
      tools();
      return;
    }
  }
  try {
    const [data, evaluation] = await Promise.all([lookAt(entry.position), valued(entry.position)]);
    if (mine !== turn) return;
    entry.data = data;
    entry.position = data.position;
    draw(data);
    // What was typed meanwhile stays.
    if (at("notation").value === written) at("notation").value = data.position;
    history.replaceState(null, "", `#p=${encodeURIComponent(data.position)}`);
    if (evaluation instanceof Error) values.clear(evaluation.message);
    else {
      found = entry.found = evaluation;
      values.show(found, { play, replay, point, canPlay: has("lines of play") });
    }
    refreshArrows();
    say(told);
    desk.clear();
    if (!at("desk").hidden) judge();
    if (!at("umpire").hidden) umpire.begin(entry.position);
  } catch (error) {
    if (mine !== turn) return;
    past.splice(now, 1);
    now = Math.min(now, past.length - 1);
    // The answer about the position before may have been dropped for this one.
    if (here() && !here().data) {
      await shown("");
      // Something newer was asked for while that one was drawn: its message stays.
      if (turn !== mine + 1) return;
    } else found = here()?.found ?? null;
    say(error.message, "bad");
  }
  tools();
}

const valued = (position) => ask("evaluate", { position }).catch((error) => error);

// The board of a position; without a board to point at, a picture of it.
async function lookAt(position) {
  if (!has("boards")) return { position, picture: true };
  const data = await ask("board", { position });
  const things = new Map();
  const all = [...game.palette, ...data.extra];
  for (const [column, row, place] of data.squares) things.set(key(column, row), { ...all[place], place });
  return { ...data, things };
}

function draw(data) {
  if (data.picture) {
    at("side").textContent = "";
    at("stage").replaceChildren(diagram(data.position, `Position ${data.position}`));
    return;
  }
  board.show(data);
  at("side").textContent = data.side ? `${data.side} to move` : "";
  const second = game.sides.indexOf(data.side);
  const buttons = [...at("sides").children];
  if (second >= 0) choose(buttons, buttons[second]);
}

function tools() {
  at("undo").disabled = now <= 0;
  at("redo").disabled = now >= past.length - 1;
  at("best").disabled = !found?.moves?.length || !has("lines of play");
}

function point(move) {
  pointed = move;
  refreshArrows();
}

function refreshArrows() {
  const data = here()?.data;
  if (!data || data.picture || !data.moves) return;
  const wanted = at("arrows").value;
  const worths = new Map((found?.moves ?? []).map((move) => [move.move, move]));
  const best = found?.moves?.[0];
  // As quick a win, or as long a defence.
  const good = (value) => value.outcome === best.outcome && value.plies === best.plies;
  const chosen = data.moves.filter((move) => {
    if (move.move === pointed) return true;
    const value = worths.get(move.move);
    return value && (wanted === "all" || wanted === "best" && good(value));
  });
  board.arrows(board.setting && !pointed ? [] : chosen.map((move) => ({
    ...move, outcome: worths.get(move.move)?.outcome ?? "draw", strong: move.move === pointed,
  })));
}

// Plays a move, and says what came of it.
async function play(move) {
  const before = found;
  const from = here().position;
  try {
    const next = await ask("play", { position: from, move });
    const value = before?.moves?.find((one) => one.move === move);
    const best = before?.moves?.[0];
    let told = `${move}.`;
    if (value && best) {
      if (value.outcome !== best.outcome) told = `${move}? A ${worth(value)}; ${best.move} was a ${worth(best)}.`;
      else if (value.plies !== best.plies) told = `${move}: a ${worth(value)}; ${best.move} is a ${worth(best)}.`;
      else told = `${move}! A ${worth(value)}.`;
    }
    if (next.over) {
      const outcome = { win: "wins", draw: "draws", loss: "loses" }[next.over];
      say(`${move} ends the game: ${before?.side ?? here().data?.side ?? "the side to move"} ${outcome}.`);
      return;
    }
    await go(next.position, told);
    if (here().position !== next.position) return;
    if (value && best && value.outcome !== best.outcome && found?.moves?.length) {
      say(`${told} Refuted by ${move}? ${found.moves[0].move}!`, "bad");
    }
  } catch (error) {
    say(error.message, "bad");
  }
}

// Plays the first moves of a line.
async function replay(line) {
  for (const move of line) {
    const last = here().position;
    await play(move);
    if (here().position === last) return;
  }
}

// Changes an arrangement, and asks whether it is a position.
async function arrange(change, second = here().data.side === game.sides[1]) {
  const data = { ...here().data, things: new Map(here().data.things), moves: [], forbidden: null };
  change(data.things);
  data.side = game.sides[second ? 1 : 0] ?? data.side;
  past.splice(now + 1);
  past.push({ data, position: null });
  now = past.length - 1;
  await shown("");
}

// Finds the position of an arrangement, or says why it is none.
async function judged(entry) {
  const { data } = entry;
  if ([...data.things.values()].some((thing) => thing.wild)) {
    return "A partial diagram: search for positions that fit it under Mine.";
  }
  const answer = await ask("arrange", { things: placed(data), second: data.side === game.sides[1] });
  entry.position = answer.position;
  return answer.why ? `Not a position yet: ${answer.why}.` : "";
}

// The things of the palette that stand on a board.
const placed = (data) => [...data.things].filter(([, thing]) => thing.place < game.palette.length)
  .map(([place, thing]) => [...place.split(",").map(Number), thing.place]);

function put(cell, which = tool) {
  if (which !== "?" && which >= game.palette.length) return;
  const place = key(...cell);
  const old = here().data.things.get(place);
  if (old && !old.wild && old.place >= game.palette.length) return;
  arrange((things) => {
    // The same thing again takes it away.
    if (which === -1 || (old && (old.wild ? which === "?" : old.place === which))) things.delete(place);
    else if (which === "?") things.set(place, { wild: true, words: "anything" });
    else things.set(place, { ...game.palette[which], place: which });
  });
}

function shift(from, to) {
  const thing = here().data.things.get(key(...from));
  if (!thing || thing.place >= game.palette.length) return;
  arrange((things) => {
    things.delete(key(...from));
    if (to) things.set(key(...to), thing);
  });
}

// The partial diagram on the board.
async function pattern() {
  const data = here().data;
  const open = [...data.things].filter(([, thing]) => thing.wild).map(([place]) => place.split(",").map(Number));
  try {
    return (await ask("pattern", { things: placed(data), open })).pattern;
  } catch (error) {
    say(error.message, "bad");
    return "";
  }
}

// Asks the desk about the position on the board, if it is a whole one.
function judge(question = desk.check, place = "judgement") {
  const position = here()?.position;
  if (position) question(position, at("stipulation").value.trim(), go);
  else at(place).replaceChildren(element("p", { class: "bad" }, "Only a whole position can be judged."));
}

function setMode(setting) {
  board.setting = setting;
  choose([at("mode-move"), at("mode-setup")], setting ? at("mode-setup") : at("mode-move"));
  at("palette").hidden = at("clear").hidden = !setting;
  at("fill").hidden = !setting || !has("composing");
  at("sides").hidden = !setting || game.sides.length < 2;
  board.stage.classList.toggle("setting", setting);
  board.pick(null);
  refreshArrows();
}

function palette() {
  const items = game.palette.map((thing, place) => [place, thing.words, art(thing), place < 9 ? String(place + 1) : ""]);
  items.push([-1, "empty square", ["⌫"], ""]);
  if (has("composing")) items.push(["?", "anything (for a partial diagram)", ["?"], ""]);
  const buttons = items.map(([place, words, picture, digit]) => element("button", {
    type: "button", role: "radio", "aria-checked": "false", "aria-label": words, title: words,
  }, ...picture, element("span", { class: "key", "aria-hidden": "true" }, digit)));
  const take = (button) => {
    tool = items[buttons.indexOf(button)][0];
    choose(buttons, button);
  };
  for (const button of buttons) button.addEventListener("click", () => take(button));
  arrows(buttons, take);
  at("palette").replaceChildren(...buttons);
  take(buttons[0]);
}

function tabs() {
  const buttons = [...at("tabs").children];
  const take = (button) => {
    choose(buttons, button, "aria-selected");
    for (const other of buttons) at(other.getAttribute("aria-controls")).hidden = other !== button;
    if (button.id === "tab-desk") judge();
    if (button.id === "tab-umpire") umpire.begin(here()?.position);
  };
  for (const button of buttons) button.addEventListener("click", () => take(button));
  arrows(buttons, take);
  at("tab-desk").hidden = !has("checking");
  at("tab-mine").hidden = !has("mining");
  at("tab-umpire").hidden = !has("play against an umpire");
  at("around-box").hidden = !has("composing");
}

function fromAddress() {
  const given = new URLSearchParams(location.hash.slice(1)).get("p");
  return given ?? game.initial;
}

async function copy() {
  const text = at("notation").value;
  if (!text) return say("There is no position to copy.", "bad");
  try {
    await navigator.clipboard.writeText(text);
  } catch {
    at("notation").select();
    document.execCommand("copy");
  }
  say(`Copied: ${text}`);
}

async function start() {
  game = await get("game");
  document.title = `${game.game} - tesuji explore`;
  at("title").textContent = game.game;
  at("kind").textContent = `${game.kind}; tesuji ${game.version}`;
  board = new Board(at("stage"), {
    move: play, put, shift,
    several: (moves) => say(`${moves.join(", ")}: choose one in the list of moves.`),
    refuse: (from, to) => say(`${board.name(from)} to ${board.name(to)} is not a legal move.`, "bad"),
  });
  at("modes").hidden = !has("boards");
  at("mode-setup").hidden = game.palette.length === 0;
  palette();
  tabs();
  const sides = game.sides.map((side, place) => element("button", {
    type: "button", role: "radio", "aria-checked": "false", on: { click: () => arrange(() => {}, place === 1) },
  }, `${side} to move`));
  at("sides").replaceChildren(...sides);
  arrows(sides, (button) => button.click());
  const modes = [at("mode-move"), at("mode-setup")];
  for (const [place, button] of modes.entries()) button.addEventListener("click", () => setMode(place === 1));
  arrows(modes, (button) => setMode(button === modes[1]));
  umpire = new Umpire();
  if (has("mining")) mining = new Mining(game, { open: go, pattern });
  at("undo").addEventListener("click", () => step(now - 1));
  at("redo").addEventListener("click", () => step(now + 1));
  at("initial").addEventListener("click", () => go(game.initial));
  at("clear").addEventListener("click", () => arrange((things) => {
    for (const [place, thing] of things) if (thing.wild || thing.place < game.palette.length) things.delete(place);
  }));
  at("fill").addEventListener("click", () => arrange((things) => {
    for (const place of board.squares()) if (!things.has(place)) things.set(place, { wild: true, words: "anything" });
  }));
  at("best").addEventListener("click", () => { if (found) play(found.moves[0].move); });
  at("arrows").addEventListener("change", refreshArrows);
  at("paste").addEventListener("submit", (event) => {
    event.preventDefault();
    go(at("notation").value.trim().replace(/\s+/g, " "));
  });
  // The field has several lines for one long position: Enter sends it.
  at("notation").addEventListener("keydown", (event) => {
    if (event.key !== "Enter" || event.isComposing) return;
    event.preventDefault();
    at("paste").requestSubmit();
  });
  at("copy").addEventListener("click", copy);
  at("check").addEventListener("submit", (event) => { event.preventDefault(); judge(); });
  at("around").addEventListener("click", () => judge(desk.around, "neighbours"));
  // What is pasted anywhere but into a field is a position.
  document.addEventListener("paste", (event) => {
    if (event.target.closest?.("input, textarea")) return;
    const text = event.clipboardData.getData("text").trim();
    if (text) go(text);
  });
  document.addEventListener("keydown", (event) => {
    if (!(event.ctrlKey || event.metaKey) || event.target.closest?.("input, textarea")) return;
    const letter = event.key.toLowerCase();
    if (letter === "z" && !event.shiftKey) step(now - 1);
    else if (letter === "y" || letter === "z") step(now + 1);
    else return;
    event.preventDefault();
  });
  addEventListener("hashchange", () => { if (fromAddress() !== here()?.position) go(fromAddress()); });
  await go(fromAddress());
  if (!past.length) await go(game.initial);
  document.body.dataset.ready = "";
}

start().catch((error) => say(error.message, "bad"));
