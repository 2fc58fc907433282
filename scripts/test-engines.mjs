// `npm run test:engines`: the tests of container engines and virtual machines (`*.engines.test.ts`), after `npm run engines`. Tests of what
// cannot be installed are skipped with the reason. Arguments go to vitest.
import {installEngines} from './engines.mjs';
import {prepare} from './prepare.mjs';
import {endWithTests, runTests, suites} from './run-tests.mjs';

await endWithTests(async () => {
  prepare({sandboxRequired: true});
  installEngines();
  return await runTests(process.execPath, {suite: suites.engines, args: process.argv.slice(2)});
});
