// A table: shows every state that the server sends, and sends what is chosen.

import { at, loadPictures, make } from "./dom.js";
import { pickUp, showHand } from "./hand.js";
import { showAdvice, showThoughts } from "./insight.js";
import { listen, showTalk } from "./talk.js";
import { complain, connect } from "./wire.js";

let state = null, sent = -1;

const [table, who, key] = location.hash.slice(1).split("/");
await loadPictures();
const send = connect({ kind: "enter", table, who: (who ?? "").replace("-", " "), key }, message => hear[message.kind]?.(message));

const hear = {
  entered: message => {
    at("stand-in").replaceChildren(
      new Option("I play myself", "person"), ...message.dwarfs.map(name => new Option(`${name} plays for me`, name)));
  },
  state: message => show(message),
  error: message => {
    sent = -1;
    complain(message.words);
  },
  advice: message => showAdvice(message),
  thoughts: message => showThoughts(message),
  kept: message => {
    const file = new Blob([message.text], { type: message.name.endsWith("html") ? "text/html" : "application/json" });
    const address = URL.createObjectURL(file);
    make("a", { href: address, download: message.name }).click();
    setTimeout(() => URL.revokeObjectURL(address), 10000);
  },
};

function show(next) {
  const fresh = !state || state.number !== next.number;
  if (fresh) complain(next.trouble);
  if (state && state.round !== next.round) at("told").replaceChildren();
  state = next;
  const waiting = state.phase === "waiting", over = state.phase.endsWith("over");
  at("waiting").hidden = !waiting;
  for (const id of ["board", "table", "record", "insight"]) at(id).hidden = waiting;
  at("yours").hidden = waiting || state.seat === null;
  at("end").hidden = waiting || !over;
  at("keys").hidden = over;
  if (waiting) return showWaiting();
  showWords(fresh);
  showPicture("mine", state.mine);
  showPicture("dwarfs", state.dwarfs);
  showRecord();
  showTalk(state);
  showButtons(over);
  if (state.seat !== null) showHand(state, fresh, play);
}

function showWaiting() {
  at("seats").replaceChildren(...state.sitting.map((player, seat) => {
    const here = state.here[seat] ? "is here" : "is awaited";
    return make("li", {}, `dwarf ${seat}${seat === state.seat ? " (you)" : ""}: ${player}, ${here}`);
  }));
}

function showWords(fresh) {
  const absent = state.sitting.flatMap((player, seat) => state.here[seat] ? [] : [`dwarf ${seat}`]);
  const away = absent.length && state.phase === "play" ? `; ${absent.join(", ")} ${absent.length > 1 ? "are" : "is"} away` : "";
  at("role").textContent = state.role ? `You are dwarf ${state.seat}, a ${state.role}` : "All cards are open";
  at("role").className = `role-${state.role ?? "none"}`;
  at("headline").textContent = [state.headline, state.goals, state.past].filter(Boolean).join("; ");
  const doing = state.state.replace(`dwarf ${state.seat} to move`, "it is your turn");
  const chooses = state.phase === "play" && state.turn === state.seat && !doing.includes("your turn");
  at("state").textContent = (chooses ? "it is your turn: " : "") + doing + away;
  at("last").textContent = state.last || "No move yet in this round";
  at("says").textContent = `the mine; ${state.last || "no move yet"}; ${state.state}`;
  at("guide").replaceChildren(...state.guide.map(words => make("li", {}, words)));
  at("result").textContent = state.state;
  at("who").textContent = state.sitting.map((player, seat) => `${seat}: ${seat === state.seat && player === "person" ? "you" : player}`).join(", ");
  if (fresh) {
    at("last").classList.remove("fresh");
    requestAnimationFrame(() => at("last").classList.add("fresh"));
  }
}

function showPicture(id, picture) {
  at(id).setAttribute("viewBox", picture.box);
  at(id).querySelector(".shown").innerHTML = picture.layers.join("");
}

function showRecord() {
  at("moves").replaceChildren(...state.record.map(words => make("li", {}, words)));
  at("moves").scrollTop = at("moves").scrollHeight;
}

function showButtons(over) {
  const matchOver = state.phase === "match over", mine = state.seat !== null;
  at("next").hidden = matchOver || !mine;
  for (const id of ["keep-page", "keep-transcript"]) at(id).hidden = !matchOver && mine;
  at("ask").hidden = !(mine && state.advised === state.seat && state.turn === state.seat);
  at("thoughts").hidden = mine && !over && state.round === 1;
  at("thoughts").textContent = over || !mine ? "What the dwarfs thought" : "What they thought in the last round";
  at("handing").hidden = !mine;
  if (mine) at("stand-in").value = state.sitting[state.seat];
}

function play(move) {
  if (sent === state.number) return;
  if (send({ kind: "play", number: state.number, move })) sent = state.number;
}

function tick() {
  if (!state?.deadline) at("clock").textContent = "";
  else {
    at("clock").textContent = `${Math.ceil(state.deadline)} s left`;
    state.deadline = Math.max(0, state.deadline - 1);
  }
}

setInterval(tick, 1000);
listen(text => send({ kind: "say", text }));
at("next").addEventListener("click", () => send({ kind: "next round", number: state.number }));
at("keep-page").addEventListener("click", () => send({ kind: "keep", form: "page" }));
at("keep-transcript").addEventListener("click", () => send({ kind: "keep", form: "transcript" }));
at("ask").addEventListener("click", () => send({ kind: "advice", number: state.number }));
at("thoughts").addEventListener("click", () => {
  const over = state.phase.endsWith("over") || state.seat === null;
  send({ kind: "thoughts", round: over ? state.round : state.round - 1 });
});
at("stand-in").addEventListener("change", () => {
  send({ kind: "hand over", table, seat: state.seat, player: at("stand-in").value });
});

document.addEventListener("keydown", event => {
  if (!state?.hand || event.ctrlKey || event.metaKey || event.altKey || ["SELECT", "INPUT"].includes(event.target.tagName)) return;
  pickUp(event);
});
