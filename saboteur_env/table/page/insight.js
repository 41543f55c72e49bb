// What dwarfs thought: the odds of their moves, and whom they held for saboteurs.

import { at, make } from "./dom.js";

export function showAdvice(advice) {
  at("told").replaceChildren(make("h2", {}, `${advice.player} would say: ${advice.words}`), ...details(advice));
}

export function showThoughts(thoughts) {
  const told = thoughts.moves.map(move => make("details", { className: "thought" },
    make("summary", {}, `${move.words} (${move.player})`), ...details(move)));
  at("told").replaceChildren(make("h2", {}, `Round ${thoughts.round}`), ...told);
}

function details(thought) {
  const beliefs = thought.beliefs.flatMap((chance, seat) => chance === null ? [] : [[`dwarf ${seat}`, chance, 0]]);
  return [
    ...table("Probability of each move", thought.odds),
    ...table("Held for saboteurs", beliefs),
    ...(thought.said ? [make("p", { className: "said" }, thought.said)] : []),
    ...(thought.odds.length || beliefs.length || thought.said ? [] : [make("p", { className: "help" }, "Nothing is known of this move.")]),
  ];
}

function table(title, rows) {
  if (!rows.length) return [];
  const body = rows.map(([words, chance, played]) => {
    const bar = make("div", { className: "bar" });
    bar.style.width = `${100 * chance}%`;
    const cells = [words, bar, `${(100 * chance).toFixed(1)} %`].map(content => make("td", {}, content));
    return make("tr", { className: played ? "played" : "" }, ...cells);
  });
  return [make("p", { className: "help" }, title), make("table", { className: "odds" }, make("tbody", {}, ...body))];
}
