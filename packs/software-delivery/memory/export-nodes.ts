// Exports nodes as text: JSON Lines for programs, Markdown for people.
import {byteLength} from '../markdown/fit-markdown.ts';
import type {MemoryEdge, MemoryNode} from './memory-node.ts';
import type {MemoryView} from './memory-view.ts';

export type ExportFormat = 'jsonl' | 'markdown';

export interface Exported {
  readonly content: string;
  readonly nodes: number;
  /** Set if there are more: the id to continue after. */
  readonly next_after?: string;
}

/** `nodes` in export order. Returns at least one node, regardless of its size. */
export function exportNodes(
  {nodes, edges}: {readonly nodes: readonly MemoryNode[]; readonly edges: MemoryView['edges']},
  format: ExportFormat,
  bytesMax: number,
): Exported {
  const from = edgesByOrigin(edges);
  const parts: string[] = [];
  let bytes = 0;
  for (const node of nodes) {
    const part = writers[format](node, from.get(node.id) ?? []);
    bytes += byteLength(part);
    const last = nodes[parts.length - 1];
    if (bytes > bytesMax && last !== undefined) {
      return {content: parts.join(''), nodes: parts.length, next_after: last.id};
    }
    parts.push(part);
  }
  return {content: parts.join(''), nodes: parts.length};
}

const writers: Readonly<Record<ExportFormat, (node: MemoryNode, edges: readonly MemoryEdge[]) => string>> = {
  jsonl: (node, edges) => `${JSON.stringify({...node, links: edges.map(({kind, to}) => ({kind, to}))})}\n`,
  markdown(node, edges) {
    const facts = [
      `${node.type}, ${node.lifecycle}, ${node.priority}`,
      node.created_at,
      ...(node.wu_id === undefined ? [] : [node.wu_id]),
      ...node.tags.map((tag) => `#${tag}`),
      ...(node.closed === undefined ? [] : [node.closed.as]),
      ...edges.map(({kind, to}) => `${kind} ${to}`),
    ];
    return `## ${node.id}\n\n${facts.join(' · ')}\n\n${node.content.trim()}\n\n`;
  },
};

function edgesByOrigin(edges: readonly MemoryEdge[]): ReadonlyMap<string, readonly MemoryEdge[]> {
  const from = new Map<string, MemoryEdge[]>();
  for (const edge of edges) from.set(edge.from, [...(from.get(edge.from) ?? []), edge]);
  return from;
}
