// Deletes nodes from every state, and their text from the snapshots.
import type {ToolContext} from '@lumenflow/pack-sdk';
import {stampOf} from '../events/delivery-event.ts';
import type {DeliveryLog} from '../events/delivery-log.ts';
import {memorySlice, shardOfNode} from './memory-shard.ts';
import {nodeIn} from './memory.ts';
import {refreshSnapshots} from '../events/refresh-snapshots.ts';

export interface Forgetting {
  readonly ids: readonly string[];
  readonly reason: string;
  readonly dryRun: boolean;
}

/** Throws ToolError NODE_NOT_FOUND before anything is deleted. */
export async function forgetNodes(
  context: Pick<ToolContext, 'state' | 'session_id'>,
  log: DeliveryLog,
  {ids, reason, dryRun}: Forgetting,
): Promise<void> {
  const byShard = new Map<number, string[]>();
  for (const id of new Set(ids)) byShard.set(shardOfNode(id), [...(byShard.get(shardOfNode(id)) ?? []), id]);
  for (const [shard, group] of byShard) {
    const state = await log.read(memorySlice(shard));
    for (const id of group) nodeIn(state, id);
  }
  if (dryRun || byShard.size === 0) return;
  for (const [shard, group] of byShard) {
    await log.decide(memorySlice(shard), ({nodes}) => {
      // Another call may have deleted some of them in between.
      const there = group.filter((id) => nodes[id] !== undefined);
      const event = {type: 'memory_forgotten', ...stampOf(context), ids: there, reason} as const;
      return {events: there.length === 0 ? [] : [event], result: undefined};
    });
  }
  await refreshSnapshots(
    context,
    [...byShard.keys()].map((shard) => memorySlice(shard)),
  );
}
