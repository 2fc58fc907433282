// `npm run test:node24`: the tests once more under Node 24, which npm's `node` package brings. Arguments go to vitest.
import {installNode24} from './node24.mjs';
import {prepare} from './prepare.mjs';
import {endWithTests, runTests, suites} from './run-tests.mjs';

await endWithTests(async () => {
  prepare({sandboxRequired: false});
  return await runTests(installNode24('npm run test:node24'), {suite: suites.usual, args: process.argv.slice(2)});
});
