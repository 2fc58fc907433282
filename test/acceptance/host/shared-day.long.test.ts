// Days on which people, agents and two hosts share a repository: calls, dry runs, approvals, rejections, reverts, restarts
// and kills. No work is lost. `npm run properties -- test/acceptance/host/shared-day` runs longer days.
import * as fc from 'fast-check';
import {existsSync} from 'node:fs';
import {expect, test} from 'vitest';
import {Day} from './day/day.ts';
import {dayOf} from './day/day-step.ts';
import {makeDayWorkspace} from './day/make-day-workspace.ts';

const isLong = process.env['LUMENFLOW_PROPERTY_RUNS'] !== undefined;
const runs = isLong ? Math.ceil(Number(process.env['LUMENFLOW_PROPERTY_RUNS']) / 250) : 2;
/** A failing day is made shorter, as far as this time allows. */
const searchMs = isLong ? 7_200_000 : 90_000;

test.runIf(existsSync('/usr/bin/bwrap'))(
  'nobody’s work is lost on a day of calls, approvals, reverts and restarts',
  async () => {
    let steps = 0;
    await fc.assert(
      fc.asyncProperty(dayOf(isLong ? 40 : 16), async (day) => {
        const workspace = makeDayWorkspace();
        try {
          const own = new Day(workspace);
          await own.begin();
          for (const step of day) await own.live(step);
          await own.end();
          steps += day.length;
        } finally {
          await workspace.remove();
        }
      }),
      // The same days each time: what they find by chance is for the long run.
      {numRuns: runs, interruptAfterTimeLimit: searchMs, unbiased: true, ...(!isLong && {seed: 1})},
    );
    expect(steps).toBeGreaterThan(0);
  },
  searchMs + 90_000,
);
