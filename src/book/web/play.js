// Playing a puzzle: the reader's moves, the best defence, the refutations.

const OPEN = 0, BUSY = 1, FAILED = 2, SOLVED = 3, SHOWN = 4;
let game = null; // the puzzle on the board
const surface = new Board(at("stage"), (moves) => (moves[1] === undefined ? answer(moves[0]) : which(moves)), (from, to) => refuse(from, to));

function open(puzzle) {
  setBoard(puzzle);
  surface.focus = home();
  game = { puzzle, turn: 0 };
  say(at("hints"));
  at("answer").hidden = true;
  const chapter = book.chapters[chapterOf(puzzle)];
  say(at("number"), `Problem ${puzzle.number} of ${book.puzzles.length}${chapter ? ` · ${chapter[0]}` : ""}`);
  at("from").href = `#${encodeURIComponent(puzzle.id)}`;
  say(at("from"), `Problem ${puzzle.number} of ${book.title}`);
  const known = puzzle.link && URL.canParse(puzzle.link);
  at("elsewhere").hidden = !known;
  if (known) {
    at("elsewhere").href = puzzle.link;
    say(at("elsewhere"), `Open on ${new URL(puzzle.link).hostname}`);
  }
  at("task").textContent = puzzle.task;
  credit(at("by"), puzzle);
  say(at("stars"), ...stars(puzzle.grade));
  // Themes tell of the solution.
  at("themes").hidden = !solved(puzzle);
  say(at("themes"), ...puzzle.themes.flatMap((name, index) => [
    index ? comma : "", element("abbr", { title: Object.hasOwn(book.themes, name) ? book.themes[name] : "" }, name),
  ]));
  say(at("stands"), ...stands(puzzle));
  at("stands").hidden = !puzzle.stands.length;
  say(at("tree"), ...told(puzzle));
  // What cannot be played has nothing to take back, and no line to step through.
  const playable = puzzle.nodes[0][1].length > 0;
  for (const id of ["undo", "restart", "help"]) at(id).hidden = !playable;
  at("player").hidden = at("mainline").hidden = !puzzle.line.length;
  say(at("whole"), playable ? "Tries and variations" : puzzle.line.length ? "The main line" : "The whole solution");
  restart();
}

function restart() {
  const puzzle = game.puzzle;
  game = { puzzle, turn: game.turn + 1, node: 0, past: [], made: [], hints: game.hints || 0 };
  at("answer").hidden = true;
  settle(OPEN);
  tell("", `${puzzle.side} to move.`, banned(), puzzle.nodes[0][1].length ? ""
    : puzzle.line.length ? " Solve it in your head, then step through the main line: the page has no other moves."
      : " Solve it in your head: the page has its tree.");
}

// Shows the node that the game has come to.
function settle(state) {
  const [board, moves, ban] = game.puzzle.nodes[game.node];
  // The board as it was played has more than the node: who stands where nothing is free.
  surface.show(game.board || boardOf(board), ban === undefined ? null : book.bans[ban], game.trail);
  game.state = state;
  surface.wait(state === OPEN ? moves.map(([number]) => act(number)) : []);
  tools();
}

function banned() {
  const ban = game.puzzle.nodes[game.node][2];
  return ban === undefined ? "" : ` Not allowed here: ${book.bans[ban][0]}.`;
}

// Lets buttons be pressed or not; focus on one that no longer can be goes to `elsewhere`.
function enable(buttons, elsewhere) {
  const lost = buttons.some(([id, can]) => !can && at(id) === document.activeElement);
  for (const [id, can] of buttons) at(id).disabled = !can;
  if (lost) elsewhere().focus({ preventScroll: true });
}

const square = () => surface.cells.get(surface.focus);

