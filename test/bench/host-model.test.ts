// The model of many hosts: it agrees with a simulation, and docs/operations.md shows what it computes.
import {readFileSync} from 'node:fs';
import {join} from 'node:path';
import {expect, test} from 'vitest';
import {callsAtMost, forecast, measuredCosts, type HostForecast} from './host-model.ts';
import {simulateAppends} from './simulate-appends.ts';

const costs = measuredCosts;
const seed = 19;

test.each([
  [1, 40],
  [4, 80],
  [10, 300],
  [100, 1_000],
  [1_000, 2_000],
  [10, 4_000],
  [100, 4_000],
])('for %i hosts and %i calls a second, the model and the simulation differ by less than a third', (hosts, calls) => {
  const {appendMs} = forecast(costs, {hosts, callsPerSecond: calls, eventsPerSecond: 0});
  // Long enough that a thousand hosts have been in turn many times.
  const simulated = simulateAppends(costs, {hosts, recordsPerSecond: calls * 2, records: 60_000 + hosts * 100, seed});
  expect(appendMs).toBeDefined();
  expect(Math.abs(Math.log((appendMs ?? 0) / simulated)), `${appendMs} and ${simulated}`).toBeLessThan(Math.log(4 / 3));
});

test('beyond the bound of the log, the simulation falls behind for as long as it runs', () => {
  const calls = callsAtMost(costs) * 1.1;
  expect(forecast(costs, {hosts: 10, callsPerSecond: calls, eventsPerSecond: 0}).appendMs).toBeUndefined();
  const [short, long] = [50_000, 200_000].map((records) =>
    simulateAppends(costs, {hosts: 10, recordsPerSecond: calls * 2, records, seed}),
  );
  expect(long).toBeGreaterThan((short ?? 0) * 2);
});

const rows = [
  {hosts: 4, callsPerSecond: 1_000, eventsPerSecond: 10},
  {hosts: 10, callsPerSecond: 4_000, eventsPerSecond: 40},
  {hosts: 100, callsPerSecond: 1_000, eventsPerSecond: 10},
  {hosts: 100, callsPerSecond: 4_000, eventsPerSecond: 40},
  {hosts: 1_000, callsPerSecond: 1_000, eventsPerSecond: 1},
  {hosts: 1_000, callsPerSecond: 4_000, eventsPerSecond: 40},
];

const number = (value: number): string => Math.round(value).toLocaleString('en');

function rowOf(
  load: (typeof rows)[number],
  {appendMs, leasesPerSecond, readsPerSecond, cores, connections}: HostForecast,
) {
  const {hosts, callsPerSecond, eventsPerSecond} = load;
  const append = appendMs === undefined ? '–' : appendMs < 10 ? appendMs.toFixed(1) : number(appendMs);
  const asked = [leasesPerSecond, readsPerSecond].map(number);
  const cells = [...[hosts, callsPerSecond, eventsPerSecond].map(number), append, ...asked];
  return `| ${[...cells, cores.toFixed(1), number(connections)].join(' | ')} |`;
}

test('the page of operations shows what the model computes', () => {
  const page = readFileSync(join(import.meta.dirname, '../../docs/operations.md'), 'utf8');
  for (const load of rows) expect(page).toContain(rowOf(load, forecast(costs, load)));
  expect(page).toContain(`${number(Math.floor(callsAtMost(costs) / 100) * 100)} calls a second`);
});
