// Small helpers. Texts become text nodes, never markup.

export const SVG = "http://www.w3.org/2000/svg";
export const at = (id) => document.getElementById(id);

export function element(name, attributes = {}, ...children) {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    if (key === "on") for (const [event, act] of Object.entries(value)) made.addEventListener(event, act);
    else if (value !== null && value !== false) made.setAttribute(key, value === true ? "" : value);
  }
  made.append(...children.flat());
  return made;
}

export function shape(name, attributes = {}, ...children) {
  const made = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  made.append(...children);
  return made;
}

// A picture that the program drew, for a light and for a dark page.
export function art(thing) {
  return ["screen", "dark"].filter((name) => thing[name]).map((name) => {
    const picture = document.importNode(new DOMParser().parseFromString(thing[name], "image/svg+xml").documentElement, true);
    picture.removeAttribute("width");
    picture.removeAttribute("height");
    picture.setAttribute("aria-hidden", "true");
    return element("span", { class: `art ${name === "dark" ? "night" : "day"}` }, picture);
  });
}

// A count with its noun, and with the verb that follows.
export const plural = (count, one, many = `${one}s`) => `${count.toLocaleString("en")} ${count === 1 ? one : many}`;

export const plies = (count) => plural(count, "ply", "plies");

export const fouls = (count) => plural(count, "foul");

// A value in words: "win in 7 plies", or what a nimber says.
export function worth(value) {
  const shown = value.plies === null || value.plies === undefined ? "" : ` in ${plies(value.plies)}`;
  const nimber = value.nimber === undefined || value.nimber === null ? "" : `, leaves ${value.nimber}`;
  return `${value.outcome}${shown}${nimber}`;
}

// Lets one button of a group be chosen, by pointer and by arrow keys.
export function choose(group, button, role = "aria-checked") {
  for (const other of group) {
    other.setAttribute(role, String(other === button));
    other.tabIndex = other === button ? 0 : -1;
  }
}

export function arrows(group, act) {
  for (const [place, button] of group.entries()) {
    button.addEventListener("keydown", (event) => {
      const step = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }[event.key];
      if (!step) return;
      event.preventDefault();
      const next = group[(place + step + group.length) % group.length];
      next.focus();
      act(next);
    });
  }
}

export function diagram(position, words, more = "") {
  const style = matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "screen";
  const source = `api/diagram.svg?style=${style}&position=${encodeURIComponent(position)}${more}`;
  return element("img", { src: source, alt: words, loading: "lazy" });
}
