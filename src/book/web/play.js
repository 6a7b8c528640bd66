// Playing a puzzle: the reader's moves, the best defence, the refutations.

const OPEN = 0, BUSY = 1, FAILED = 2, SOLVED = 3, SHOWN = 4;
let game = null; // the puzzle on the board
const surface = new Board(at("stage"), (index) => answer(index), (from, to) => refuse(from, to));

function open(puzzle) {
  game = { puzzle, turn: 0 };
  say(at("hints"));
  at("answer").hidden = true;
  at("number").textContent = `Problem ${puzzle.number} of ${book.puzzles.length}`;
  at("task").textContent = puzzle.task;
  say(at("themes"), ...puzzle.themes.flatMap((name, index) => [
    index ? ", " : "", element("abbr", { title: Object.hasOwn(book.themes, name) ? book.themes[name] : "" }, name),
  ]));
  say(at("stands"), ...stands(puzzle));
  at("stands").hidden = !puzzle.stands.length;
  at("tree").textContent = puzzle.solution;
  restart();
}

function restart() {
  const puzzle = game.puzzle;
  game = { puzzle, turn: game.turn + 1, node: 0, past: [], made: [], hints: game.hints || 0, helped: game.helped || false };
  at("answer").hidden = true;
  settle(OPEN);
  tell("", `${puzzle.side} to move.`, banned(), puzzle.nodes[0][1].length ? "" : " It is solved in the mind: the page has its tree.");
}

// Shows the node that the game has come to.
function settle(state) {
  const [board, moves, ban] = game.puzzle.nodes[game.node];
  surface.show(boardOf(board), ban === undefined ? null : book.bans[ban], game.trail);
  game.state = state;
  surface.wait(state === OPEN ? moves.map(([number]) => act(number)) : []);
  tools();
}

function banned() {
  const ban = game.puzzle.nodes[game.node][2];
  return ban === undefined ? "" : ` Not allowed here: ${book.bans[ban][0]}.`;
}

function tools() {
  at("undo").disabled = !game.made.length || game.state === BUSY;
  at("restart").disabled = !game.made.length && game.state !== SHOWN;
  at("hint").disabled = game.hints >= game.puzzle.hints.length || game.state === SOLVED;
  at("mark").textContent = solved(game.puzzle) ? (progress[game.puzzle.id] === 1 ? "✓ solved" : "✓ solved with help") : "";
  let text = "";
  game.made.forEach((name, index) => {
    text += (index % 2 ? " " : `${index ? "  " : ""}${index / 2 + 1}.\u00a0`) + name;
  });
  at("line").textContent = text;
}

function tell(kind, ...parts) {
  at("message").className = `message ${kind}`;
  say(at("message"), ...parts);
}

function refuse(from, to) {
  const ban = game.puzzle.nodes[game.node][2];
  if (ban !== undefined && book.bans[ban][1] === from && book.bans[ban][2] === to) {
    tell("bad", strong("Not allowed. "), `The rules forbid ${book.bans[ban][0]} here.`);
  } else {
    tell("", `${nameOf(from)} to ${nameOf(to)} is no legal move.`);
  }
}

const best = (moves) => Math.max(...moves.map(([, value]) => rank(value)));
// Wins before draws before losses; quick wins and slow losses first.
const rank = (value) => (value > 0 ? 1e6 - value : value < 0 ? -1e6 - value : 0);

function worth(side, other, value) {
  if (value === 0) return "the game is drawn";
  const [winner, left] = value > 0 ? [side, value] : [other, -value];
  return left > 0 ? `${winner} wins in ${plies(left)}` : `${winner} wins`;
}

// The reader has made a legal move of the node.
async function answer(index) {
  const { puzzle, node } = game;
  const [board, moves] = puzzle.nodes[node];
  const [number, value, reply, next] = moves[index];
  const turn = ++game.turn;
  const stale = () => game.turn !== turn;
  const top = best(moves);
  game.past.push({ node, trail: game.trail, made: game.made.length, board });
  game.state = BUSY;
  const mine = act(number);
  game.made.push(mine.name);
  tools();
  await surface.animate(mine);
  if (stale()) return;
  const good = rank(value) === top;
  let theirs = null;
  if (reply !== undefined && (good ? next !== undefined || value !== 0 : true)) {
    theirs = act(reply);
    await new Promise((done) => setTimeout(done, still() ? 0 : 260));
    if (stale()) return;
    game.made.push(theirs.name);
    await surface.animate(theirs);
    if (stale()) return;
  }
  game.trail = theirs || mine;
  if (good && next >= 0) {
    game.node = next;
    settle(OPEN);
    tell("good", strong(`${mine.name}. `), `${puzzle.other} answers ${theirs.name}. Go on.`, banned());
  } else if (good && next === -1) {
    game.state = SHOWN;
    remember(puzzle.id, game.helped ? 2 : 1);
    tell("good", strong(`${mine.name} is right. `), "This page holds no more of this variation: it goes on for ",
      plies(Math.abs(value) - 2), ". The main line is under Solution.");
    tools();
  } else if (good) {
    succeed(mine);
  } else {
    fail(mine, theirs, value, moves);
  }
}

