// `npm run test:long`: what takes minutes. The packs of this repository at work, on real repositories, in real sandboxes and
// processes, from the first plan to the main branch, with agents that are killed at every step; and every block of docs/.
// Arguments go to vitest instead.
import {installTestPrograms} from './install-system-programs.mjs';
import {prepare} from './prepare.mjs';
import {closingLine, runTests, suites} from './run-tests.mjs';

// Whatever ends this program before the tests are counted is one failure.
let line = closingLine({passed: 0, failed: 1, skipped: 0});
process.on('exit', () => console.log(line));

prepare({sandboxRequired: true});
installTestPrograms({long: true});
const tests = await runTests(process.execPath, {suite: suites.long, args: process.argv.slice(2)});
line = tests.line;
process.exitCode = tests.exitCode;
