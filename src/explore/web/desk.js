// The composer's desk: the verdict on a problem, its solution, and its neighbours.

import { ask } from "./api.js";
import { at, diagram, element, fouls, plies, plural, worth } from "./dom.js";

const list = (names, none = "none") => (names.length ? names.join(", ") : none);
const SOUNDNESS = {
  cooked: "cooked",
  uniqueShortestKey: "one key, duals later",
  dualFreeLine: "no duals in the main line",
  dualFreeTree: "no duals",
};
const code = (text) => element("code", {}, text);

function table(head, rows) {
  const heads = element("tr", {}, head.map((name) => element("th", { scope: "col" }, name)));
  const line = ([name, ...cells]) => element("tr", {},
    element("th", { scope: "row" }, name), cells.map((cell) => element("td", {}, cell)));
  return element("table", {}, head.length ? element("thead", {}, heads) : [], element("tbody", {}, rows.map(line)));
}

function without(piece) {
  if (piece.outcome === null) return "cannot be removed";
  return piece.idle ? "idle: the puzzle is the same without it" : `without it: ${worth(piece)}`;
}

// Asks about a position. An answer to an older question, or about a position that is no longer shown, is
// dropped.
const newest = { judgement: 0, neighbours: 0 };
async function answer(place, question, position, stipulation) {
  const mine = ++newest[place];
  try {
    const found = await ask(question, stipulation ? { position, stipulation } : { position });
    if (mine === newest[place]) return found;
  } catch (error) {
    if (mine === newest[place]) at(place).replaceChildren(element("p", { class: "bad" }, error.message));
  }
  return null;
}

export async function check(position, stipulation, open) {
  const found = await answer("judgement", "check", position, stipulation);
  if (!found) return;
  const soundness = found.soundness ?? found.solution?.soundness;
  const verdict = found.sound
    ? element("p", { class: "verdict good" }, `Sound: ${found.stipulation} (${SOUNDNESS[soundness]}).`)
    : element("p", { class: "verdict bad" }, `Not sound: ${found.stipulation}: ${found.faults.join(", ")}.`);
  const solved = ["solved by", list(found.solving.map((move) => `${move.move} (${worth(move)})`))];
  if (found.score) merits(verdict, solved, found, open);
  else at("judgement").replaceChildren(verdict, table([], [solved]));
  if (found.solution) show(found.solution);
  else at("solution").replaceChildren();
}

// What is known of a problem with a table beside its solution.
function merits(verdict, solved, found, open) {
  const score = found.score;
  const parts = ["soundness", "paradox", "temptation", "length", "variety", "economy"];
  at("judgement").replaceChildren(verdict,
    table([], [
      solved,
      ["themes", list(found.themes)],
      ["score", `${score.total} of 100: ${parts.map((name) => `${name} ${score[name]}`).join(", ")}`],
      ["difficulty", `${plural(found.difficulty, "bit")} (${"★".repeat(found.stars)})`],
    ]),
    element("h2", {}, "Each piece"),
    table(["piece", "role"], found.purposes.map((piece) => [piece.thing, without(piece)])));
  if (found.mendings.length) {
    at("judgement").append(element("h2", {}, "Sound with one piece moved"),
      boards(found.mendings.slice(0, 12).map((near) => ({ ...near, words: `${near.from} to ${near.to}` })), open));
  }
}

// The solution of a position or of a problem with hidden information.
function show(found) {
  if (found.tree) tell(found);
  else {
    const style = matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "screen";
    at("solution").replaceChildren(element("h2", {}, "Solution tree"),
      element("p", {}, `${plies(found.plies)}, ${fouls(found.fouls_allowed)} allowed, ${plural(found.nodes.length, "turn")}.`),
      element("img", { class: "tree-picture", alt: `Solution tree of ${plural(found.nodes.length, "turn")}`, src: `api/tree.svg?style=${style}&depth=${found.plies}&fouls=${found.fouls_allowed}&position=${encodeURIComponent(found.position)}` }));
  }
}

