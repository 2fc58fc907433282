// `npm run test:long`: the test files that take more than five seconds each (`*.long.test.ts`): commands, the dashboard
// in a browser, packs on real repositories, agents that are killed at every step, every block of docs/.
// `--folders sandbox host` runs those of these folders. Other arguments go to vitest.
import {installTestPrograms} from './install-system-programs.mjs';
import {prepare} from './prepare.mjs';
import {endWithTests, runTests, suites} from './run-tests.mjs';

await endWithTests(async () => {
  prepare({sandboxRequired: true});
  installTestPrograms();
  const [first, ...folders] = process.argv.slice(2);
  const chosen = first === '--folders' ? {folders, args: []} : {args: process.argv.slice(2)};
  return await runTests(process.execPath, {suite: suites.long, ...chosen});
});
