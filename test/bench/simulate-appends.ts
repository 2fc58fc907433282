// The appends of many hosts, event by event: what the model of host-model.ts is compared with.
import {createRandom} from '../crash/random.ts';
import type {HostCosts} from './host-model.ts';

export interface SimulatedAppends {
  readonly hosts: number;
  readonly recordsPerSecond: number;
  readonly records: number;
  readonly seed: number;
}

/** Mean time from a record's arrival until it is durable, in ms. The records arrive at random, at random hosts. */
export function simulateAppends(
  {fixedMs, perRecordMs}: HostCosts,
  {hosts, recordsPerSecond, records, seed}: SimulatedAppends,
): number {
  const random = createRandom(seed);
  const arrivals: {readonly at: number; readonly host: number}[] = [];
  for (let at = 0; arrivals.length < records;) {
    at += (-Math.log(1 - random.next()) * 1_000) / recordsPerSecond;
    arrivals.push({at, host: random.below(hosts)});
  }
  /** Arrival times of what each host has not sent. */
  const waiting = Array.from({length: hosts}, (): number[] => []);
  /** Groups in the order in which they asked for the lock. A group is what its host had then. */
  const sent: {readonly host: number; readonly group: readonly number[]}[] = [];
  const isSending = new Set<number>();
  let [now, next, total] = [0, 0, 0];
  const send = (host: number): void => {
    const group = waiting[host]?.splice(0) ?? [];
    if (group.length === 0) return;
    isSending.add(host);
    sent.push({host, group});
  };
  const arriveUntil = (time: number): void => {
    for (let arrival = arrivals[next]; arrival !== undefined && arrival.at <= time; arrival = arrivals[next]) {
      next += 1;
      waiting[arrival.host]?.push(arrival.at);
      if (!isSending.has(arrival.host)) send(arrival.host);
    }
  };
  for (let first = 0; next < arrivals.length || first < sent.length;) {
    if (first === sent.length) now = Math.max(now, arrivals[next]?.at ?? now);
    arriveUntil(now);
    const {host, group} = sent[first] ?? {host: 0, group: []};
    first += 1;
    now += fixedMs + group.length * perRecordMs;
    for (const at of group) total += now - at;
    arriveUntil(now);
    isSending.delete(host);
    send(host);
  }
  return total / records;
}
