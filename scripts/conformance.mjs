// `npm run conformance`: MCP's official conformance suite against `/mcp`, in both versions of the protocol. The suite runs under
// Node 24; `--scenario NAME` runs one, `--verbose` prints each check.
import {join} from 'node:path';
import {installCached} from './cached-package.mjs';
import {installNode24} from './node24.mjs';
import {prepare} from './prepare.mjs';
import {repository, runForeground} from './run.mjs';

const again = 'npm run conformance';

prepare({sandboxRequired: false});
const node = installNode24(again);
// The first version that knows the era without a handshake.
const suite = installCached('@modelcontextprotocol/conformance@0.2.0-alpha.12', 'dist/index.js', again);
const runner = join(repository, 'test/mcp-conformance/conformance.ts');
const args = ['--import', 'tsx', runner, '--node', node, '--suite', suite, ...process.argv.slice(2)];
process.exitCode = await runForeground(process.execPath, args);
