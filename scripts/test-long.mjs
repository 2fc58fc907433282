// `npm run test:long`: the test files that take more than five seconds each (`*.long.test.ts`): commands as processes, the dashboard
// in a browser, packs on real repositories, agents that are killed at every step, every block of docs/.
// `--folders sandbox host` runs those of these folders. Other arguments go to vitest.
import {installTestPrograms} from './install-system-programs.mjs';
import {prepare} from './prepare.mjs';
import {closingLine, runTests, suites} from './run-tests.mjs';

// Whatever ends this program before the tests are counted is one failure.
let line = closingLine({passed: 0, failed: 1, skipped: 0});
process.on('exit', () => console.log(line));

prepare({sandboxRequired: true});
installTestPrograms();
const [first, ...folders] = process.argv.slice(2);
const chosen = first === '--folders' ? {folders, args: []} : {args: process.argv.slice(2)};
const tests = await runTests(process.execPath, {suite: suites.long, ...chosen});
line = tests.line;
process.exitCode = tests.exitCode;
