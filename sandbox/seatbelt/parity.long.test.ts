// The same cases on both platforms: run in bubblewrap here, judged by the evaluator for macOS. Differences must be declared. `npx
// vitest run sandbox/seatbelt -u` updates docs/sandbox-parity.md.
import {join} from 'node:path';
import {afterAll, beforeAll, expect, test} from 'vitest';
import {networkObstacle} from '../testing/network-bench.fixture.ts';
import {createLinuxJudge, type LinuxJudge} from '../testing/scenarios/linux-judge.fixture.ts';
import {judgeOnMacos} from '../testing/scenarios/judge-on-macos.fixture.ts';
import {renderParity, type JudgedScenario} from '../testing/scenarios/render-parity.fixture.ts';
import {expectedOn} from '../testing/scenarios/sandbox-scenario.fixture.ts';
import {allScenarios} from '../testing/scenarios/all-scenarios.fixture.ts';

const obstacle = networkObstacle();
let linux: LinuxJudge;
beforeAll(async () => {
  if (obstacle === undefined) linux = await createLinuxJudge();
});
afterAll(() => linux?.remove());

test.skipIf(obstacle !== undefined)('both platforms behave as the cases require, and the table shows it', async () => {
  const judged: JudgedScenario[] = [];
  for (const scenario of allScenarios) {
    const onLinux = await linux.judge(scenario);
    const expected = Object.entries(scenario.operations).map(([text, said]) => [text, expectedOn('linux', said)]);
    expect({[scenario.name]: onLinux}).toEqual({[scenario.name]: Object.fromEntries(expected)});
    judged.push({scenario, linux: onLinux, macos: await judgeOnMacos(scenario)});
  }
  await expect(renderParity(judged)).toMatchFileSnapshot(
    join(import.meta.dirname, '..', '..', 'docs', 'sandbox-parity.md'),
  );
});

test('an undeclared difference is reported', () => {
  const scenario = {name: 'x', tree: [], operations: {'read a': 'allow'}} as const;
  expect(() => renderParity([{scenario, linux: {'read a': 'allow'}, macos: {'read a': 'deny'}}])).toThrow(
    '`read a` of `x` differs',
  );
});
