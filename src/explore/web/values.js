// What a position is worth: all moves best first, and the main line.

import { at, element, fouls, plies, worth } from "./dom.js";

const UNIQUE = {
  onlyWin: "only one move wins", onlyShortest: "one move wins soonest",
  onlyDraw: "only one move draws", onlyLongest: "one move holds out longest",
  multiple: "several moves are best",
};
const VERBS = { win: "wins", draw: "draws", loss: "loses" };

function verdict(found) {
  if (found.solved !== undefined) {
    return found.solved
      ? `Solved in ${plies(found.plies)}, ${fouls(found.fouls_allowed)} allowed.`
      : `No solution within ${plies(found.depth)} with ${fouls(found.fouls)} allowed.`;
  }
  const soon = found.plies ? ` in ${plies(found.plies)}` : "";
  const one = found.outcome === "draw" ? "can draw" : VERBS[found.outcome];
  const nimber = found.nimber === undefined ? "" : `; nimber ${found.nimber ?? "not known"} (${found.by})`;
  const unique = UNIQUE[found.uniqueness] ? `; ${UNIQUE[found.uniqueness]}` : "";
  return `${found.side} to move ${one}${soon}${nimber}${unique}.`;
}

// Shows an evaluation. `acts` has play(move), replay(count) and point(move or null).
export function show(found, acts) {
  at("verdict").replaceChildren(verdict(found));
  const line = found.line ?? [];
  at("line-box").hidden = line.length === 0;
  at("line").replaceChildren(...line.flatMap((name, place) => {
    const act = { click: () => acts.replay(line.slice(0, place + 1)) };
    const move = element("button", { type: "button", on: act, disabled: !acts.canPlay }, name);
    if (place % 2) return [move, " "];
    // A number stays with its move.
    return [element("span", { class: "whole" }, element("span", { class: "no" }, `${place / 2 + 1}.`), move), " "];
  }));
  const moves = found.moves ?? [];
  at("moves-head").hidden = moves.length === 0;
  at("moves").replaceChildren(...moves.map((move) => {
    const act = {
      click: () => acts.play(move.move),
      pointerenter: () => acts.point(move.move), pointerleave: () => acts.point(null),
      focus: () => acts.point(move.move), blur: () => acts.point(null),
    };
    return element("li", {}, element("button", { type: "button", on: act },
      element("span", { class: "name" }, move.move),
      element("span", { class: `worth ${move.outcome}` }, worth(move))));
  }));
}

export function clear(why) {
  at("verdict").replaceChildren(why);
  at("line-box").hidden = at("moves-head").hidden = true;
  at("moves").replaceChildren();
}
