// SPDX-License-Identifier: BSD-3-Clause
// The list of sections that stays in sight, and the switch between light and dark.
import { button, h } from "./dom";
import type { Section } from "./sections/section";

/** As the system has it, until the reader says otherwise. */
function themeSwitch(): HTMLElement {
  const root = document.documentElement;
  const system = matchMedia("(prefers-color-scheme: dark)");
  let dark = system.matches;
  let asked = false;
  const press: HTMLButtonElement = button("", () => ((asked = true), apply(!dark)), {
    class: "theme",
    title: "Switch between light and dark",
  });
  const apply = (next: boolean) => {
    dark = next;
    root.dataset["theme"] = dark ? "dark" : "light";
    press.textContent = dark ? "Light" : "Dark";
  };
  apply(dark);
  system.addEventListener("change", () => asked || apply(system.matches));
  return press;
}

/** The first stop of the keyboard: past the list of sections. */
export function skipLink(): HTMLElement {
  return h("a", { class: "skip", href: "#main" }, "Skip to the content");
}

/** Warnings stand second, with their number, wherever their section is. */
function inOrder(sections: Section[]): Section[] {
  const warnings = sections.filter(({ id }) => id === "warnings");
  const others = sections.filter(({ id }) => id !== "warnings");
  return [...others.slice(0, 1), ...warnings, ...others.slice(1)];
}

function linkTo({ id, short, count }: Section): HTMLAnchorElement {
  if (!count) return h("a", { href: `#${id}` }, short);
  return h("a", { href: `#${id}`, class: "counted" }, short, " ", h("span", { class: "count" }, count));
}

export function navigation(sections: Section[]): HTMLElement {
  const links = new Map(inOrder(sections).map((section) => [section.id, linkTo(section)]));
  const list = h("ul", {}, ...[...links.values()].map((link) => h("li", {}, link)));
  const mark = (id: string) => {
    for (const [other, link] of links) {
      if (other !== id) link.removeAttribute("aria-current");
      else if (!link.hasAttribute("aria-current")) {
        link.setAttribute("aria-current", "true");
        // On a phone the list scrolls sideways; the page itself must not move.
        list.scrollTo({
          left: link.offsetLeft - list.clientWidth / 2 + link.clientWidth / 2,
          behavior: matchMedia("(prefers-reduced-motion: reduce)").matches ? "auto" : "smooth",
        });
      }
    }
  };
  const visible = new Set<string>();
  const observer = new IntersectionObserver(
    (entries) => {
      for (const entry of entries) {
        if (entry.isIntersecting) visible.add(entry.target.id);
        else visible.delete(entry.target.id);
      }
      const first = sections.find(({ id }) => visible.has(id));
      if (first) mark(first.id);
    },
    { rootMargin: "-20% 0px -60% 0px" },
  );
  for (const { element } of sections) observer.observe(element);
  return h("nav", { "aria-label": "Sections" }, h("div", { class: "brand" }, "sturm"), list, themeSwitch());
}
