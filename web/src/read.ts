// SPDX-License-Identifier: BSD-3-Clause
// The study out of its script element. Parts that are not there become empty, so that a page of a broken study opens.
import type { Method, Study, Volume } from "./study";

type Loose<T> = { [K in keyof T]?: T[K] };

function method(given: Loose<Method>): Method {
  return {
    name: String(given.name ?? ""),
    title: given.title ?? "",
    scores: given.scores ?? {},
    interval: given.interval ?? null,
    p: given.p ?? { permutation: null, binomial: null, groups: null },
    forced_choice: given.forced_choice ?? null,
    null_scores: given.null_scores ?? [],
    sparsity: given.sparsity ?? { mean: null, sd: null, in_mask: null, in_mask_sd: null },
    confusion: given.confusion ?? null,
    tubal_rank: given.tubal_rank ?? null,
    fits: given.fits ?? { inner: 0, unconverged: 0, worst_gap: null },
    chosen: given.chosen ?? [],
    final: given.final ?? null,
    grid: (given.grid ?? []).map((block) => ({ ...block, best_over: block.best_over ?? [] })),
    trace: given.trace ?? [],
    clusters: given.clusters ?? [],
    cluster_rule: given.cluster_rule ?? "",
    class_clusters: given.class_clusters ?? [],
    truth: given.truth ?? null,
    roc: given.roc ?? null,
    reliability: given.reliability ?? [],
    boxes: given.boxes ?? [],
    resizing: given.resizing ?? [],
    readable: given.readable ?? null,
    path: given.path ?? [],
    learning: given.learning ?? [],
  };
}

/** Of an older page, which counts nothing: all or nothing. */
function volume(given: Volume): Volume {
  return {
    ...given,
    exact: given.exact ?? true,
    thresholds: given.thresholds ?? [0],
    voxels: given.voxels ?? [0],
    opens: given.opens ?? 0,
  };
}

export function readStudy(text: string): Study {
  const given = JSON.parse(text) as Loose<Study>;
  return {
    kind: given.kind ?? "cv",
    title: given.title ?? "",
    missing: given.missing ?? [],
    target: given.target ?? { column: "", classes: null, positive: null, negative: null },
    counts: given.counts ?? { samples: 0, positive: null, classes: null, groups: null, group_column: "", folds: null },
    score: given.score ?? "accuracy",
    part_score: given.part_score ?? "accuracy",
    chance: given.chance ?? null,
    majority: given.majority ?? null,
    permutations: given.permutations ?? 0,
    smallest_p: given.smallest_p ?? null,
    verdict: given.verdict ?? "",
    best: given.best ?? null,
    methods: (given.methods ?? []).map(method),
    comparisons: given.comparisons ?? [],
    sentences: {
      intervals: "",
      p: "",
      forced_choice: "",
      comparisons: "",
      truth: "",
      readable: "",
      path: "",
      stability: "",
      pattern: "",
      learning: "",
      ...given.sentences,
    },
    predictions: given.predictions ?? [],
    groups: given.groups ?? [],
    sites: given.sites ?? [],
    data: { table: [], facts: [], excluded: [], warnings: [], ...given.data },
    warnings: given.warnings ?? [],
    text: { methods: "", references: [], command: "", caption: "", bibtex: "", ...given.text },
    provenance: given.provenance ?? [],
    volumes: (given.volumes ?? []).map(volume),
    left_out: given.left_out ?? [],
    folder: given.folder ?? "",
    answers: { worked: "unclear", sentence: "", interval_of: "", ...given.answers },
    trust: given.trust ?? [],
    where: { volume: null, method: null, words: "", voxels: 0, least: null, limit: null, pictures: [], ...given.where },
    pairs: given.pairs ?? [],
    figures: given.figures ?? [],
    anatomy: given.anatomy ?? "",
    first_map: given.first_map ?? null,
    progress: given.progress ?? null,
  };
}
