// `npm run conformance`: MCP's official conformance suite against `/mcp`, in both eras of the protocol. The suite runs under
// Node 24; `--scenario NAME` runs one, `--verbose` tells each check.
import {existsSync, mkdirSync} from 'node:fs';
import {join} from 'node:path';
import {installNode24} from './node24.mjs';
import {prepare} from './prepare.mjs';
import {fail, repository, runForeground, runQuietly, say} from './run.mjs';

const again = 'npm run conformance';
/** The first version that knows the era without a handshake. */
const suitePackage = '@modelcontextprotocol/conformance@0.2.0-alpha.12';
const folder = join(repository, 'node_modules/.cache', suitePackage.replaceAll('/', '-'));
const suite = join(folder, 'node_modules/@modelcontextprotocol/conformance/dist/index.js');

function installSuite() {
  if (existsSync(suite)) return;
  say(`installing the suite (npm package ${suitePackage}) …`);
  mkdirSync(folder, {recursive: true});
  const flags = ['--no-audit', '--no-fund', '--no-save', '--ignore-scripts', '--loglevel=error'];
  if (runQuietly('npm', ['install', '--prefix', folder, ...flags, suitePackage]) !== 0 || !existsSync(suite)) {
    fail(`npm could not install the suite: the npm registry must be reachable. Then repeat: ${again}`);
  }
}

prepare({sandboxRequired: false});
const node = installNode24(again);
installSuite();
const runner = join(repository, 'test/mcp-conformance/conformance.ts');
const args = ['--import', 'tsx', runner, '--node', node, '--suite', suite, ...process.argv.slice(2)];
process.exitCode = await runForeground(process.execPath, args);
