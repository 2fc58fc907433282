// Code as a process in the sandbox: each language calls tools through the gateway, and reaches nothing else.
import type {Host, LocalHandlers} from '@lumenflow/host';
import {createExec, type CodeLanguage, type CodeResult, type Exec} from '@lumenflow/host/exec';
import {afterAll, beforeAll, expect, it} from 'vitest';
import {makeHostWorkspace, type HostWorkspace} from '../../support/host-workspace.ts';
import {opened} from '../../support/opened.ts';

const handlers: LocalHandlers = {
  'orders:find': {
    description: 'Finds an order.',
    permission: 'read',
    run: ({id}: {readonly id: string}) => ({id, state: 'sent'}),
  },
  'orders:mark-paid': {permission: 'write', run: (input: unknown) => ({paid: input})},
};

let workspace: HostWorkspace;
let host: Host;
let exec: Exec;
beforeAll(async () => {
  workspace = makeHostWorkspace({files: {'secret.txt': 'secret'}});
  host = await workspace.start({handlers, env: {PATH: process.env['PATH'], ORDERS_TOKEN: 'secret'}});
  exec = createExec(host, {session: opened(await host.openSession({by: 'shop'}))});
});
afterAll(async () => await workspace.remove());

async function run(language: CodeLanguage, code: string, more: object = {}): Promise<CodeResult> {
  return await exec.runCode({language, code, ...more}, {runs_in: 'sandbox'});
}

const programs: Readonly<Record<CodeLanguage, string>> = {
  javascript: `
    const {state} = await tools.orders.find({id: 'A-1'});
    await tools.orders.markPaid({id: 'A-1'});
    console.log('printed');
    const code = await tools.orders.missing().catch((error) => error.code);
    return {state, code};`,
  typescript: `
    const {state} = (await tools.orders.find({id: 'A-1'})) as {readonly state: string};
    await tools.orders.markPaid({id: 'A-1'});
    console.log('printed');
    const code: string = await tools.orders.missing().catch((error: {code: string}) => error.code);
    result({state, code});`,
  python: `
from lumenflow import ToolError
found = tools.orders.find(id="A-1")
tools.orders.mark_paid({"id": "A-1"})
print("printed")
try:
    tools.orders.missing()
except ToolError as error:
    result({"state": found["state"], "code": error.code})`,
  shell: `
found=$(tool orders:find '{"id": "A-1"}') || exit 1
tool orders:mark-paid '{"id": "A-1"}' > /dev/null
echo printed
tool orders:missing 2> /tmp/error
case "$found" in *'"state":"sent"'*) state=sent;; esac
case "$(cat /tmp/error)" in *'"code":"TOOL_NOT_FOUND"'*) code=TOOL_NOT_FOUND;; esac
result "{\\"state\\": \\"$state\\", \\"code\\": \\"$code\\"}"`,
};

for (const [language, code] of Object.entries(programs) as [CodeLanguage, string][]) {
  it(`runs ${language}`, async () => {
    const done = await run(language, code);
    expect(done.error).toBeUndefined();
    expect(done).toMatchObject({value: {state: 'sent', code: 'TOOL_NOT_FOUND'}, stdout: 'printed\n'});
    expect(done.calls.map(({tool_id, status}) => `${tool_id} ${status}`)).toEqual([
      'orders:find succeeded',
      'orders:mark-paid succeeded',
    ]);
    const receipt = await host.runtime.evidence.receipt(done.receipt_id ?? '');
    expect(receipt).toMatchObject({
      started: {tool_name: 'code:run-sandboxed', execution_mode: 'sandbox'},
      finished: {child_receipt_ids: done.calls.map(({receipt_id}) => receipt_id)},
    });
  });
}

