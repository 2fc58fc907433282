// `npm run test:node24`: the tests once more under Node 24, which npm's `node` package brings, without those of the repository's files.
// Arguments go to vitest.
import {installNode24} from './node24.mjs';
import {prepare} from './prepare.mjs';
import {endWithTests, runTests, suites} from './run-tests.mjs';

await endWithTests(async () => {
  prepare({sandboxRequired: false});
  const args = process.argv.slice(2);
  if (args.length === 0) process.env.LUMENFLOW_WITHOUT_TIDY = '1';
  return await runTests(installNode24('npm run test:node24'), {suite: suites.usual, args});
});
