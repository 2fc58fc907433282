// Which node of a cluster leads which partitions, from the nodes' logs: the server reports it in no other way that needs no further client.

export const leadershipTarget = 'restate_worker::partition::leadership';

interface LogLine {
  readonly fields?: {readonly message?: string; readonly partition_id?: string};
}

/** By node, in the order of the logs. Of two nodes that led a partition, the one with the later epoch does. */
export function countLeaderships(logs: readonly string[]): readonly number[] {
  const leaders = new Map<string, {readonly node: number; readonly epoch: number}>();
  for (const [node, log] of logs.entries())
    for (const {fields: {message = '', partition_id = ''} = {}} of linesOf(log)) {
      const epoch = Number(/became Leader of epoch e(\d+)/u.exec(message)?.[1] ?? 0);
      if (epoch > (leaders.get(partition_id)?.epoch ?? 0)) leaders.set(partition_id, {node, epoch});
    }
  const nodes = Array.from(leaders.values(), ({node}) => node);
  return logs.map((_, index) => nodes.filter((node) => node === index).length);
}

/** A node that is killed can leave half a line. */
function linesOf(log: string): readonly LogLine[] {
  return log.split('\n').flatMap((line) => {
    try {
      return [JSON.parse(line) as LogLine];
    } catch {
      return [];
    }
  });
}
