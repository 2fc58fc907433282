// `npm run test:node24`: the tests once more under Node 24, which npm's `node` package brings. Arguments go to vitest.
import {existsSync, mkdirSync} from 'node:fs';
import {join} from 'node:path';
import {prepare} from './prepare.mjs';
import {closingLine, runTests} from './run-tests.mjs';
import {fail, repository, runQuietly, say} from './run.mjs';

const folder = join(repository, 'node_modules/.cache/node24');
const node = join(folder, 'node_modules/node/bin/node');

function installNode() {
  if (existsSync(node)) return;
  say('installing Node 24 (npm package node@24) …');
  mkdirSync(folder, {recursive: true});
  // The package fetches its binary in an install script.
  const args = ['install', '--prefix', folder, '--no-audit', '--no-fund', '--no-save', '--loglevel=error', 'node@24'];
  if (runQuietly('npm', args) !== 0 || !existsSync(node)) {
    fail('npm could not install Node 24: the npm registry must be reachable. Then repeat: npm run test:node24');
  }
}

// Whatever ends this program before the tests are counted is one failure.
let line = closingLine({passed: 0, failed: 1, skipped: 0});
process.on('exit', () => console.log(line));

prepare({sandboxRequired: false});
installNode();
const tests = await runTests(node, process.argv.slice(2));
line = tests.line;
process.exitCode = tests.exitCode;