function tools() {
  const begun = game.made.length > 0;
  enable([["undo", begun && game.state !== BUSY], ["restart", begun || game.state === SHOWN]], square);
  const more = game.hints < game.puzzle.hints.length;
  enable([["hint", more && game.state !== SOLVED]], () => at("show"));
  if (solved(game.puzzle) || !at("answer").hidden) at("themes").hidden = false;
  at("mark").textContent = solved(game.puzzle) ? `✓ ${translated(how[progress[game.puzzle.id]])}` : "";
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
  return left > 0 ? `${winner} wins in ${duration(left)}` : `${winner} wins`;
}

// Several moves lead from one square to another, such as promotions.
function which(moves) {
  const named = moves.map((index) => [act(game.puzzle.nodes[game.node][1][index][0]).name, index]);
  // Their own order, best first, would tell the solution.
  const buttons = named.sort().map(([name, index]) => pressed(name, () => {
    square().focus({ preventScroll: true }); // the button will be gone
    answer(index);
  }));
  tell("", "Which move? ", ...buttons.flatMap((button) => [button, " "]));
  buttons[0].focus({ preventScroll: true });
}

// The reader has made a legal move of the node.
async function answer(index) {
  const { puzzle, node } = game;
  const [, moves] = puzzle.nodes[node];
  const [number, value, reply, next] = moves[index];
  const turn = ++game.turn;
  const stale = () => game.turn !== turn;
  const top = best(moves);
  game.past.push({ node, trail: game.trail, made: game.made.length, board: game.board });
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
  game.board = surface.board;
  if (good && next >= 0) {
    game.node = next;
    settle(OPEN);
    tell("good", strong(`${mine.name}. `), `${puzzle.other} answers ${theirs.name}. Go on.`, banned());
  } else if (good && next === -1) {
    game.state = SHOWN;
    remember(puzzle.id, 1);
    tell("good", strong(`${mine.name} is right. `), "This page holds no more of this variation: it goes on for ",
      duration(Math.abs(value) - 2), ". The main line is under Solution.", ...onward());
    tools();
  } else if (good) {
    succeed(mine);
  } else {
    fail(mine, theirs, value, moves);
  }
}

function succeed(mine) {
  const { puzzle } = game;
  remember(puzzle.id, 1);
  game.state = SOLVED;
  const value = puzzle.nodes[0][1].reduce((top, [, v]) => (rank(v) > rank(top) ? v : top), -1);
  const done = puzzle.lured ? `${puzzle.other} has gone wrong` : value > 0 ? `${puzzle.side} wins` : value < 0 ? `${puzzle.side} has held out as long as can be` : `${mine.name} holds the draw`;
  tell("good", strong("Solved. "), `${done}.`, ...onward());
  tools();
}

// The way to the next puzzle of the list.
function onward() {
  const next = at("next").getAttribute("href");
  return next ? [" ", element("a", { href: next, class: "onward" }, "Next problem \u2192")] : [];
}

