// What is said to all: the messages of the round, and a line to say one.

import { at, make } from "./dom.js";

let round = 0, shown = 0;

export function showTalk(state) {
  at("talk").hidden = !state.messages;
  if (!state.messages) return;
  at("speak").hidden = state.seat === null;
  if (round !== state.round) {
    [round, shown] = [state.round, 0];
    at("heard").replaceChildren();
  }
  const fresh = state.messages.slice(shown);
  at("heard").append(...fresh.map(([seat, text]) => make("li", {}, make("b", {}, `dwarf ${seat}: `), text)));
  if (fresh.some(([seat, text]) => seat === state.seat && text === at("saying").value)) at("saying").value = "";
  if (fresh.length) at("heard").scrollTop = at("heard").scrollHeight;
  shown = state.messages.length;
}

export function listen(say) {
  at("speak").addEventListener("submit", event => {
    event.preventDefault();
    if (at("saying").value.trim()) say(at("saying").value);
  });
}
