// The hand: cards are picked up and turned, and the places where they may go are marked.

import { at, card, draw, make, picture } from "./dom.js";

const NUDGE = { ArrowLeft: -1, ArrowUp: -1, ArrowRight: 1, ArrowDown: 1 };
let state = null, play = null, picked = null, turned = false;

export function showHand(next, fresh, chosen) {
  state = next;
  play = chosen;
  if (fresh || !state.hand.some(held => held.card === picked)) putBack();
  else showAll();
}

export function pickUp(event) {
  const number = +event.key;
  if (number >= 1 && number <= state.hand.length) pick(state.hand[number - 1].card, true);
  else if (event.key === "Escape") putBack(true);
  else if (event.key === "t" || event.key === "T") turn();
  else if (event.key in NUDGE && nudge(NUDGE[event.key])) event.preventDefault();
}

function pick(name, byKey = false) {
  turned = picked === name && !byKey ? !turned : false;
  picked = name;
  const held = heldCard();
  const fits = orientation => held.uses.some(use => use.orientation === orientation);
  if (!turned && held.orientations.length > 1 && !fits(held.orientations[0]) && fits(held.orientations[1])) turned = true;
  showAll();
  at("uses").querySelector("button")?.focus();
}

function turn() {
  if ((heldCard()?.orientations.length ?? 0) < 2) return;
  turned = !turned;
  showAll();
  at("uses").querySelector("button")?.focus();
}

function putBack(byKey = false) {
  const before = state.hand.findIndex(held => held.card === picked);
  picked = null;
  turned = false;
  showAll();
  if (byKey && before >= 0) at("hand").children[before].focus();
}

function nudge(by) {
  const group = document.activeElement?.closest("#hand, #uses");
  if (!group) return false;
  const buttons = [...group.querySelectorAll("button")];
  const next = buttons[(buttons.indexOf(document.activeElement) + by + buttons.length) % buttons.length];
  next.focus();
  return true;
}

const heldCard = () => state.hand.find(held => held.card === picked);
const orientationOf = held => held.orientations.length ? held.orientations[held.card === picked && turned ? held.orientations.length - 1 : 0] : null;

function usesNow() {
  const held = heldCard();
  if (!held) return state.choices;
  return held.uses.filter(use => use.orientation === null || use.orientation === orientationOf(held));
}

function showAll() {
  const mine = state.turn === state.seat && state.phase === "play";
  at("hand").replaceChildren(...state.hand.map(showCard));
  const held = heldCard();
  at("help").textContent = held ? held.help : "";
  const uses = mine ? usesNow() : [];
  for (const panel of ["mine", "dwarfs"]) {
    const here = uses.filter(use => use.panel === panel);
    at(panel).querySelector(".targets").replaceChildren(...here.map(use => target(use, here)));
  }
  const buttons = uses.map(use => {
    const button = make("button", { "data-move": use.move }, capital(use.words));
    button.addEventListener("click", () => play(use.move));
    for (const [event, active] of [["focus", true], ["mouseenter", true], ["blur", false], ["mouseleave", false]])
      button.addEventListener(event, () => mark(use.move, active));
    return button;
  });
  if (held && held.orientations.length > 1) {
    const button = make("button", { id: "turn" }, "Turn it (T)");
    button.addEventListener("click", turn);
    buttons.push(button);
  }
  at("uses").replaceChildren(...buttons);
}

function showCard(held, index) {
  const copies = held.copies > 1 ? ` × ${held.copies}` : "";
  const properties = { "aria-pressed": held.card === picked, "aria-keyshortcuts": index + 1, "data-card": held.card };
  const button = make("button", properties, card(orientationOf(held) ?? held.card), make("span", {}, `${held.words}${copies}`));
  button.addEventListener("click", () => pick(held.card));
  return button;
}

function target(use, all) {
  const [x, y, width, height] = use.box;
  const group = draw("g", { class: "target", "data-move": use.move });
  group.append(draw("rect", { x: x + 1, y: y + 1, width: width - 2, height: height - 2, rx: 5 }));
  if (use.orientation) {
    const scale = width / 60;
    group.append(draw("use", { class: "ghost", href: picture(use.orientation), transform: `translate(${x} ${y}) scale(${scale})` }));
  }
  if (all.some(other => other !== use && other.box[1] === y && use.panel === "dwarfs")) {
    const label = draw("text", { x: x + width / 2, y: y + height - 8 });
    label.textContent = use.words.split(" with ")[0].split(" ").at(-1);
    group.append(label);
  }
  group.append(draw("title", {}, capital(use.words)));
  group.addEventListener("click", () => play(use.move));
  return group;
}

function mark(move, active) {
  for (const group of document.querySelectorAll(".target")) if (group.dataset.move === move) group.classList.toggle("active", active);
}

const capital = words => words[0].toUpperCase() + words.slice(1);