function succeed(mine) {
  const { puzzle } = game;
  remember(puzzle.id, game.helped ? 2 : 1);
  game.state = SOLVED;
  const value = puzzle.nodes[0][1].reduce((top, [, v]) => (rank(v) > rank(top) ? v : top), -1);
  const done = value > 0 ? `${puzzle.side} wins` : value < 0 ? `${puzzle.side} has held out as long as can be` : `${mine.name} holds the draw`;
  tell("good", strong("Solved. "), `${done}.`);
  tools();
}

// Explains what is wrong with a move.
function fail(mine, theirs, value, moves) {
  const { side, other } = game.puzzle;
  game.state = FAILED;
  const top = Math.max(...moves.map(([, v]) => v).filter((v) => rank(v) === best(moves)));
  const then = theirs ? ` after ${theirs.name}` : " at once";
  const parts = [];
  if (value > 0) {
    parts.push(strong(`${mine.name} wins too, but slowly. `), `It takes ${plies(value)}; ${plies(top)} are enough.`);
  } else if (value < 0 && top < 0) {
    parts.push(strong(`${mine.name} loses sooner. `), `${other} wins in ${plies(-value)}${theirs ? `, beginning with ${theirs.name}` : ""}; one can hold out for ${plies(-top)}.`);
  } else if (value < 0) {
    const left = theirs ? -value - 1 : -value;
    parts.push(strong(`${mine.name} loses${theirs ? "" : " at once"}. `), theirs
      ? `It is refuted by ${theirs.name}: ${left > 1 ? `${worth(side, other, -(left - 1))} more` : `${other} wins`}.`
      : `${other} wins.`);
  } else {
    parts.push(strong(`${mine.name} only draws. `), theirs ? `It is met by ${theirs.name}, and ${side} cannot win any more.` : `The game is drawn${then}.`);
  }
  tell("bad", ...parts, " Take it back and try again.");
  tools();
  if (at("stage").contains(document.activeElement)) at("undo").focus({ preventScroll: true });
}

function undo() {
  const last = game.past.pop();
  if (!last) return;
  game.turn++;
  game.node = last.node;
  game.trail = last.trail;
  game.made.length = last.made;
  at("answer").hidden = true;
  settle(OPEN);
  tell("", game.made.length ? "Your move." : `${game.puzzle.side} to move.`, banned());
}

function hint() {
  game.helped = true;
  const text = game.puzzle.hints[game.hints++];
  at("hints").append(element("li", {}, text));
  tools();
}

// Steps through the main line.
function show() {
  game.helped = true;
  game.turn++;
  game.made = [];
  game.past = [];
  game.state = SHOWN;
  at("answer").hidden = false;
  // Where there is no line to step through, the tree is all there is.
  at("tree").parentElement.open = !game.puzzle.line.length;
  const moves = game.puzzle.line.map(act);
  const boards = [boardOf(game.puzzle.nodes[0][0])];
  for (const move of moves) boards.push(after(boards.at(-1), move));
  game.reel = { moves, boards, at: 0 };
  say(at("mainline"), ...moves.flatMap((move, index) => {
    const button = element("button", { type: "button" }, move.name);
    button.addEventListener("click", () => step(index + 1));
    const no = index % 2 ? [] : [element("span", { class: "no" }, `${index / 2 + 1}.`)];
    return [...no, button];
  }));
  tell("", strong("The solution. "), `${game.puzzle.line.length > 1 ? "Step through it with the arrows." : ""}`);
  tools();
  step(0, true);
}

async function step(to, jump) {
  const reel = game.reel;
  if (!reel || to < 0 || to > reel.moves.length) return;
  const turn = ++game.turn;
  game.state = SHOWN;
  if (!jump && to === reel.at + 1) {
    reel.at = to;
    marked();
    await surface.animate(reel.moves[to - 1]);
    if (game.turn !== turn) return;
  } else {
    reel.at = to;
    surface.show(reel.boards[to], null, to ? reel.moves[to - 1] : null);
    marked();
  }
}

function marked() {
  const reel = game.reel;
  at("mainline").querySelectorAll("button").forEach((button, index) => {
    if (index + 1 === reel.at) button.setAttribute("aria-current", "step");
    else button.removeAttribute("aria-current");
  });
  at("first").disabled = at("back").disabled = reel.at === 0;
  at("last").disabled = at("forward").disabled = reel.at === reel.moves.length;
}

async function copy() {
  const text = game.puzzle.position;
  let done = true;
  try {
    await navigator.clipboard.writeText(text);
  } catch {
    const field = element("textarea", { readonly: "", "aria-hidden": "true" });
    field.value = text;
    document.body.append(field);
    field.select();
    done = document.execCommand("copy");
    field.remove();
    at("copy").focus();
  }
  tell("", done ? strong("Copied: ") : strong("Position: "), text);
}

at("undo").addEventListener("click", undo);
at("restart").addEventListener("click", () => { game.trail = null; restart(); });
at("hint").addEventListener("click", hint);
at("show").addEventListener("click", show);
at("copy").addEventListener("click", copy);
at("first").addEventListener("click", () => step(0));
at("back").addEventListener("click", () => step(game.reel.at - 1));
at("forward").addEventListener("click", () => step(game.reel.at + 1));
at("last").addEventListener("click", () => step(game.reel.moves.length));