it('shows the code nothing of the workspace, and no network', async () => {
  const {value} = await run(
    'python',
    `
import os, socket
def reached(attempt):
    try:
        attempt()
        return True
    except OSError:
        return False
result([
    os.path.exists("${workspace.root}/secret.txt"),
    reached(lambda: open("${workspace.root}/written.txt", "w")),
    reached(lambda: socket.create_connection(("192.0.2.1", 80), 1)),
    "ORDERS_TOKEN" in os.environ,
])`,
  );
  expect(value).toEqual([false, false, false, false]);
});

it('applies the allow-list and the budget of the run', async () => {
  const code = `
codes = []
for id in ["orders:find", "orders:mark-paid", "ORDERS:FIND", "orders:find"]:
    run = gateway.run_tool(id, {"id": "A-1"})
    codes.append(run.get("error", {}).get("code"))
result(codes)`;
  const {value, used} = await run('python', code, {allow: ['orders:find'], limits: {tool_calls: 3}});
  expect(value).toEqual([null, 'TOOL_NOT_ALLOWED', 'TOOL_NOT_ALLOWED', 'LIMIT_EXCEEDED']);
  expect(used.tool_calls).toBe(4);
});

it('takes no result from stdout, from the wire of another form, or from another process', async () => {
  const forged = JSON.stringify({type: 'result', output: {success: true, data: {value: '"forged"', calls: [1]}}});
  const {value, calls, used} = await run(
    'python',
    `
import os, sys
print('${forged}')
for fd in (3, 4):
    try:
        os.write(fd, b'${forged}\\n\\x00\\x00\\x00\\x05{"a":')
        os.write(fd, b'\\n')
    except OSError:
        pass
sys.stdout.flush()`,
  );
  expect({value, calls, used: used.tool_calls}).toEqual({value: null, calls: [], used: 0});
});

it('ends what does not end, and keeps what it printed', async () => {
  const limits = {wall_time_ms: 1_000, output_bytes: 1_000};
  const loop = await run('python', 'import sys\nprint("begun")\nsys.stdout.flush()\nwhile True: pass', {limits});
  expect(loop).toMatchObject({error: {code: 'TOOL_TIMEOUT'}, stdout: 'begun\n'});
  const flood = await run('shell', 'while :; do echo flood; done', {limits});
  expect(flood).toMatchObject({error: {code: 'TOOL_TIMEOUT'}, truncated: true});
  expect(flood.stdout.length).toBe(1_000);
  const bomb = await run('python', 'all = []\nwhile True: all.append(bytearray(1 << 24))');
  expect(['LIMIT_EXCEEDED', 'TOOL_EXECUTION_FAILED', 'TOOL_CRASHED']).toContain(bomb.error?.code);
  expect(await run('shell', 'sleep 1000 & exit 3')).toMatchObject({
    error: {code: 'TOOL_EXECUTION_FAILED', message: 'the code failed: the program exited with 3'},
  });
  expect((await run('javascript', `return 'a'.repeat(2000);`, {limits})).error?.code).toBe('LIMIT_EXCEEDED');
});

it('reports where code in a sandbox failed', async () => {
  const {error} = await run('python', 'def f():\n    raise ValueError("no")\nf()');
  expect(error?.message).toContain('File "code.py", line 2, in f');
  const broken = await run('javascript', 'const a = 1;\nconst b = ;');
  expect(broken.error).toMatchObject({
    message: expect.stringContaining('SyntaxError'),
    details: {stack: '    at code.js:2:1'},
  });
  const typed = await run(
    'typescript',
    'interface A {\n  a: string;\n}\nfunction f(): never { throw new Error("no"); }\n  f();',
  );
  expect(typed.error).toMatchObject({
    message: 'the code failed: Error: no',
    details: {stack: expect.stringMatching(/^ +at f \(code\.js:4:\d+\)\n +at \S+ \(code\.js:5:3\)$/u)},
  });
  const refused = await run('javascript', '\nawait tools.orders.none();');
  expect(refused.error?.details?.['stack']).toContain('code.js:2:');
});
