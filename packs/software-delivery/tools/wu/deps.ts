// wu:deps shows dependencies around one work unit or among all unfinished ones.
import {defineTool, type ToolDefinition} from '@lumenflow/pack-sdk';
import {openDeliveryLog} from '../../open-delivery-log.ts';
import {around, dependencyGraph, type DependencyGraph} from '../../dependencies/dependency-graph.ts';
import {renderAscii, renderMermaid, renderTable, type GraphNode} from '../../dependencies/render-graph.ts';
import {findWorkUnit} from '../../work-units/find-work-unit.ts';
import {workUnitSlice, type WorkUnits} from '../../work-units/work-unit-slice.ts';

type Format = 'table' | 'json' | 'ascii' | 'mermaid';

interface WuDepsInput {
  /** Default: all unfinished units with dependencies or dependents. */
  readonly id?: string;
  /** Default `json`. */
  readonly format?: Format;
}

interface WuDepsOutput {
  readonly format: Format;
  readonly nodes: readonly GraphNode[];
  /** Absent in the format `json`. */
  readonly text?: string;
}

const renderers = {table: renderTable, ascii: renderAscii, mermaid: renderMermaid};

export const wuDeps: ToolDefinition<WuDepsInput, WuDepsOutput> = defineTool({
  async run({id, format = 'json'}, context) {
    const state = await openDeliveryLog(context).read(workUnitSlice);
    const graph = dependencyGraph(Object.values(state.units).map(({spec}) => spec));
    if (id !== undefined) findWorkUnit(state, id);
    const ids = id === undefined ? openAndLinked(state, graph) : around(graph, id);
    const nodes = [...ids].map((each) => nodeOf(state, graph, each));
    return {format, nodes, ...(format !== 'json' && {text: renderers[format](nodes)})};
  },
});

function openAndLinked({units}: WorkUnits, graph: DependencyGraph): ReadonlySet<string> {
  const ids = new Set<string>();
  for (const [id, dependencies] of graph) {
    if (units[id]?.status === 'done') continue;
    for (const dependency of dependencies) ids.add(id).add(dependency);
  }
  return ids;
}

function nodeOf({units}: WorkUnits, graph: DependencyGraph, id: string): GraphNode {
  const unit = units[id];
  return {id, title: unit?.spec.title ?? '', status: unit?.status ?? 'unknown', depends_on: graph.get(id) ?? []};
}
