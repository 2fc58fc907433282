// `npm test`: prepares, checks, runs the tests, and ends with the plain line `N passed, N failed`. Arguments go to vitest.
import {check} from './check.mjs';
import {prepare} from './prepare.mjs';
import {endWithTests, runTests, suites} from './run-tests.mjs';
import {say} from './run.mjs';

await endWithTests(async () => {
  const missing = prepare({sandboxRequired: false});
  if (!check()) return undefined;
  const tests = await runTests(process.execPath, {suite: suites.usual, args: process.argv.slice(2)});
  // Repeated, because the output of the failed tests separates it from the first message.
  if (missing !== undefined) say(missing);
  if (tests.exitCode !== 0) say('tests failed. Repeat one file with: npx vitest run <file>');
  return tests;
});
