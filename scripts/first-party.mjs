// `npm run first-party`: the packs of this repository at work, on real repositories, in real sandboxes and processes: deliveries
// from the first plan to the main branch, agents that are killed at every step. Arguments go to vitest.
import {installTestPrograms} from './install-system-programs.mjs';
import {prepare} from './prepare.mjs';
import {closingLine, firstParty, runTests} from './run-tests.mjs';

// Whatever ends this program before the tests are counted is one failure.
let line = closingLine({passed: 0, failed: 1, skipped: 0});
process.on('exit', () => console.log(line));

prepare({sandboxRequired: true});
installTestPrograms();
const tests = await runTests(process.execPath, [...firstParty, ...process.argv.slice(2)]);
line = tests.line;
process.exitCode = tests.exitCode;