// Explains what is wrong with a move.
function fail(mine, theirs, value, moves) {
  const { side, other } = game.puzzle;
  game.state = FAILED;
  remember(game.puzzle.id, 3);
  const top = Math.max(...moves.map(([, v]) => v).filter((v) => rank(v) === best(moves)));
  const then = theirs ? ` after ${theirs.name}` : " at once";
  const parts = [];
  if (game.puzzle.lured && value >= 0) {
    parts.push(...(value > 0
      ? [strong(`${mine.name} forces a mistake too, but slowly. `), `It takes ${duration(value)}; ${duration(top)} are enough.`]
      : [strong(`${mine.name} keeps the draw. `), theirs ? `${other} may answer ${theirs.name}, and need not go wrong.` : "The game is over."]));
  } else if (value > 0) {
    parts.push(strong(`${mine.name} wins too, but slowly. `), `It takes ${duration(value)}; ${duration(top)} are enough.`);
  } else if (value < 0 && top < 0) {
    parts.push(strong(`${mine.name} loses sooner. `), `${other} wins in ${duration(-value)}${theirs ? `, beginning with ${theirs.name}` : ""}; one can hold out for ${duration(-top)}.`);
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
  game.board = last.board;
  game.made.length = last.made;
  at("answer").hidden = true;
  settle(OPEN);
  tell("", game.made.length ? "Your move." : `${game.puzzle.side} to move.`, banned());
}

function hint() {
  remember(game.puzzle.id, 2);
  const text = game.puzzle.hints[game.hints++];
  at("hints").append(element("li", {}, text));
  tools();
}

// Steps through the main line.
function show() {
  remember(game.puzzle.id, 2);
  game.turn++;
  game.made = [];
  game.past = [];
  game.state = SHOWN;
  at("answer").hidden = false;
  // Where there is no line to step through, the tree is all there is.
  at("tree").parentElement.open = !game.puzzle.line.length;
  main();
  tools();
}

// Goes back from a variation; the button that does it is gone then.
function leave() {
  main();
  at("forward").focus({ preventScroll: true });
}

function main() {
  lay({ moves: game.puzzle.line.map(act), bans: bans(game.puzzle), ended: true, plies: [] });
  step(0, true);
}

// The words of the solution, in which each move can be seen on the board.
function told(puzzle) {
  const words = [];
  for (const piece of puzzle.solution) {
    if (typeof piece === "string") {
      words.push(...piece.match(/^(.*?)(\d+\.+)?$/su).slice(1));
      continue;
    }
    const button = pressed(piece[0], () => vary(piece[1]));
    button.dataset.ply = piece[1];
    // A number stays with its move.
    words.push(element("span", { class: "whole" }, words.pop() ?? "", button), "");
  }
  return words.filter(Boolean);
}

function pressed(name, action) {
  const button = element("button", { type: "button" }, name);
  button.addEventListener("click", action);
  return button;
}

// Shows a ply of a variation, with the line that leads to it and the one that goes on from it.
function vary(ply) {
  const { plies, nodes } = game.puzzle;
  const path = [];
  for (let here = ply; here >= 0; here = plies[here][1]) path.unshift(here);
  const made = path.length;
  const next = (here) => plies.findIndex(([, before]) => before === here);
  for (let here = next(ply); here >= 0; here = next(here)) path.push(here);
  lay({
    moves: path.map((here) => act(plies[here][0])), bans: [nodes[0][2], ...path.map((here) => plies[here][2])],
    ended: plies[path.at(-1)][2] === -1, plies: path,
  });
  step(made - 1, true);
  step(made);
}

// A line to step through, with its moves as buttons.
function lay(line) {
  const boards = [boardOf(game.puzzle.nodes[0][0])];
  for (const move of line.moves) boards.push(after(boards.at(-1), move));
  game.reel = { ...line, boards, at: 0 };
  game.board = null;
  const buttons = line.moves.flatMap((move, index) => {
    const button = pressed(move.name, () => step(index + 1));
    if (index % 2) return [button];
    return [element("span", { class: "whole" }, element("span", { class: "no" }, `${index / 2 + 1}.`), button)];
  });
  const back = pressed("Main line", leave);
  back.className = "plain";
  say(at("mainline"), ...buttons, ...(line.plies.length ? [" ", back] : []));
}

// The forbidden move before each turn of the solver in the main line, by plies made.
function bans(puzzle) {
  const found = [];
  let node = 0;
  for (let made = 0; node >= 0 && node !== undefined; made += 2) {
    const [, moves, ban] = puzzle.nodes[node];
    found[made] = ban;
    node = moves.find(([number]) => number === puzzle.line[made])?.[3];
  }
  return found;
}

// What the player says of a position: whose turn it is, what was lost, what is forbidden.
function said(reel) {
  const { side, other } = game.puzzle;
  if (!reel.moves.length) return "";
  const lost = reel.moves.slice(0, reel.at).flatMap((move, index) => {
    if (move.lost < 0) return [];
    const words = book.legend[reel.boards[index].get(move.slides[move.lost][0])][1];
    return [patterns.length ? words : `${/^[aeiou]/i.test(words) ? "an" : "a"} ${words}`];
  });
  const end = reel.ended && reel.at === reel.moves.length;
  const whose = end ? "The end." : `${reel.at % 2 ? other : side} to move.`;
  const gone = lost.length ? ` Lost so far: ${lost.join(", ")}.` : "";
  const ban = bannedIn(reel);
  return `${whose}${gone}${ban ? ` Not allowed here: ${ban[0]}.` : ""}`;
}

// The forbidden move of the position that is shown, if there is one.
const bannedIn = (reel) => book.bans[reel.bans[reel.at]] || null;

async function step(to, jump) {
  const reel = game.reel;
  if (!reel || to < 0 || to > reel.moves.length) return;
  const turn = ++game.turn;
  game.state = SHOWN;
  if (!jump && to === reel.at + 1) {
    reel.at = to;
    marked();
    // A move that is still on its way lands first.
    if (surface.board !== reel.boards[to - 1]) surface.show(reel.boards[to - 1]);
    await surface.animate(reel.moves[to - 1]);
    if (game.turn !== turn) return;
  } else {
    reel.at = to;
    marked();
  }
  surface.show(reel.boards[to], bannedIn(reel), to ? reel.moves[to - 1] : null);
}

function marked() {
  const reel = game.reel;
  const mark = (button, here) => {
    if (here) button.setAttribute("aria-current", "step");
    else button.removeAttribute("aria-current");
  };
  at("mainline").querySelectorAll("button").forEach((button, index) => mark(button, index + 1 === reel.at));
  const ply = reel.at ? reel.plies[reel.at - 1] : undefined;
  at("tree").querySelectorAll("button").forEach((button) => mark(button, Number(button.dataset.ply) === ply));
  enable([["first", reel.at > 0], ["back", reel.at > 0]], () => at("forward"));
  const more = reel.at < reel.moves.length;
  enable([["last", more], ["forward", more]], () => at("back"));
  tell("", strong(reel.plies.length ? "A variation. " : "The solution. "), said(reel));
}

// The arrow keys step through a solution that is shown.
addEventListener("keydown", (event) => {
  const way = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
  const busy = event.defaultPrevented || event.altKey || event.ctrlKey || event.metaKey;
  if (!way || busy || !game || at("answer").hidden || !game.reel || event.target.closest("select, textarea")) return;
  event.preventDefault();
  step(game.reel.at + way);
});

// The lines that put the puzzle into another page, in a frame that is as wide as there is room and as tall as
// the board, the lines beside it and the tools need.
function snippet() {
  const { id, number, task, title, by, stands } = game.puzzle;
  const [page] = location.href.split("#");
  const [across, down] = [columns, rows].map((many) => many * UNIT + 2 * room());
  const lines = Math.ceil((title + by).length / 32) + stands.length;
  const height = 340 + Math.ceil((360 * down) / across) + 26 * lines;
  const frame = element("iframe", {
    src: `${page}#${encodeURIComponent(id)}&embed`, title: translated(`Problem ${number}: ${task}`),
    loading: "lazy",
  });
  // The policy of this page allows no element with such an attribute.
  return frame.outerHTML.replace(" ", ` style="width: 100%; max-width: 28rem; height: ${height}px; border: 0" `);
}

async function copy(text, button) {
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
    button.focus();
  }
  tell("", done ? strong("Copied: ") : strong("To be copied: "), text);
}

at("undo").addEventListener("click", undo);
at("restart").addEventListener("click", restart);
at("hint").addEventListener("click", hint);
at("show").addEventListener("click", show);
at("copy").addEventListener("click", () => copy(game.puzzle.position, at("copy")));
at("embed").addEventListener("click", () => copy(snippet(), at("embed")));
at("first").addEventListener("click", () => step(0));
at("back").addEventListener("click", () => step(game.reel.at - 1));
at("forward").addEventListener("click", () => step(game.reel.at + 1));
at("last").addEventListener("click", () => step(game.reel.moves.length));
