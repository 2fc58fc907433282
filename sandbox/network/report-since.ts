// What a network that serves several calls has done since the last of them.
import type {NetworkReport} from './call-network.ts';
import type {ConnectionSum} from './network-audit.ts';

export function reportSince(before: NetworkReport | undefined, now: NetworkReport): NetworkReport {
  if (before === undefined) return now;
  const earlier = new Map(before.connections.map((sum) => [keyOf(sum), sum]));
  const denials = new Set(before.denials);
  return {
    connections: now.connections.flatMap((sum) => difference(sum, earlier.get(keyOf(sum)))),
    denials: now.denials.filter((denial) => !denials.has(denial)),
  };
}

function keyOf({destination, allowed}: ConnectionSum): string {
  return `${allowed} ${destination}`;
}

/** Empty if nothing was added. */
function difference(now: ConnectionSum, before: ConnectionSum | undefined): readonly ConnectionSum[] {
  const attempts = now.attempts - (before?.attempts ?? 0);
  const bytes_sent = now.bytes_sent - (before?.bytes_sent ?? 0);
  const bytes_received = now.bytes_received - (before?.bytes_received ?? 0);
  return attempts + bytes_sent + bytes_received === 0 ? [] : [{...now, attempts, bytes_sent, bytes_received}];
}
