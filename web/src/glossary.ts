// SPDX-License-Identifier: BSD-3-Clause
// What the page's terms mean: half a sentence for each, shown where a term is pointed at, focused or tapped, and listed at
// the end of a print. The texts stand here and nowhere else.
import { h } from "./dom";
import { explain } from "./chart/tip";

export interface Term {
  /** As the page writes it. The first is that of the list. */
  names: string[];
  text: string;
  /** Only where the name is all there is: it has other meanings within a sentence. */
  alone?: boolean;
}

export const terms: { [key: string]: Term } = {
  accuracy: { names: ["accuracy"], text: "the share of samples whose class is named correctly", alone: true },
  auc: {
    names: ["AUC", "area below the curve", "area under the curve"],
    text: "the chance that a positive sample gets a higher decision value than a negative one; 0.5 by guessing",
  },
  balance: {
    names: ["balance"],
    text: "how the penalty is divided: 0 asks for few voxels alone, 1 for few simple patterns alone",
  },
  balanced_accuracy: {
    names: ["balanced accuracy"],
    text: "the mean of the accuracies of the classes, so that a large class counts no more than a small one",
  },
  calibration: {
    names: ["calibration"],
    text: "whether samples that get a probability of 0.8, say, are right about 8 times in 10",
  },
  chance: { names: ["chance", "chance level"], text: "the score to expect from guessing", alone: true },
  cluster: { names: ["clusters", "cluster"], text: "voxels with weight that touch each other", alone: true },
  confusion: { names: ["confusion matrix"], text: "how often each class was named for samples of each class" },
  convergence: {
    names: ["convergence", "unconverged"],
    text: "a fit has converged once its relative gap is as small as was asked for",
    alone: true,
  },
  corrected_t: {
    names: ["corrected resampled t-test", "corrected resampled t"],
    text: "a t-test over folds that allows for the training samples that folds share",
  },
  decision: {
    names: ["decision value", "decision values", "largest decision", "decision", "decisions"],
    text: "the number that a model computes for a sample; its sign, or the largest of several, gives the class",
  },
  dice: {
    names: ["Dice"],
    text: "the overlap of two sets of voxels: 1 if they are the same, 0 if they have no voxel in common",
  },
  forced_choice: {
    names: ["forced choice"],
    text: "how often a model picks the right one of two samples of the same person, one of each class; 50 % by guessing",
  },
  forward_pattern: {
    names: ["forward patterns", "forward pattern"],
    text: "how strongly each voxel varies with the decision; unlike a weight, it shows where the signal itself is",
  },
  groups: { names: ["groups"], text: "samples that belong together, such as those of one person; folds keep them together", alone: true },
  held_out: {
    names: ["held-out", "held out", "left out"],
    text: "not used to train the model that predicts it",
    alone: true,
  },
  inner: {
    names: ["inner cross-validation", "inner scores", "inner score", "inner fits"],
    text: "the cross-validation within the training samples that chooses the settings",
  },
  interval: {
    names: ["interval over people", "intervals over people", "95 % intervals", "95 % interval"],
    text: "how far the score could move if other people had taken part",
  },
  learning_curve: { names: ["learning curve"], text: "how the score grows with the number of training samples" },
  majority: {
    names: ["largest class", "larger class", "majority"],
    text: "how often one would be right by always naming the class with the most samples",
    alone: true,
  },
  mae: { names: ["mean absolute error"], text: "how far predictions are off on average, in the units of the target" },
  mask: { names: ["mask"], text: "the voxels that take part", alone: true },
  mcnemar: {
    names: ["McNemar's test", "McNemar"],
    text: "a test of whether two methods differ in the samples that only one of them gets right",
  },
  nested: {
    names: ["nested cross-validation", "cross-validated decoding"],
    text: "settings are chosen within the training samples alone, so that the samples left out stay unseen",
  },
  outer: { names: ["outer folds", "outer fold"], text: "the parts of the samples that are left out and predicted in turn" },
  permutation: {
    names: ["permutation p", "p, permutation", "permuted labels", "permutations of the labels"],
    text: "how often the whole procedure scores at least as well after the labels are shuffled",
  },
  r2: { names: ["R²"], text: "the share of the target's variance that is predicted; 0 or less is no better than its mean" },
  relative_gap: {
    names: ["certified relative gap", "relative gap", "worst gap"],
    text: "a bound on how much better any other map could be: 0.001 means at most 0.1 %",
  },
  resize: { names: ["resize factor", "resize"], text: "the size of the volumes after resizing, as a share of the original along each axis" },
  roc: {
    names: ["ROC curves", "ROC curve", "ROC"],
    text: "hits against false alarms, for every threshold on the decision value",
  },
  sensitivity: { names: ["sensitivity"], text: "the share of positive samples that are recognised", alone: true },
  sparsity_in_mask: {
    names: ["sparsity in the mask"],
    text: "the share of the coefficients inside the mask that are exactly zero",
  },
  sparsity_of_box: {
    names: ["sparsity of the box"],
    text: "the share of zero coefficients in the whole volume, with what lies outside the mask",
  },
  sparsity: { names: ["sparsity"], text: "the share of coefficients that are exactly zero" },
  specificity: { names: ["specificity"], text: "the share of negative samples that are recognised", alone: true },
  stability: { names: ["stability", "sign agreement", "selected"], text: "how far the models of the folds agree on a voxel", alone: true },
  strength: {
    names: ["strength"],
    text: "the size of the penalty as a share of the one that leaves no voxel; smaller values keep more voxels",
  },
  tubal_rank: {
    names: ["tubal rank"],
    text: "how many simple patterns a map is built from: the largest rank of its slices after a Fourier transform along the third axis",
  },
};

