// `npm run test:node24`: the tests once more under Node 24, which npm's `node` package brings. Arguments go to vitest.
import {installNode24} from './node24.mjs';
import {prepare} from './prepare.mjs';
import {closingLine, runTests, suites} from './run-tests.mjs';

// Whatever ends this program before the tests are counted is one failure.
let line = closingLine({passed: 0, failed: 1, skipped: 0});
process.on('exit', () => console.log(line));

prepare({sandboxRequired: false});
const node = installNode24('npm run test:node24');
const tests = await runTests(node, {suite: suites.usual, args: process.argv.slice(2)});
line = tests.line;
process.exitCode = tests.exitCode;
