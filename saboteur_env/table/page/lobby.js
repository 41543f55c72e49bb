// The lobby: makes tables, and shows the links of their seats.

import { at, make } from "./dom.js";
import { complain, connect } from "./wire.js";

const PERSON = "person";
let offers = null, sitDown = false;

const send = connect({ kind: "lobby", key: location.hash.slice(1) }, message => {
  if (message.kind === "error") complain(message.words);
  if (message.kind === "handed over") complain(`Seat ${message.seat} is now played by ${message.player}.`);
  if (message.kind === "lobby") showLobby(message);
});

function showLobby(lobby) {
  complain("");
  const links = lobby.tables.length ? Object.values(lobby.tables[0].links) : [];
  if (sitDown && links.length) return location.assign(links[0]);
  if (!offers) offer(lobby);
  offers = lobby;
  at("tables").replaceChildren(...lobby.tables.map(showTable));
}

function offer(lobby) {
  offers = lobby;
  const choose = (id, values, chosen) =>
    at(id).replaceChildren(...values.map(value => new Option(value, value, value === chosen, value === chosen)));
  choose("count", [3, 4, 5, 6, 7, 8, 9, 10], 5);
  choose("rounds", [1, 2, 3, 4, 5, 6, 7, 8, 9, 10], 3);
  choose("edition", Object.keys(lobby.editions), "lv");
  at("switches").replaceChildren(...Object.entries(lobby.switches).map(([name, values]) => {
    const options = [new Option("as the edition says", ""), ...values.map(value => new Option(value, JSON.stringify(value)))];
    return make("label", {}, name.replaceAll("_", " "), make("select", { name }, ...options));
  }));
  at("count").addEventListener("change", seats);
  seats();
  for (const id of ["quick", "make"]) at(id).disabled = false;
}

function seats() {
  const count = +at("count").value;
  const before = [...at("seats").querySelectorAll("select")].map(select => select.value);
  at("seats").replaceChildren(...Array.from({ length: count }, (_, seat) => {
    const select = make("select", { "data-seat": seat }, ...[PERSON, ...offers.dwarfs].map(name => new Option(name, name)));
    select.value = before[seat] ?? (seat ? offers.dwarfs[0] : PERSON);
    return make("label", {}, `dwarf ${seat}`, select);
  }));
  const nobody = new Option("nobody", "");
  at("advised").replaceChildren(nobody, ...Array.from({ length: count }, (_, seat) => new Option(`dwarf ${seat}`, seat)));
  at("advised").disabled = !offers.teacher;
}

function showTable(table) {
  const players = table.seats.join(", ");
  const state = table.started ? `${table.events} moves` : "not begun";
  const links = Object.entries(table.links).map(([who, path]) => make("li", {}, `${who}: `, link(path), handOver(table, who)));
  return make("li", {}, make("p", {}, `${table.made} UTC, edition ${table.edition}, ${state}: ${players}`), make("ul", {}, ...links));
}

function link(path) {
  return make("a", { href: path, target: "_blank", rel: "noopener" }, new URL(path, location.href).href);
}

function handOver(table, who) {
  if (!who.startsWith("seat ")) return "";
  const seat = +who.slice(5);
  const select = make("select", { "aria-label": `who plays seat ${seat}` }, new Option("hand over to …", ""));
  select.append(...[PERSON, ...offers.dwarfs].map(name => new Option(name, name)));
  select.addEventListener("change", () => {
    if (select.value) send({ kind: "hand over", table: table.table, seat, player: select.value });
  });
  return make("span", {}, " ", select);
}

at("quick").addEventListener("click", () => {
  sitDown = true;
  const dwarf = offers.dwarfs[0];
  send({ kind: "new", seats: [PERSON, dwarf, dwarf, dwarf, dwarf], advised: offers.teacher ? 0 : null });
});

at("form").addEventListener("submit", event => {
  event.preventDefault();
  const options = {};
  for (const select of at("switches").querySelectorAll("select")) if (select.value) options[select.name] = JSON.parse(select.value);
  send({
    kind: "new",
    seats: [...at("seats").querySelectorAll("select")].map(select => select.value),
    edition: at("edition").value,
    rounds: +at("rounds").value,
    options,
    clock: Math.trunc(+at("clock").value) || 0,
    advised: at("advised").value === "" ? null : +at("advised").value,
    watched: at("watched").checked,
  });
});
