// What an agent leaves for the next one: a text with a type, a lifecycle and relations to others.
export const memoryTypes = ['session', 'discovery', 'checkpoint', 'note', 'summary'] as const;
export type MemoryType = (typeof memoryTypes)[number];

/** How long a node is kept. `doctor` deletes nodes by it. */
export const lifecycles = ['ephemeral', 'session', 'wu', 'project'] as const;
export type Lifecycle = (typeof lifecycles)[number];

export type MemoryPriority = 'P0' | 'P1' | 'P2' | 'P3';

export type Metadata = Readonly<Record<string, string | number | boolean | readonly string[]>>;

/** The data of a new node. */
export interface NewNode {
  /** `mem-` and 32 hexadecimal digits. The first digit is its shard. */
  readonly id: string;
  readonly type: MemoryType;
  readonly lifecycle: Lifecycle;
  /** Markdown. */
  readonly content: string;
  readonly wu_id?: string;
  readonly session_id?: string;
  readonly priority: MemoryPriority;
  readonly tags: readonly string[];
  readonly metadata: Metadata;
}

export type ClosedAs = 'resolved' | 'archived' | 'summarized' | 'promoted';

export interface Closing {
  readonly as: ClosedAs;
  readonly at: string;
  readonly reason?: string;
  /** The node or WU that replaced it. */
  readonly into?: string;
}

export interface MemoryNode extends NewNode {
  /** ISO 8601, UTC. */
  readonly created_at: string;
  /** Session that created it. */
  readonly created_by: string;
  /** Absent while the node is open. */
  readonly closed?: Closing;
}

/** `blocks`: `from` must be done before `to`; `parent_child`: `from` is the parent; `discovered_from`: `to` is the origin. */
export interface MemoryEdge {
  readonly kind: 'blocks' | 'parent_child' | 'related' | 'discovered_from';
  readonly from: string;
  readonly to: string;
}

/** Oldest first; ids decide between nodes of the same time. */
export function byAge(a: MemoryNode, b: MemoryNode): number {
  return compare(a.created_at, b.created_at) || compare(a.id, b.id);
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
