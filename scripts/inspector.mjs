// `npm run inspector`: the CLI of the MCP inspector against `lumenflow mcp` and `/mcp`. It runs under Node 24.
import {join} from 'node:path';
import {installCached} from './cached-package.mjs';
import {installNode24} from './node24.mjs';
import {prepare} from './prepare.mjs';
import {repository, runForeground} from './run.mjs';

const again = 'npm run inspector';

prepare({sandboxRequired: false});
const node = installNode24(again);
const inspector = installCached('@modelcontextprotocol/inspector@2.12.0', 'package.json', again);
const runner = join(repository, 'test/mcp-conformance/inspector.ts');
const args = ['--import', 'tsx', runner, '--node', node, '--inspector', join(inspector, '..')];
process.exitCode = await runForeground(process.execPath, args);
