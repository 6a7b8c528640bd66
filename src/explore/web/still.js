// Answers without the program, from the positions in the page itself.

const data = JSON.parse(document.getElementById("data").textContent);
const MOVES = 4; // the place of the moves in a state
const known = new Map(data.states.map((state, place) => [state[0], place]));
const palette = data.game.palette.length;
let arranged = null;

const value = (number) => ({
  outcome: number > 0 ? "win" : number < 0 ? "loss" : "draw", plies: number === 0 ? null : Math.abs(number),
});

function state(position) {
  const text = position.trim() || data.game.initial;
  const place = known.get(text);
  if (place === undefined) throw new Error("This page has only the positions that play from the initial one reaches, as it writes them.");
  return data.states[place];
}

function pointed(act) {
  const [move, from, to] = data.acts[act];
  return { move, from, to };
}

function triples(flat) {
  const found = [];
  for (let place = 0; place < flat.length; place += 3) found.push(flat.slice(place, place + 3));
  return found;
}

// What stands where, and who moves, in one text.
const same = (things, side) => `${things.filter((thing) => thing[2] < palette).map(String).sort().join(" ")} ${side}`;

// The moves that are best on both sides, until the game ends.
function line(from) {
  const names = [];
  for (let at = from; at && at[2] !== 0 && at[MOVES].length;) {
    const [act, , next] = at[MOVES][0];
    names.push(data.acts[act][0]);
    at = next < 0 ? null : data.states[next];
  }
  return names;
}

const answers = {
  board({ position }) {
    const [text, side, , squares, moves, forbidden] = state(position);
    return {
      position: text, side, ...data.game.ground, squares: triples(squares), extra: data.things.slice(palette),
      moves: moves.map(([act]) => pointed(act)), forbidden: forbidden === null ? null : pointed(forbidden),
    };
  },
  evaluate({ position }) {
    const at = state(position);
    const moves = at[MOVES].map(([act, number]) => ({ move: data.acts[act][0], ...value(number) }));
    return { game: data.game.game, position: at[0], side: at[1], ...value(at[2]), moves, line: line(at) };
  },
  play({ position, move }) {
    const found = state(position)[MOVES].find(([act]) => data.acts[act][0] === move);
    if (!found) throw new Error(`${move} is not a legal move`);
    const [, number, next] = found;
    return next < 0 ? { position: null, over: value(number).outcome } : { position: data.states[next][0], over: null };
  },
  arrange({ things, second }) {
    arranged ??= new Map(data.states.filter((at) => at[5] === null).map((at) => [same(triples(at[3]), at[1]), at[0]]));
    const sides = data.game.sides;
    // Where the pieces say whose turn it is, they decide.
    for (const side of [sides[second ? 1 : 0], ...sides]) {
      const position = arranged.get(same(things, side));
      if (position) return { position, why: null };
    }
    return { position: null, why: "play from the initial position does not reach it" };
  },
};

export const get = async () => data.game;
export const ask = async (question, body) => answers[question](body);
export const file = ask;
export const follow = ask;
