// The servers of services, by preference: which one serves the next request, and which are down.
import {createCircuit, type Circuit} from './circuit.ts';

/** Of a program that embeds the host: the servers in the order in which to try them. One that is omitted is not used. */
export type OrderServers = (
  servers: readonly string[],
  call: {readonly pack: string; readonly tool: string},
) => readonly string[];

export interface Servers {
  /** The next server that is not known to be down; one that this call has not tried comes first. */
  choose(servers: readonly string[], call: ChoosingCall): ChosenServer;
  report(pack: string, server: string, result: {readonly isUp: boolean}): void;
}

export interface ChoosingCall {
  readonly pack: string;
  readonly tool: string;
  readonly tried: ReadonlySet<string>;
}

export type ChosenServer =
  | {readonly server: string}
  | {
      readonly server: undefined;
      /** Until one may be tried again. */
      readonly waitMs: number;
    };

export function createServers({
  now,
  orderServers,
}: {
  readonly now: () => number;
  readonly orderServers?: OrderServers | undefined;
}): Servers {
  const circuits = new Map<string, Circuit>();
  const circuitOf = (pack: string, server: string): Circuit => {
    const key = `${pack} ${server}`;
    const circuit = circuits.get(key) ?? createCircuit(now);
    circuits.set(key, circuit);
    return circuit;
  };
  return {
    choose(listed, {pack, tool, tried}) {
      const wanted = orderServers?.(listed, {pack, tool}) ?? listed;
      // The grant of the call covers the listed ones alone.
      const servers = wanted.filter((server) => listed.includes(server));
      const ordered = [
        ...servers.filter((server) => !tried.has(server)),
        ...servers.filter((server) => tried.has(server)),
      ];
      let shortest = Number.POSITIVE_INFINITY;
      for (const server of ordered) {
        const waitMs = circuitOf(pack, server).waitMs();
        if (waitMs === 0) return {server};
        shortest = Math.min(shortest, waitMs);
      }
      return {server: undefined, waitMs: Number.isFinite(shortest) ? shortest : 0};
    },
    report(pack, server, {isUp}) {
      const circuit = circuitOf(pack, server);
      if (isUp) circuit.succeed();
      else circuit.fail();
    },
  };
}
