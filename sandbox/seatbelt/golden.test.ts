// The texts of many profiles as files to review: `npx vitest run sandbox/seatbelt -u` updates them.
import {readdirSync} from 'node:fs';
import {join} from 'node:path';
import {expect, test} from 'vitest';
import {judgeOnMacos, sbplOf} from '../testing/scenarios/judge-on-macos.fixture.ts';
import {allScenarios} from '../testing/scenarios/all-scenarios.fixture.ts';
import {expectedOn} from '../testing/scenarios/sandbox-scenario.fixture.ts';

const folder = join(import.meta.dirname, 'golden');
const fileOf = (name: string): string => `${name.replace(/[^a-z]+/gi, '-').toLowerCase()}.sb`;

test.each(allScenarios)('$name', async (scenario) => {
  const text = await sbplOf(scenario);
  const [first] = allScenarios;
  // What every program needs is the same in all: the first file shows it.
  const shown = scenario === first ? text : text.slice(text.indexOf('; What is granted.'));
  await expect(shown).toMatchFileSnapshot(join(folder, fileOf(scenario.name)));
  const expected = Object.entries(scenario.operations).map(([text, verdict]) => [text, expectedOn('macos', verdict)]);
  expect(await judgeOnMacos(scenario)).toEqual(Object.fromEntries(expected));
});

test('there is exactly one file for each scenario', () => {
  expect(readdirSync(folder).toSorted()).toEqual(allScenarios.map(({name}) => fileOf(name)).toSorted());
});
