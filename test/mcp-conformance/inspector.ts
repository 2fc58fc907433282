// The CLI of the MCP inspector as a stranger's client: it lists, calls, gets and reads, over HTTP and on stdio.
import {execFile} from 'node:child_process';
import {readFileSync} from 'node:fs';
import {join} from 'node:path';
import {parseArgs} from 'node:util';
import {serveFixture, type Fixture} from './serve-fixture.ts';

const {values} = parseArgs({options: {node: {type: 'string'}, inspector: {type: 'string'}}});
const {node = process.execPath, inspector: folder = ''} = values;
const {bin} = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as {bin: Record<string, string>};
const program = join(folder, bin['mcp-inspector'] ?? '');
const lumenflow = join(import.meta.dirname, '../../host/dist/main.js');

interface Ask {
  readonly args: readonly string[];
  /** What the answer must contain. */
  readonly holds: string;
}

const asks: readonly Ask[] = [
  // Also that no client would stumble over a schema.
  {args: ['--method', 'tools/list', '--strict'], holds: '"name": "test_simple_text"'},
  {args: ['--method', 'tools/call', '--tool-name', 'test_simple_text'], holds: 'This is a simple text response'},
  {args: ['--method', 'tools/call', '--tool-name', 'test_image_content'], holds: '"mimeType": "image/png"'},
  {args: ['--method', 'prompts/list'], holds: '"name": "test_simple_prompt"'},
  {
    args: [
      '--method',
      'prompts/get',
      '--prompt-name',
      'test_prompt_with_arguments',
      '--prompt-args',
      'arg1=a',
      'arg2=b',
    ],
    holds: "arg1='a', arg2='b'",
  },
  {args: ['--method', 'resources/list'], holds: 'test://static-text'},
  {args: ['--method', 'resources/read', '--uri', 'test://static-text'], holds: 'static text resource'},
  {args: ['--method', 'resources/templates/list'], holds: 'test://template/{id}/data'},
];

async function run(args: readonly string[]): Promise<string> {
  return await new Promise((resolve) => {
    execFile(node, [program, '--cli', ...args], {timeout: 60_000}, (error, stdout, stderr) =>
      resolve(error ? `${stdout}${stderr}\nexit code ${String(error.code)}` : stdout),
    );
  });
}

/** Returns the answer if it does not match. */
async function judge({args, holds}: Ask, target: readonly string[]): Promise<string | undefined> {
  const answer = await run([...target, ...args]);
  const isHeld = answer.includes(holds) && !answer.includes('exit code');
  return isHeld ? undefined : answer;
}

function targetsOf({url, root}: Fixture): Readonly<Record<string, readonly string[]>> {
  return {
    http: [url, '--transport', 'http'],
    stdio: [process.execPath, lumenflow, 'mcp', '--workspace', root, '--lane', 'other'],
  };
}

const fixture = await serveFixture();
let [passed, failed] = [0, 0];
try {
  for (const [name, target] of Object.entries(targetsOf(fixture))) {
    for (const ask of asks) {
      const wrong = await judge(ask, target);
      if (wrong === undefined) passed += 1;
      else failed += 1;
      process.stdout.write(`${wrong === undefined ? '✓' : '✗'} ${name}: ${ask.args.join(' ')}\n${wrong ?? ''}`);
    }
  }
} finally {
  await fixture.close();
}
process.stdout.write(`${passed} passed, ${failed} failed\n`);
if (failed > 0) process.exitCode = 1;
