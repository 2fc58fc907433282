import {expect, test} from 'vitest';
import {readRepository} from './repository.ts';
import {findActorsOutsideTheSeam} from './rules/actors-outside-the-seam.ts';
import {isFixture, isSource, report} from './rules/source-file.ts';

test('one function gives the actor of all commands', () => {
  const sources = readRepository().filter(({path}) => isSource(path) && !isFixture(path));
  expect(report(findActorsOutsideTheSeam(sources))).toEqual([]);
});

test.each([
  `import {actorOf} from '../sign-in/actor.ts';`,
  `import {actorOf, givenActor} from '../sign-in/actor.ts';`,
  `const name = userInfo().username;`,
  `const name = env['LUMENFLOW_ACTOR'];`,
])('finds: %s', (text) => {
  expect(report(findActorsOutsideTheSeam([{path: 'host/cli/commands/a.ts', text}]))).toEqual([
    expect.stringMatching(/^host\/cli\/commands\/a\.ts:1 .*actingPerson/),
  ]);
});

test('allows checking a given name, and commands without a workspace of people', () => {
  const text = `import {givenActor} from '../sign-in/actor.ts';`;
  expect(findActorsOutsideTheSeam([{path: 'host/cli/commands/a.ts', text}])).toEqual([]);
  const own = `import {actorOf} from '../sign-in/actor.ts';`;
  expect(findActorsOutsideTheSeam([{path: 'host/cli/commands/init.ts', text: own}])).toEqual([]);
});
