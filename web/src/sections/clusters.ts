// SPDX-License-Identifier: BSD-3-Clause
// Section 4: where the weight is.
import { clustersOf } from "../classes";
import { absent, h, replace, select } from "../dom";
import * as format from "../format";
import { classSelect, methodSelect, type State } from "../state";
import type { Cluster, Method, Study } from "../study";
import { table, type Column } from "../table";
import { section, type Section } from "./section";

export function clustersSection(study: Study, state: State): Section {
  const title = "Clusters";
  const withReadable = (method: Method): Method =>
    method.readable && !method.readable.chosen
      ? {
          ...method,
          clusters: method.readable.clusters,
          cluster_rule: method.readable.cluster_rule,
          class_clusters: method.readable.class_clusters,
        }
      : method;
  const lists = (method: Method): { clusters: Cluster[] }[] =>
    [method, withReadable(method)].flatMap((one) => [one, ...(one.class_clusters ?? [])]);
  const usable = study.methods.filter((method) => lists(method).some(({ clusters }) => clusters.length > 0));
  if (usable.length === 0)
    return section(
      "clusters",
      "Clusters",
      title,
      null,
      absent("There are no clusters: there is no coefficient map, or none of its voxels passes the threshold."),
    );
  const inWorld = study.volumes.find(({ kind }) => kind === "map")?.in_world ?? true;
  const unit = inWorld ? "mm" : "voxel";
  const all = usable.flatMap((method) => lists(method).flatMap(({ clusters }) => clusters));
  const coordinate = (axis: 0 | 1 | 2, name: string): Column<Cluster> => ({
    title: `${name} (${unit})`,
    numeric: true,
    value: ({ peak }) => peak[axis],
    show: ({ peak }) =>
      (Number.isInteger(peak[axis]) ? peak[axis].toFixed(0) : peak[axis].toFixed(1)).replace("-", "−"),
  });
  // By weight, as the program lists them.
  const numberOf = (cluster: Cluster): number | null => {
    const list = usable.flatMap(lists).find(({ clusters }) => clusters.includes(cluster));
    return list ? list.clusters.indexOf(cluster) + 1 : null;
  };
  const columns: Column<Cluster>[] = [
    { title: "Cluster", numeric: true, value: numberOf },
    coordinate(0, "x"),
    coordinate(1, "y"),
    coordinate(2, "z"),
    { title: "Voxels", numeric: true, value: ({ voxels }) => voxels, show: ({ voxels }) => format.integer(voxels) },
    ...(all.some(({ volume }) => volume !== null)
      ? [
          {
            title: "mm³",
            numeric: true,
            value: ({ volume }: Cluster) => volume,
            show: ({ volume }: Cluster) => format.integer(volume),
          },
        ]
      : []),
    {
      title: "Peak weight",
      numeric: true,
      value: ({ peak_weight }) => peak_weight,
      show: ({ peak_weight }) =>
        h("span", { class: peak_weight < 0 ? "negative" : "positive" }, format.general(peak_weight)),
    },
    {
      title: "Share of |w| (%)",
      numeric: true,
      value: ({ share }) => share,
      file: { "Share of |w| (%)": ({ share }) => format.inUnit("sparsity", share) },
      show: ({ share }) => (100 * share).toFixed(1),
    },
    ...(all.some(({ same_sign }) => same_sign !== null)
      ? [
          {
            title: "Sign agreement (%)",
            numeric: true,
            value: ({ same_sign }: Cluster) => same_sign,
            file: { "Sign agreement (%)": ({ same_sign }: Cluster) => format.inUnit("sparsity", same_sign) },
            show: ({ same_sign }: Cluster) => (same_sign === null ? format.nothing : (100 * same_sign).toFixed(0)),
          },
        ]
      : []),
    ...(all.some(({ region }) => region) ? [{ title: "Region", value: ({ region }: Cluster) => region }] : []),
  ];
  const place = h("div");
  let readable = study.first_map?.kind === "readable";
  const which = select(
    "Map",
    [
      { value: "map", label: "Chosen setting" },
      { value: "readable", label: "Readable map" },
    ],
    readable ? "readable" : "map",
    (value) => {
      readable = value === "readable";
      update();
    },
  );
  const update = () => {
    const [focus, ofClass] = [state.mapOf.value, state.ofClass.value];
    const found = usable.find((candidate) => candidate.name === focus);
    const other = found !== undefined && withReadable(found) !== found;
    which.element.hidden = !other;
    const method = found && readable ? withReadable(found) : found;
    const readably = other && readable ? ", readable map" : "";
    const name = (ofClass === null ? focus : `${focus}: ${ofClass}`) + readably;
    const { rule, clusters } = method ? clustersOf(method, ofClass) : { rule: "", clusters: [] };
    if (clusters.length === 0) return replace(place, absent(`${name} has no clusters.`));
    const list = table({
      name: `clusters_${name}`,
      caption: `Clusters of ${name}`,
      columns,
      rows: clusters,
      pageSize: 12,
      onRow: ({ peak }) => state.goTo.set(peak),
      rowLabel: (cluster) => {
        const { peak, region } = cluster;
        const place = peak.map((value) => value.toFixed(1).replace("-", "−")).join(", ");
        return `${numberOf(cluster)}: move the crosshair to ${place}${region ? `, ${region}` : ""}`;
      },
    });
    const what = (ofClass === null ? focus : `${focus}, ${ofClass}`) + readably;
    return replace(
      place,
      list.element,
      rule ? h("p", { class: "quiet" }, `Of ${what}: ${rule}.`) : null,
      study.sentences.stability ? h("p", { class: "quiet" }, study.sentences.stability) : null,
    );
  };
  state.mapOf.watch(update);
  state.ofClass.onChange(update);
  return section(
    "clusters",
    "Clusters",
    title,
    "Connected voxels in the map of the model of all samples. Press the number of a cluster to move the crosshair to its peak.",
    h("div", { class: "controls" }, methodSelect(study, state, () => true, state.mapOf), classSelect(study, state), which.element),
    place,
  );
}
