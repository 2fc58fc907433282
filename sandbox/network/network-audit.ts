// The network activity of a call, summed up for its receipt. Data from inside is bounded and made printable.
import type {Enforcement} from '@lumenflow/schemas';

export type ConnectionSum = NonNullable<Enforcement['connections']>[number];

export interface Attempt {
  /** `host:port`. */
  readonly destination: string;
  /** The entry that allowed it, or that it came in by. */
  readonly rule: string | undefined;
  /** The name that the address was last given for, when the destination is an address. */
  readonly name?: string | undefined;
}

export interface NetworkAudit {
  /** Returns the entry to which the bytes of this connection are added; a later refusal is subtracted from it. */
  allow(attempt: Attempt): ConnectionSum;
  deny(attempt: Attempt, reason: string, attempts?: number): void;
  report(): {readonly connections: ConnectionSum[]; readonly denials: string[]};
}

const destinationsMax = 200;
const denialsMax = 100;
const textMax = 300;

export function createNetworkAudit(): NetworkAudit {
  const sums = new Map<string, ConnectionSum>();
  const denials = new Set<string>();
  let denialsLeftOut = 0;

  function sumOf({destination, rule, name}: Attempt, allowed: boolean): ConnectionSum {
    const isFull = sums.size >= destinationsMax && !sums.has(`${allowed} ${destination}`);
    const shown = isFull ? 'others' : printable(destination);
    const key = `${allowed} ${isFull ? shown : destination}`;
    const known = sums.get(key);
    if (known !== undefined) return known;
    const fresh: ConnectionSum = {
      destination: shown,
      ...(rule === undefined || isFull ? {} : {rule}),
      ...(name === undefined || isFull ? {} : {name: printable(name)}),
      allowed,
      attempts: 0,
      bytes_sent: 0,
      bytes_received: 0,
    };
    sums.set(key, fresh);
    return fresh;
  }

  return {
    allow(attempt) {
      const sum = sumOf(attempt, true);
      sum.attempts += 1;
      return sum;
    },
    deny(attempt, reason, attempts = 1) {
      sumOf(attempt, false).attempts += attempts;
      const text = printable(`network ${attempt.destination}: ${reason}`);
      if (denials.size < denialsMax) denials.add(text);
      else if (!denials.has(text)) denialsLeftOut += 1;
    },
    report() {
      const rest = denialsLeftOut === 0 ? [] : [`network: ${denialsLeftOut} more denials`];
      return {connections: Array.from(sums.values(), (sum) => ({...sum})), denials: [...denials, ...rest]};
    },
  };
}

function printable(text: string): string {
  return text.replace(/[^\x20-\x7e]/g, '?').slice(0, textMax);
}
