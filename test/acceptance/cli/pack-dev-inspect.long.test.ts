// A pack's author debugs a call: a breakpoint in the TypeScript source stops it, and its receipt does not claim a sandbox.
import {mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync} from 'node:fs';
import {SourceMap, type SourceMapPayload} from 'node:module';
import {createServer, type AddressInfo} from 'node:net';
import {join} from 'node:path';
import {fileURLToPath} from 'node:url';
import {afterAll, beforeAll, expect, test, vi} from 'vitest';
import {connectInspector} from '../../support/inspector-client.ts';
import {assertBuilt, ended, runCommandForJson, runCommand, startProgram} from '../../support/lumenflow-program.ts';

// Inside the repository, so that the packages are found as they are once installed.
const scratch = join(import.meta.dirname, '../../../node_modules/.cache');
let home: string;
let pack: string;

beforeAll(async () => {
  assertBuilt();
  mkdirSync(scratch, {recursive: true});
  home = mkdtempSync(join(scratch, 'inspect-'));
  pack = join(home, 'notes');
  expect((await runCommand(['pack', 'create', 'notes'], {cwd: home})).code).toBe(0);
});
afterAll(() => rmSync(home, {recursive: true, force: true}));

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  const {port} = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}

/** Where a line of the source is in the built module, counted from 0. */
function builtPlace(url: string, source: string, line: number): {lineNumber: number; columnNumber: number} {
  const built = fileURLToPath(url);
  const map = new SourceMap(JSON.parse(readFileSync(`${built}.map`, 'utf8')) as SourceMapPayload);
  for (const [lineNumber, text] of readFileSync(built, 'utf8').split('\n').entries()) {
    const columnNumber = text.search(/\S/u);
    const entry = map.findEntry(lineNumber, columnNumber);
    if ('originalSource' in entry && entry.originalSource.endsWith(source) && entry.originalLine === line) {
      return {lineNumber, columnNumber};
    }
  }
  throw new Error(`line ${line} of ${source} is not in the source map`);
}

test('a breakpoint in the TypeScript source stops a call, which the receipt records without a sandbox', async () => {
  const port = await freePort();
  const args = ['pack', 'dev', '--inspect', String(port), '--call', 'greet {"name": "Ada"}', '--json'];
  const child = startProgram(args, {cwd: pack, env: {HOME: home}});
  let text = '';
  child.stdout?.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
  const inspector = await connectInspector(port);
  await inspector.send('Debugger.enable');
  // As editors do, to set breakpoints in a module before it runs.
  const instrumentation = 'beforeScriptWithSourceMapExecution';
  await inspector.send('Debugger.setInstrumentationBreakpoint', {instrumentation});
  await inspector.send('Runtime.runIfWaitingForDebugger');
  const script = await inspector.event('Debugger.scriptParsed', ({url}) => String(url).endsWith('/tools.greet.mjs'));
  await inspector.event('Debugger.paused', ({reason}) => reason === 'instrumentation');

  const source = readFileSync(join(pack, 'tools/greet.ts'), 'utf8').split('\n');
  const line = source.findIndex((code) => code.includes('return {greeting'));
  const location = {scriptId: script['scriptId'], ...builtPlace(String(script['url']), 'tools/greet.ts', line)};
  const {breakpointId} = await inspector.send('Debugger.setBreakpoint', {location});
  await inspector
    .send('Debugger.removeBreakpoint', {breakpointId: `instrumentation:${instrumentation}`})
    .catch(() => {});
  await inspector.send('Debugger.resume');
  const paused = await inspector.event('Debugger.paused', ({hitBreakpoints}) =>
    ((hitBreakpoints ?? []) as unknown[]).includes(breakpointId),
  );
  const [frame] = paused['callFrames'] as readonly {readonly callFrameId: string}[];
  const evaluated = await inspector.send('Debugger.evaluateOnCallFrame', {
    callFrameId: frame?.callFrameId,
    expression: 'name',
  });
  expect(evaluated).toMatchObject({result: {value: 'Ada'}});
  await inspector.send('Debugger.resume');
  inspector.close();

  const called = await vi.waitFor(
    () => {
      const lines = text.trim().split('\n');
      return JSON.parse(lines[2] ?? '') as {readonly receipt_id?: string};
    },
    {timeout: 60_000, interval: 20},
  );
  expect(called).toMatchObject({ok: true, data: {greeting: 'Hello, Ada'}});
  expect(JSON.parse(text.split('\n')[1] ?? '')).toMatchObject({event: 'inspect', host: '127.0.0.1', port});
  child.stdin?.write('q\n');
  expect((await ended(child)).code).toBe(0);
  const receipt = String(called.receipt_id);
  const {document} = await runCommandForJson(['evidence', 'show', receipt], {cwd: pack, env: {HOME: home}});
  expect(document).toMatchObject({
    receipt: {
      finished: {
        enforcement: {
          backend: 'unsafe-host',
          tier: 'dev',
          degraded: ["no sandbox: the tool ran with all rights of the host's user"],
        },
      },
    },
  });
  expect(JSON.stringify(document)).not.toContain('"enforced"');
});

test.each(['Ctrl-C', 'q'])('ends by %s while a call waits for a debugger', async (how) => {
  const port = await freePort();
  const args = ['pack', 'dev', '--inspect', String(port), '--call', 'greet {"name": "Ada"}', '--json'];
  const child = startProgram(args, {cwd: pack, env: {HOME: home}});
  const inspector = await connectInspector(port);
  inspector.close();
  if (how === 'q') child.stdin?.write('q\n');
  else child.kill('SIGINT');
  await ended(child);
  await expect(fetch(`http://127.0.0.1:${port}/json/list`)).rejects.toThrow();
});

test('a tool that writes can be debugged too', async () => {
  const writes = `  - name: notes:add
    description: Adds a note
    handler_entry: tools/add.ts#add
    permission: write
    required_scopes: [{type: path, pattern: 'notes/**', access: write}]
`;
  writeFileSync(join(pack, 'manifest.yaml'), readFileSync(join(pack, 'manifest.yaml'), 'utf8') + writes);
  const code = "export const add = async (_input: unknown, {fs}: any) => (await fs.write('notes/a.md', 'here'), {});\n";
  writeFileSync(join(pack, 'tools/add.ts'), code);
  const workspace = readFileSync(join(pack, 'workspace.yaml'), 'utf8');
  writeFileSync(join(pack, 'workspace.yaml'), workspace.replaceAll('access: read', 'access: write'));
  const port = await freePort();
  const args = ['pack', 'dev', '--inspect', String(port), '--call', 'add {}', '--json'];
  const child = startProgram(args, {cwd: pack, env: {HOME: home}});
  const inspector = await connectInspector(port);
  await inspector.send('Runtime.runIfWaitingForDebugger');
  inspector.close();
  const file = join(pack, 'notes/a.md');
  await vi.waitFor(() => expect(readFileSync(file, 'utf8')).toBe('here'), {timeout: 60_000, interval: 20});
  child.stdin?.write('q\n');
  await ended(child);
});