const found = new Map<string, string>();
for (const [key, { names }] of Object.entries(terms)) for (const name of names) found.set(name.toLowerCase(), key);

const plain = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
const byLength = [...found.keys()].sort((a, b) => b.length - a.length);
const anyName = new RegExp(`(?<![\\p{L}\\p{N}-])(?:${byLength.map(plain).join("|")})(?![\\p{L}\\p{N}-])`, "giu");

/** The term that a title is about: alone, or with a unit or remark in brackets behind it. */
export function termOf(title: string): string | null {
  return found.get(title.replace(/\s*\(.*\)$/, "").trim().toLowerCase()) ?? null;
}

const idOf = (key: string): string => `term-${key}`;

const capital = (text: string): string => text.slice(0, 1).toUpperCase() + text.slice(1);

/** The list that terms point to, and that a print ends with: of those that occur. Made when it is first asked for. */
let list: { element: HTMLElement; entries: Map<string, HTMLElement> } | null = null;

function theList(): { element: HTMLElement; entries: Map<string, HTMLElement> } {
  if (list) return list;
  const element = h("dl");
  const entries = new Map<string, HTMLElement>();
  const sorted = Object.entries(terms).sort(([, a], [, b]) => a.names[0]!.localeCompare(b.names[0]!, "en"));
  for (const [key, { names, text }] of sorted) {
    const entry = h("div", { hidden: true }, h("dt", {}, capital(names[0]!)), h("dd", { id: idOf(key) }, `${capital(text)}.`));
    element.append(entry);
    entries.set(key, entry);
  }
  return (list = { element, entries });
}

export function glossary(): HTMLElement {
  return h("section", { id: "glossary", "aria-labelledby": "glossary-heading" }, h("h2", { id: "glossary-heading" }, "Terms"), theList().element);
}

/** Lets an element that can have the focus say what its term means, too. */
export function describe(element: HTMLElement, key: string): void {
  const { names, text } = terms[key]!;
  theList().entries.get(key)!.hidden = false;
  element.setAttribute("aria-describedby", idOf(key));
  explain(element, [capital(names[0]!), `${capital(text)}.`]);
}

const readable = "p, figcaption, h3, dt, li, .tile-label, .tile-note";
// Controls have actions of their own; the methods text is there to be copied.
const closed = "button, a, label, select, table, svg, pre, summary, h1, h2, .term, [aria-live], [hidden], .absent, .prose, .references, #glossary";

function* textNodes(root: HTMLElement): Generator<Text> {
  const walker = document.createTreeWalker(root, NodeFilter.SHOW_ELEMENT | NodeFilter.SHOW_TEXT, (node) => {
    if (node instanceof Text) return node.parentElement!.closest(readable) ? NodeFilter.FILTER_ACCEPT : NodeFilter.FILTER_REJECT;
    return (node as Element).matches(closed) ? NodeFilter.FILTER_REJECT : NodeFilter.FILTER_SKIP;
  });
  while (walker.nextNode()) yield walker.currentNode as Text;
}

function mark(text: Text, at: number, length: number, key: string): void {
  const name = text.splitText(at);
  name.splitText(length);
  // A real button would not wrap with the sentence around it.
  const word = h("span", { role: "button", tabindex: 0, class: "term", "data-term": key }, name.data);
  describe(word, key);
  word.addEventListener("keydown", (event) => {
    if (event.key !== "Enter" && event.key !== " ") return;
    event.preventDefault();
    word.click();
  });
  name.replaceWith(word);
}

/** Marks the first mention of each term in a section. */
function annotate(section: HTMLElement): void {
  const done = new Set<string>();
  for (const word of section.querySelectorAll<HTMLElement>("[data-term]")) done.add(word.dataset["term"]!);
  for (const text of [...textNodes(section)]) {
    let node = text;
    for (;;) {
      anyName.lastIndex = 0;
      let match = anyName.exec(node.data);
      const usable = (it: RegExpExecArray) => {
        const key = found.get(it[0].toLowerCase())!;
        return !done.has(key) && (!terms[key]!.alone || node.parentElement!.textContent!.trim() === it[0]);
      };
      while (match && !usable(match)) match = anyName.exec(node.data);
      if (!match) break;
      const key = found.get(match[0].toLowerCase())!;
      done.add(key);
      mark(node, match.index, match[0].length, key);
      const rest = node.nextSibling?.nextSibling;
      if (!(rest instanceof Text)) break;
      node = rest;
    }
  }
}

/** Marks the terms of sections now, and again where a section changes. */
export function explainTerms(sections: HTMLElement[]): void {
  for (const section of sections) {
    let waiting = false;
    const observer = new MutationObserver(() => {
      if (waiting) return;
      waiting = true;
      requestAnimationFrame(() => {
        waiting = false;
        annotate(section);
        observer.takeRecords();
      });
    });
    annotate(section);
    observer.observe(section, { childList: true, subtree: true });
  }
}
