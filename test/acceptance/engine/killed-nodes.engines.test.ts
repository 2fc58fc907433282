// The bounded form of `npm run crash -- engine`, on three nodes of a Restate server. It kills the leader, a follower, the worker and the host. Every call happens once.
import {noServer} from '@lumenflow/integration-restate/testing';
import {expect, test} from 'vitest';
import {killAtRandom} from '../../crash/engine-points.ts';

test.skipIf(noServer !== undefined)(
  'runs survive the end of a leader, of a follower, of the worker and of the host, and no call happens twice',
  {timeout: 600_000},
  async () => {
    const seed = Date.now() % 2 ** 31;
    const {problems, figures} = await killAtRandom({seed, nodes: 3, kills: 4});
    expect(problems, `seed ${seed}`).toEqual([]);
    expect(figures?.map(({title, value}) => [title, value])).toEqual([
      ['effects', 34],
      ['kills of a worker', 1],
      ['kills of a leader', 1],
      ['kills of a host', 1],
      ['kills of a follower', 1],
    ]);
  },
);
