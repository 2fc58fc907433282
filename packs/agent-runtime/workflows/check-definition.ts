// Checks that a workflow can run: its nodes exist, have unique ids, and do not wait for themselves.
import {ToolError} from '@lumenflow/pack-sdk';
import type {WorkflowDefinition, WorkflowNode} from './workflow.ts';

/** Throws ToolError WORKFLOW_INVALID. */
export function checkDefinition({nodes}: WorkflowDefinition): void {
  const byId = new Map(nodes.map((node) => [node.node_id, node]));
  for (const [index, {node_id, depends_on = [], wake_at}] of nodes.entries()) {
    const first = nodes.findIndex((node) => node.node_id === node_id);
    if (first !== index) throw invalid(`the node id \`${node_id}\` is used twice`, `/nodes/${index}/node_id`);
    for (const [at, dependency] of depends_on.entries()) {
      if (byId.has(dependency.node_id)) continue;
      throw invalid(
        `\`${node_id}\` depends on \`${dependency.node_id}\`, which is not a node of the workflow`,
        `/nodes/${index}/depends_on/${at}`,
      );
    }
    if (wake_at !== undefined && Number.isNaN(Date.parse(wake_at)))
      throw invalid(
        `\`${wake_at}\` is not a valid time: use ISO 8601, for example 2026-01-31T08:00:00Z`,
        `/nodes/${index}/wake_at`,
      );
  }
  const cycle = findCycle(byId);
  if (cycle !== undefined) throw invalid(`these nodes depend on each other: ${cycle.join(' ← ')}`, '/nodes');
}

function invalid(message: string, pointer: string): ToolError {
  return new ToolError('WORKFLOW_INVALID', message, {pointer});
}

/** The nodes of one cycle. The first node is repeated at the end. */
function findCycle(byId: ReadonlyMap<string, WorkflowNode>): readonly string[] | undefined {
  const done = new Set<string>();
  const path: string[] = [];
  const visit = (id: string): readonly string[] | undefined => {
    if (done.has(id)) return undefined;
    const start = path.indexOf(id);
    if (start !== -1) return [...path.slice(start), id];
    path.push(id);
    for (const {node_id} of byId.get(id)?.depends_on ?? []) {
      const cycle = visit(node_id);
      if (cycle !== undefined) return cycle;
    }
    path.pop();
    done.add(id);
    return undefined;
  };
  for (const id of byId.keys()) {
    const cycle = visit(id);
    if (cycle !== undefined) return cycle;
  }
  return undefined;
}
