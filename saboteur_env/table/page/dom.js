// Elements by id, and new ones in a line.

export const at = id => document.getElementById(id);

export function make(name, properties = {}, ...children) {
  const element = document.createElement(name);
  for (const [key, value] of Object.entries(properties))
    if (key in element) element[key] = value;
    else element.setAttribute(key, value);
  element.append(...children);
  return element;
}

const SVG = "http://www.w3.org/2000/svg";

export function draw(name, attributes = {}, ...children) {
  const element = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
  element.append(...children);
  return element;
}

export async function loadPictures() {
  const holder = draw("svg", { class: "pictures", "aria-hidden": "true" });
  holder.innerHTML = (await (await fetch("/page/pictures.svg")).text()).replace(/^<svg[^>]*>|<\/svg>$/g, "");
  document.body.prepend(holder);
}

export const picture = name => `#sab-${name.replace(/[:+]/g, "-")}`;

export function card(name) {
  return draw("svg", { viewBox: "0 0 60 84", "aria-hidden": "true" }, draw("use", { href: picture(name) }));
}
