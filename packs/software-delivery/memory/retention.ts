// Selects expired nodes. Project knowledge and open work are kept: a discovery that was never triaged does not expire with its
// WU.
import type {PackConfig, RetentionConfig} from '../pack-config.ts';
import type {Lifecycle, MemoryNode} from './memory-node.ts';

export type Retention = Required<RetentionConfig>;

export function retentionOf(config: PackConfig): Retention {
  return {ephemeral_hours: 24, session_days: 14, wu_days: 90, signal_days: 14, ...config?.memory?.retention};
}

export interface PastTime {
  readonly forget: readonly MemoryNode[];
  /** Expired, but open discoveries. */
  readonly kept_open: readonly MemoryNode[];
}

export interface RetentionFacts {
  /** Milliseconds since the epoch. */
  readonly now: number;
  readonly retention: Retention;
  /** When a WU was done, ISO 8601; undefined if it is not. */
  readonly doneAt: (wuId: string) => string | undefined;
}

const hour = 3_600_000;

export function pastTime(nodes: readonly MemoryNode[], facts: RetentionFacts): PastTime {
  const past = nodes.filter((node) => endOf[node.lifecycle](node, facts) < facts.now);
  const isOpenWork = ({type, closed}: MemoryNode): boolean => type === 'discovery' && closed === undefined;
  return {forget: past.filter((node) => !isOpenWork(node)), kept_open: past.filter(isOpenWork)};
}

/** When a node expires. */
const endOf: Readonly<Record<Lifecycle, (node: MemoryNode, facts: RetentionFacts) => number>> = {
  ephemeral: ({created_at: at}, {retention}) => Date.parse(at) + retention.ephemeral_hours * hour,
  session: ({created_at: at}, {retention}) => Date.parse(at) + retention.session_days * 24 * hour,
  wu({wu_id: wuId}, {retention, doneAt}) {
    const done = wuId === undefined ? undefined : doneAt(wuId);
    return done === undefined ? Infinity : Date.parse(done) + retention.wu_days * 24 * hour;
  },
  project: () => Infinity,
};
