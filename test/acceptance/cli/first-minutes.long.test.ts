// The first minutes with the program, from an empty folder to a proof that catches one changed byte.
import {closeSync, mkdirSync, openSync, readdirSync, readFileSync, readSync, writeFileSync, writeSync} from 'node:fs';
import {join} from 'node:path';
import {afterAll, beforeAll, describe, expect, it} from 'vitest';
import {
  assertBuilt,
  makeFolder,
  programUsers,
  runForJson,
  runProgram,
  type ProgramUser,
} from '../../support/lumenflow-program.ts';

beforeAll(assertBuilt);

describe.each(programUsers())('as $name', (user: ProgramUser) => {
  const {missing} = user;
  it.runIf(missing !== undefined)(`is not tried: ${missing ?? ''}`, ({skip}) => skip(missing));

  it.runIf(missing === undefined)('writes the gates that fit the files of the repository', async () => {
    const folder = makeFolder(user);
    const cwd = folder.path;
    writeFileSync(join(cwd, 'package.json'), JSON.stringify({scripts: {test: 'node --test'}}), {mode: 0o644});
    expect((await runProgram(['init'], {cwd, user})).code).toBe(0);
    const text = readFileSync(join(cwd, 'workspace.yaml'), 'utf8');
    expect(text).toContain('suggested by package.json:\n#   test: npm test\nsoftware_delivery:\n');
    const {document} = await runForJson(['gates', 'list'], {cwd, user});
    expect(document).toMatchObject({data: {gates: [{name: 'test'}]}});
    folder.remove();
  });

  it.runIf(missing === undefined)('opens the folders of the project, and names no path of this machine', async () => {
    const folder = makeFolder(user);
    const cwd = folder.path;
    for (const name of ['lib', 'node_modules']) mkdirSync(join(cwd, name));
    writeFileSync(join(cwd, 'AGENTS.md'), 'Be brief.\n', {mode: 0o644});
    expect((await runProgram(['init'], {cwd, user})).code).toBe(0);
    const text = readFileSync(join(cwd, 'workspace.yaml'), 'utf8');
    expect(text).toContain("{type: path, pattern: 'lib/**', access: write}");
    expect(text).toContain('# Agents obey AGENTS.md');
    expect(text).not.toMatch(/node_modules|\.\.\/|src\//u);
    const write = ['tools', 'call', 'file:write', 'path=AGENTS.md', 'content=x'];
    expect((await runProgram(write, {cwd, user})).code).toBe(1);
    folder.remove();
  });

  describe.runIf(missing === undefined)('from init to verify', () => {
    const folder = missing === undefined ? makeFolder(user) : undefined;
    const cwd = folder?.path ?? '';
    const run = (...args: string[]) => runProgram(args, {cwd, user});
    const json = (...args: string[]) => runForJson(args, {cwd, user});
    afterAll(() => folder?.remove());

    it('makes a workspace of a git repository, once', async () => {
      mkdirSync(join(cwd, '.git'));
      const made = await run('init');
      expect(made).toMatchObject({code: 0, stderr: expect.stringContaining('lumenflow tools list')});
      expect(made.stdout).toContain('is a workspace');
      expect(readFileSync(join(cwd, '.gitignore'), 'utf8')).toBe('.lumenflow/\n');
      const before = readFileSync(join(cwd, 'workspace.yaml'), 'utf8');
      expect(before).toMatch(/integrity: sha256:[0-9a-f]{64}/);
      const {code, document} = await json('init');
      expect(code).toBe(2);
      expect(document).toMatchObject({ok: false, error: {code: 'WORKSPACE_EXISTS'}});
      expect(readFileSync(join(cwd, 'workspace.yaml'), 'utf8')).toBe(before);
    });

    it('shows how durable runs are advanced', async () => {
      const {code, stdout} = await run('engine', 'doctor');
      expect(code).toBe(0);
      expect(stdout).toMatch(/^engine +embedded\nreadiness +tested\nserver +none/u);
    });

    it('suggests a question about policy that is complete', async () => {
      const [, ...words] =
        /lumenflow (policy explain .*?) *$/mu.exec(readFileSync(join(cwd, 'workspace.yaml'), 'utf8')) ?? [];
      const {stdout} = await run(...(words[0] ?? '').split(' '));
      expect(stdout).toMatch(/^✔ allowed {2}file:write$/m);
    });

    it('has nothing to verify yet', async () => {
      expect((await run('evidence', 'verify')).code).toBe(5);
    });

    it('lists the tools that agents are offered, and whole cells in a pipe', async () => {
      const {code, stdout, stderr} = await run('tools', 'list');
      expect(code).toBe(0);
      expect(stdout).toMatch(/^file:read +read +allow /m);
      expect(stderr).toContain('tools of a domain: lumenflow DOMAIN');
      expect(stdout).not.toContain('…');
      expect(stdout).not.toMatch(/^(?:doctor|initiative:create|agent-schedule:due) /m);
      expect((await run('tools', 'list', '--all')).stdout).toMatch(/^doctor +write +allow, people only /m);
    });

    it('shows what decides about a tool before any input is known', async () => {
      const {code, stdout} = await run('policy', 'explain', 'file:write');
      expect(code).toBe(0);
      expect(stdout).toMatch(/^✔ allowed {2}file:write$/m);
      expect(stdout).toContain('MISSING INPUT');
      const wrong = await run('policy', 'explain', 'file:write', 'content=x');
      expect(wrong.stdout).toMatch(/^✘ invalid input {2}file:write$/m);
    });

    it('has made no task for looking', async () => {
      expect((await json('task', 'list', '--state', 'all')).document).toMatchObject({tasks: []});
      expect((await run('tools', 'list', '--lane', 'nowhere')).stderr).toContain('the lanes are main');
    });

    it('reads a file', async () => {
      writeFileSync(join(cwd, 'README.md'), 'hello\nworld\n', {mode: 0o644});
      const {code, stdout, stderr} = await run('tools', 'call', 'file:read', 'path=README.md', 'end_line=1');
      expect([code, stdout.includes('hello'), stdout.includes('world')]).toEqual([0, true, false]);
      expect(stderr).toMatch(/✔ file:read {2}receipt rcp-/);
    });

    it('refuses a write outside its lane, and explains it with the place', async () => {
      const denied = await run('tools', 'call', 'file:write', 'path=README.md', 'content=x');
      expect(denied.code).toBe(1);
      expect(denied.stderr).toContain('SCOPE_DENIED');
      expect(denied.stderr).toContain('lumenflow policy explain file:write path=README.md content=x');
      expect(readFileSync(join(cwd, 'README.md'), 'utf8')).toBe('hello\nworld\n');
      const explained = await run('policy', 'explain', 'file:write', 'path=README.md', 'content=x');
      expect(explained.code).toBe(0);
      expect(explained.stdout).toContain('denied when it accesses the path');
      const [, line] =
        /the lane does not allow writing `README.md`[^]*?workspace\.yaml:(\d+):\d+/.exec(explained.stdout) ?? [];
      const written = readFileSync(join(cwd, 'workspace.yaml'), 'utf8').split('\n')[Number(line) - 1];
      expect(written).toContain("pattern: '**', access: read");
    });

    it('asks for an approval, keeps the task, and lets exactly this call through once', async () => {
      const file = join(cwd, 'workspace.yaml');
      const text = readFileSync(file, 'utf8');
      const rule = `    - {id: ask, trigger: on_tool_request, decision: approval_required, when: {tool: 'file:write'}}\n`;
      writeFileSync(file, text.replace('  rules:\n', `  rules:\n${rule}`));
      const args = ['tools', 'call', 'file:write', 'path=src/a.txt', 'content=it works'];
      const asked = await run(...args, '--as', 'agent');
      expect(asked.code).toBe(3);
      const [, request = ''] = /lumenflow approvals approve (apr-\S+) --as <you>/.exec(asked.stderr) ?? [];
      const [, task = ''] =
        /tools call file:write path=src\/a\.txt 'content=it works' --task (\S+)/.exec(asked.stderr) ?? [];
      const again = [...args, '--task', task];
      expect((await run(...again)).code).toBe(3);
      expect(await json('approvals', 'approve', request, '--as', 'agent')).toMatchObject({
        code: 1,
        document: {ok: false, error: {code: 'SELF_APPROVAL'}},
      });
      expect((await run('approvals', 'approve', request.slice(0, 12), '--as', 'ann')).code).toBe(0);
      expect(await json(...again)).toMatchObject({code: 0, document: {ok: true, data: {created: true}}});
      expect(readFileSync(join(cwd, 'src/a.txt'), 'utf8')).toBe('it works');
      // The task was made for that call and ended with it, so it takes no room in its lane.
      expect((await json('task', 'list')).document).toMatchObject({tasks: []});
      expect((await run(...again)).stderr).toMatch(/TASK_NOT_ACTIVE[^]*without --task/);
      expect((await run(...args)).code).toBe(3);
    });

    it('verifies, and reports one changed byte', async () => {
      expect((await run('evidence', 'verify')).code).toBe(0);
      const traces = join(cwd, '.lumenflow/kernel/evidence/traces');
      const [segment = ''] = readdirSync(traces).filter((name) => name.endsWith('.jsonl'));
      flipByte(join(traces, segment), 200);
      const {code, document} = await json('evidence', 'verify');
      expect(code).toBe(2);
      expect(document).toMatchObject({ok: false, error: {code: 'EVIDENCE_TAMPERED'}, report: {status: 'tampered'}});
      const people = await run('evidence', 'verify');
      expect(people.code).toBe(2);
      expect(people.stdout).toContain('tampered');
    });
  });
});

function flipByte(path: string, position: number): void {
  const file = openSync(path, 'r+');
  const byte = Buffer.alloc(1);
  readSync(file, byte, 0, 1, position);
  byte[0] = (byte[0] ?? 0) ^ 1;
  writeSync(file, byte, 0, 1, position);
  closeSync(file);
}
