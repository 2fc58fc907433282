// `npm test`: prepares, checks, runs the tests, and ends with the plain line `N passed, N failed`. Arguments go to vitest.
import {check} from './check.mjs';
import {prepare} from './prepare.mjs';
import {closingLine, runTests, suites} from './run-tests.mjs';
import {say} from './run.mjs';

// Whatever ends this program before the tests are counted is one failure.
let line = closingLine({passed: 0, failed: 1, skipped: 0});
process.on('exit', () => console.log(line));

const missing = prepare({sandboxRequired: false});
if (check()) {
  const tests = await runTests(process.execPath, {suite: suites.usual, args: process.argv.slice(2)});
  line = tests.line;
  process.exitCode = tests.exitCode;
  // Said again, because the tests that failed for want of it stand between here and the first time.
  if (missing !== undefined) say(missing);
  if (tests.exitCode !== 0) say('tests failed. Repeat one file with: npx vitest run <file>');
} else {
  process.exitCode = 1;
}
