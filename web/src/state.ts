// SPDX-License-Identifier: BSD-3-Clause
// What the sections share: the method in focus, and the point the crosshair should go to.
import { severalClasses } from "./classes";
import { select } from "./dom";
import type { Method, Study } from "./study";
import { best, opensWith } from "./ranking";

type Listener<T> = (value: T) => void;

export class Signal<T> {
  private listeners: Listener<T>[] = [];
  constructor(private current: T) {}
  get value(): T {
    return this.current;
  }
  set(value: T): void {
    this.current = value;
    for (const listener of this.listeners) listener(value);
  }
  /** Calls now and after each change. */
  watch(listener: Listener<T>): void {
    this.listeners.push(listener);
    listener(this.current);
  }
  onChange(listener: Listener<T>): void {
    this.listeners.push(listener);
  }
}

export interface State {
  /** A name of study.methods: whose numbers are looked at. */
  focus: Signal<string>;
  /** Whose map is looked at: that of the method in focus, once a reader has chosen one. */
  mapOf: Signal<string>;
  /** The class whose map is looked at; null where there are not more than two. */
  ofClass: Signal<string | null>;
  /** World millimetres, or voxels where there is no space. */
  goTo: Signal<[number, number, number] | null>;
}

export function makeState(study: Study): State {
  const focus = new Signal(best(study)?.name ?? "");
  const mapOf = new Signal(opensWith(study)?.name ?? "");
  focus.onChange((name) => mapOf.set(name));
  return {
    focus,
    mapOf,
    ofClass: new Signal(severalClasses(study)?.[0] ?? null),
    goTo: new Signal<[number, number, number] | null>(null),
  };
}

/** A list of methods that follows the one in focus, or whose map is looked at; nothing to choose from one. */
export function methodSelect(
  study: Study,
  state: State,
  fits: (method: Method) => boolean = () => true,
  chosen: Signal<string> = state.focus,
): HTMLElement | null {
  const choices = study.methods.filter(fits).map((method) => ({ value: method.name, label: method.name }));
  if (choices.length < 2) return null;
  const { element, control } = select("Method", choices, chosen.value, (name) => chosen.set(name));
  chosen.watch((name) => {
    if (choices.some(({ value }) => value === name)) control.value = name;
    else control.selectedIndex = -1;
  });
  return element;
}

/** A list of classes that follows the one whose map is looked at; nothing where there are not more than two. */
export function classSelect(study: Study, state: State): HTMLElement | null {
  const choices = (severalClasses(study) ?? []).map((name) => ({ value: name, label: name }));
  if (choices.length === 0) return null;
  const { element, control } = select("Class", choices, state.ofClass.value ?? "", (name) => state.ofClass.set(name));
  state.ofClass.watch((name) => (control.value = name ?? ""));
  return element;
}
