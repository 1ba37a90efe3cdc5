// SPDX-License-Identifier: BSD-3-Clause
// How everything gets into the document. Text becomes text nodes, never markup, so names and labels from files stay inert.

export type Child = Node | string | number | null | undefined | false;
export type Attributes = { [name: string]: string | number | boolean | null | undefined };

const svgSpace = "http://www.w3.org/2000/svg";

function setAttributes(element: Element, attributes: Attributes): void {
  for (const [name, value] of Object.entries(attributes)) {
    if (value === null || value === undefined || value === false) continue;
    // Handlers are added by code, styles by the sheet, and links stay within the page.
    if (/^(on|style|src)/i.test(name) || (/href/i.test(name) && !String(value).startsWith("#")))
      throw new Error(`The attribute ${name} is not set from data.`);
    element.setAttribute(name, value === true ? "" : String(value));
  }
}

export function append(parent: Node, children: Child[]): void {
  for (const child of children) {
    if (child === null || child === undefined || child === false) continue;
    parent.appendChild(child instanceof Node ? child : document.createTextNode(String(child)));
  }
}

/** An HTML element. */
export function h<K extends keyof HTMLElementTagNameMap>(
  tag: K,
  attributes: Attributes = {},
  ...children: Child[]
): HTMLElementTagNameMap[K] {
  const element = document.createElement(tag);
  setAttributes(element, attributes);
  append(element, children);
  return element;
}

/** An SVG element. */
export function s<K extends keyof SVGElementTagNameMap>(
  tag: K,
  attributes: Attributes = {},
  ...children: Child[]
): SVGElementTagNameMap[K] {
  const element = document.createElementNS(svgSpace, tag) as SVGElementTagNameMap[K];
  setAttributes(element, attributes);
  append(element, children);
  return element;
}

export function replace(parent: Node & ParentNode, ...children: Child[]): void {
  parent.replaceChildren();
  append(parent, children);
}

export function button(label: string, action: () => void, attributes: Attributes = {}): HTMLButtonElement {
  const element = h("button", { type: "button", ...attributes }, label);
  element.addEventListener("click", action);
  return element;
}

export interface Choice {
  value: string;
  label: string;
}

/** A labelled drop-down list. */
export function select(
  label: string,
  choices: Choice[],
  chosen: string,
  action: (value: string) => void,
): { element: HTMLLabelElement; control: HTMLSelectElement } {
  const control = h("select");
  for (const { value, label: text } of choices) control.append(h("option", { value }, text));
  control.value = chosen;
  control.addEventListener("change", () => action(control.value));
  return { element: h("label", { class: "field" }, h("span", {}, label), control), control };
}

/** What a section says in place of what the study does not have. */
export function absent(sentence: string): HTMLElement {
  return h("p", { class: "absent" }, sentence);
}