function tell(found) {
  const tries = found.tries.map((move) => element("li", {}, code(`1.${move.move}? ${move.refutation}!`), ` ${worth({ ...move.value })}`));
  const set = found.set_play;
  const nodes = found.tree.nodes;
  at("solution").replaceChildren(
    element("h2", {}, "Solution"),
    table([], [
      ["key", found.key ?? "none"],
      ["cooks", list(found.cooks)],
      ["slower", list(found.slower.map((move) => `${move.move} (${worth(move.value)})`))],
      ["failing", String(found.failing)],
      ["set play", set ? `${worth(set.value)}${set.line.length ? `: ${set.line.join(" ")}` : ""}` : "none"],
      ["tree", `${plural(found.tree.variations, "variation")}${found.tree.dual_free ? ", no duals" : ", with duals"}${found.tree.complete ? "" : ", cut"}`],
    ]),
    ...(tries.length ? [element("h2", {}, "Tries"), element("ul", { class: "tree" }, tries)] : []),
    ...(nodes.length ? [element("h2", {}, "Tree"), element("ul", { class: "tree", id: "tree" }, branch(nodes, 0, 1, new Set()))] : []));
}

// A turn of the attacker with its replies, folded below the first moves.
function branch(nodes, place, number, above) {
  const node = nodes[place];
  const duals = node.duals.length ? ` (dual: ${node.duals.join(", ")})` : "";
  const head = code(`${number}.${node.move}${duals}`);
  if (!node.replies.length || above.has(place)) return element("li", {}, head);
  const below = new Set([...above, place]);
  const inner = element("ul");
  const fill = () => {
    if (inner.hasChildNodes()) return;
    inner.append(...node.replies.map((reply) => {
      const item = element("li", {}, code(`${number}...${reply.move}`));
      if (reply.node !== null) item.append(element("ul", {}, branch(nodes, reply.node, number + 1, below)));
      return item;
    }));
  };
  const folded = element("details", { on: { toggle: fill } }, element("summary", {}, head), inner);
  if (number === 1) {
    folded.open = true;
    fill();
  }
  return element("li", {}, folded);
}

function boards(found, open) {
  return element("ol", { class: "boards" }, found.map((near) => element("li", {},
    element("button", { type: "button", on: { click: () => open(near.position) } },
      diagram(near.position, ""), element("span", {}, near.words)))));
}

// All positions that differ by one thing, by the thing that differs.
export async function around(position, stipulation, open) {
  const found = await answer("neighbours", "neighbours", position, stipulation);
  if (!found) return;
  const groups = new Map();
  for (const near of found) {
    const name = near.change === "added" ? `${near.thing} added` : near.change === "removed" ? "one thing removed" : `${near.thing} moved`;
    if (!groups.has(name)) groups.set(name, []);
    groups.get(name).push(near);
  }
  const sound = found.filter((near) => near.sound).length;
  at("neighbours").replaceChildren(
    element("p", { class: "verdict", role: "status" }, `${sound} of ${plural(found.length, "neighbour")} ${sound === 1 ? "is" : "are"} sound.`),
    ...[...groups].map(([name, near]) => {
      const good = near.filter((one) => one.sound).length;
      const words = good ? `${good} of ${near.length} sound` : near.length === 1 ? "not sound" : `none of ${near.length} sound`;
      const inner = element("div");
      const fill = () => {
        if (inner.hasChildNodes()) return;
        const shown = near.map((one) => {
          const to = one.change === "removed" ? one.thing : `to ${one.to}`;
          return { ...one, words: `${to}: ${one.sound ? "sound" : `not sound (${worth(one.value)}, ${one.solving} solve)`}` };
        });
        inner.append(boards([...shown.filter((one) => one.sound), ...shown.filter((one) => !one.sound)], open));
      };
      return element("details", { on: { toggle: fill } },
        element("summary", {}, `${name}: `, element("span", { class: good ? "good" : "bad" }, words)), inner);
    }));
}

export function clear() {
  for (const place of Object.keys(newest)) newest[place]++;
  for (const id of ["judgement", "solution", "neighbours"]) at(id).replaceChildren();
}
