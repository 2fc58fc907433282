// What the delivery pack's questions cost at 10,000 work units and 100,000 events, and how that grows.
import type {Host, Session} from '@lumenflow/host';
import {join} from 'node:path';
import {everything, makeHostWorkspace, must, type HostWorkspace} from '../support/host-workspace.ts';
import {operations, type Effort} from './effort.ts';
import type {Figure} from './figure.ts';
import {oneByOne} from './samplers.ts';
import {median, quantile} from './statistics.ts';
import {benchLanes, writeDeliveryLog, type DeliveryLogSize} from './write-delivery-log.ts';
import {opened} from '../support/opened.ts';

const small: DeliveryLogSize = {units: 1_000, events: 10_000};
const large: DeliveryLogSize = {units: 10_000, events: 100_000};
const growthMax = 12;
const msMax = 100;

const questions: readonly {
  readonly id: string;
  readonly tool: string;
  readonly input: object;
  readonly words: string;
  /** Default `msMax`. */
  readonly msMax?: number;
}[] = [
  {id: 'list', tool: 'wu:list', input: {status: ['ready'], sort: 'priority'}, words: 'wu:list of what is ready'},
  {id: 'status', tool: 'wu:status', input: {}, words: 'wu:status of all in progress'},
  {id: 'status-one', tool: 'wu:status', input: {id: 'WU-1000'}, words: 'wu:status of one that is ready'},
  {id: 'lanes', tool: 'lane:status', input: {}, words: 'lane:status'},
  {id: 'mem-context', tool: 'mem:context', input: {wu_id: 'WU-1000'}, words: 'mem:context of one'},
  {
    id: 'mem-search',
    tool: 'mem:search',
    input: {query: 'part-700 learnt'},
    words: 'mem:search in two nodes of each that was begun',
    msMax: 300,
  },
  {id: 'flow', tool: 'flow:report', input: {since: '2024-01-01'}, words: 'flow:report of all'},
  {id: 'bottlenecks', tool: 'flow:bottlenecks', input: {}, words: 'flow:bottlenecks'},
];

export async function* deliveryFigures(effort: Effort): AsyncGenerator<Figure> {
  const first = await openStage(small);
  const second = await openStage(large);
  try {
    yield {
      id: 'delivery.first',
      title: `the first change after ${large.events.toLocaleString('en')} events, snapshots written`,
      unit: 'ms',
      runs: 1,
      p50: second.firstMs,
    };
    for (const {id, tool, input, words, msMax: limit = msMax} of questions) {
      const sampler = (session: Session): ReturnType<typeof oneByOne> =>
        oneByOne(operations(effort, 30), async () => await must(session, tool, input));
      const [before, after] = [await sampler(first.session)(), await sampler(second.session)()];
      yield {
        id: `delivery.${id}`,
        title: `${words}, of ${large.units.toLocaleString('en')} work units and ten times as many events`,
        unit: 'ms',
        runs: after.length,
        p50: median(after),
        p95: quantile(after, 0.95),
        baseline: {title: 'of a tenth of both', p50: median(before), p95: quantile(before, 0.95)},
        ratio: median(after) / median(before),
        bar: [
          {of: 'value', limit},
          {of: 'ratio', limit: growthMax},
        ],
      };
    }
  } finally {
    await first.workspace.remove();
    await second.workspace.remove();
  }
}

interface Stage {
  readonly workspace: HostWorkspace;
  readonly host: Host;
  readonly session: Session;
  /** Of a change when no snapshot is there. */
  readonly firstMs: number;
}

async function openStage(size: DeliveryLogSize): Promise<Stage> {
  const lane = (id: string): object => ({id, allowed_scopes: everything, wip_limit: 50});
  const workspace = makeHostWorkspace({
    firstParty: ['software-delivery'],
    pins: {'software-delivery': {trust: 'in_process'}},
    spec: {lanes: ['desk', ...benchLanes].map(lane)} as never,
  });
  writeDeliveryLog(join(workspace.root, '.lumenflow/packs/software-delivery/events'), size);
  const host = await workspace.start();
  const session = opened(await host.openSession({by: 'bench', lane: 'desk'}));
  const startedMs = performance.now();
  await must(session, 'wu:escalate', {id: 'WU-1', reason: 'is it fast?'});
  return {workspace, host, session, firstMs: performance.now() - startedMs};
}
