// What the database does for one append, one lease and one poll: the inputs of the model in host-model.ts.
import {openPostgresState} from '@lumenflow/integration-postgres';
import {recordsOfCall} from '@lumenflow/kernel/conformance';
import {createProcessRegistry} from '@lumenflow/kernel/node';
import {compare, type Sampler} from './compare.ts';
import {operations, type Effort} from './effort.ts';
import type {Figure} from './figure.ts';
import {oneByOne} from './samplers.ts';

/** Records in a large group. */
export const groupSize = 192;

export async function* storeFigures(effort: Effort, url: string): AsyncGenerator<Figure> {
  const state = await openPostgresState({url, processes: createProcessRegistry()});
  const {evidence, events} = state;
  let call = 0;
  const append =
    (calls: number): (() => Promise<void>) =>
    async () => {
      const records = Array.from({length: calls}, () => recordsOfCall(`r${(call += 1)}`)).flat();
      await evidence.append(records, {fsync: true});
    };
  const sample = (calls: number): Sampler => oneByOne(operations(effort, 100), append(calls));
  try {
    const perCall = recordsOfCall('r').length;
    yield await compare({
      id: 'hosts.append_large',
      title: `append of ${groupSize} records in one group`,
      unit: 'ms',
      runs: effort.runs,
      sample: sample(groupSize / perCall),
      baseline: {title: `append of ${perCall} records`, sample: sample(1)},
    });
    yield await compare({
      id: 'hosts.poll',
      title: 'one question for new events',
      unit: 'ms',
      runs: effort.runs,
      sample: oneByOne(operations(effort, 300), async () => await events.refresh()),
    });
    yield await compare({
      id: 'hosts.event',
      title: 'one transaction of the event log',
      unit: 'ms',
      runs: effort.runs,
      sample: oneByOne(operations(effort, 100), () =>
        events.transact(() => ({
          events: [
            {type: 'task_released', timestamp: '2026-01-01T00:00:00.000Z', actor: 'a', task_id: 't', reason: 'r'},
          ],
          result: 0,
        })),
      ),
    });
  } finally {
    await state.close();
  }
}
