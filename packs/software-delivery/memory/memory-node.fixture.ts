// Nodes for tests, from the given fields and defaults.
import type {MemoryNode} from './memory-node.ts';
import type {MemoryView} from './memory-view.ts';

let made = 0;

export function makeNode(changes: Partial<MemoryNode> = {}): MemoryNode {
  made += 1;
  return {
    id: `mem-${made.toString(16).padStart(32, '0')}`,
    type: 'note',
    lifecycle: 'session',
    content: `node ${made}`,
    priority: 'P2',
    tags: [],
    metadata: {},
    created_at: new Date(Date.UTC(2026, 0, 1) + made * 1000).toISOString(),
    created_by: 'session-1',
    ...changes,
  };
}

export function viewOf(nodes: readonly MemoryNode[], edges: MemoryView['edges'] = []): MemoryView {
  return {nodes: new Map(nodes.map((node) => [node.id, node])), edges};
}
