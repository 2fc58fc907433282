import {expect, test} from 'vitest';
import {failed, ok} from '../outcome.ts';
import type {AvailableReport} from './probe-report.ts';
import {probedBackend, type ProbedBackend} from './probed-backend.ts';

interface Found {
  readonly id: number;
  readonly report: AvailableReport;
}

const gone = {message: 'it is gone', help: 'retry'};

/** What a probe found is there while its id is `current()`. */
function backendWith(current: () => number): {readonly backend: ProbedBackend<Found>; looks(): number} {
  let looks = 0;
  const backend = probedBackend<Found>({
    name: 'docker',
    look: async () => ok({id: (looks += 1), report: {} as AvailableReport}),
    startedBy: {option: 'socket', paths: () => []},
    start: async () => failed(gone),
    isCurrent: async ({id}) => id === current(),
  });
  return {backend, looks: () => looks};
}

const useOf =
  (current: () => number) =>
  async ({id}: Found) =>
    id === current() ? ok(id) : failed(gone);

test('a probe is repeated once for all calls that miss what it found', async () => {
  let current = 1;
  const {backend, looks} = backendWith(() => current);
  const use = useOf(() => current);
  expect(await backend.whenReady(use)).toEqual(ok(1));
  current = 2;
  expect(await Promise.all([backend.whenReady(use), backend.whenReady(use)])).toEqual([ok(2), ok(2)]);
  expect(looks()).toBe(2);
});

test('a failure for another reason is returned as it is, and so is a second one', async () => {
  const {backend, looks} = backendWith(() => 1);
  expect(await backend.whenReady(async () => failed(gone))).toEqual(failed(gone));
  expect(looks()).toBe(1);
  const never = backendWith(() => 0);
  expect(await never.backend.whenReady(useOf(() => 0))).toEqual(failed(gone));
  expect(never.looks()).toBe(2);
});
