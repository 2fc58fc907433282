// Filters the nodes of a search or export.
import type {Lifecycle, MemoryNode, MemoryType} from './memory-node.ts';
import type {MemoryView} from './memory-view.ts';

export interface NodeFilter {
  readonly wu_id?: string;
  readonly types?: readonly MemoryType[];
  readonly lifecycles?: readonly Lifecycle[];
  /** Nodes must have all of these tags. */
  readonly tags?: readonly string[];
  /** ISO 8601: created at or after this time. */
  readonly since?: string;
  /** Omits closed nodes. */
  readonly open_only?: boolean;
}

export function filterNodes(nodes: MemoryView['nodes'], filter: NodeFilter): readonly MemoryNode[] {
  const {wu_id: wuId, types, lifecycles, tags = [], since, open_only: openOnly = false} = filter;
  return [...nodes.values()].filter(
    (node) =>
      (wuId === undefined || node.wu_id === wuId) &&
      (types === undefined || types.includes(node.type)) &&
      (lifecycles === undefined || lifecycles.includes(node.lifecycle)) &&
      tags.every((tag) => node.tags.includes(tag)) &&
      (since === undefined || Date.parse(node.created_at) >= Date.parse(since)) &&
      !(openOnly && node.closed !== undefined),
  );
}
