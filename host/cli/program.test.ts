import {existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {afterAll, beforeAll, describe, expect, it} from 'vitest';
import {runProgram} from './program.ts';

let cwd: string;
beforeAll(() => {
  cwd = mkdtempSync(join(tmpdir(), 'lf program '));
});
afterAll(() => rmSync(cwd, {recursive: true}));

interface Run {
  readonly code: number;
  readonly out: string;
  readonly err: string;
}

async function run(args: readonly string[], tty: {isTTY?: boolean; env?: Record<string, string>} = {}): Promise<Run> {
  const out: string[] = [];
  const err: string[] = [];
  const stream = (lines: string[]) => ({
    write: (text: string) => lines.push(text),
    isTTY: tty.isTTY ?? false,
    columns: 80,
  });
  const code = await runProgram(args, {
    stdin: (async function* none(): AsyncGenerator<string> {})(),
    stdout: stream(out),
    stderr: stream(err),
    cwd,
    env: tty.env ?? {},
    signal: new AbortController().signal,
  });
  return {code, out: out.join(''), err: err.join('')};
}

describe('runProgram', () => {
  it('helps when it is given nothing, with the exit codes, within 80 columns', async () => {
    const {code, out, err} = await run([]);
    expect([code, err]).toEqual([0, '']);
    expect(out).toContain('Usage: lumenflow');
    expect(out).toMatch(/^ {2}3 +the operation needs approval$/m);
    for (const line of out.split('\n')) expect(line.length).toBeLessThanOrEqual(80);
  });

  it('shows the options of the program in the help of each command', async () => {
    const {code, out} = await run(['tools', 'call', '--help']);
    expect(code).toBe(0);
    expect(out).toContain('--json');
    expect(out).toContain('key:=JSON');
  });

  it('gives its version', async () => {
    expect(await run(['--version'])).toMatchObject({code: 0, out: expect.stringMatching(/^\d+\.\d+\.\d+\n$/)});
    for (const args of [
      ['--version', '--json'],
      ['--json', '-V'],
    ]) {
      const {code, out} = await run(args);
      expect([code, JSON.parse(out)]).toEqual([0, {ok: true, version: expect.stringMatching(/^\d+\.\d+\.\d+$/)}]);
    }
  });

  it.each([
    [['tols'], 'unknown command `tols`', 'did you mean `tools`?'],
    [['tools', 'lst'], 'unknown command `lst`', 'did you mean `list`?'],
    [['tools', 'list', '--lnae', 'x'], 'unknown option `--lnae`', 'did you mean `--lane`?'],
    [['tools', 'call'], 'missing required argument `tool`', 'see `lumenflow tools call --help`'],
    [['task', 'block', 'x'], 'required option `--reason <text>` not specified', 'see `lumenflow task block --help`'],
    [
      ['task', 'list', 'x'],
      'too many arguments for `list`. Expected 0 arguments but got 1.',
      'see `lumenflow task list --help`',
    ],
  ])('%j: %s', async (args, message, help) => {
    const people = await run(args);
    expect([people.code, people.out]).toEqual([2, '']);
    expect(people.err).toContain(`✘ USAGE  ${message}`);
    expect(people.err).toContain(help);
    const program = await run([...args, '--json']);
    expect([program.code, program.err]).toEqual([2, '']);
    expect(JSON.parse(program.out)).toEqual({ok: false, error: {code: 'USAGE', message, details: {help}}});
  });

  it('shows the help of a group that is given no command, on stderr', async () => {
    const {code, out, err} = await run(['task']);
    expect([code, out]).toEqual([2, '']);
    expect(err).toContain('Usage: lumenflow task');
  });

  it('says where it looked for a workspace, and how to make one', async () => {
    const {code, err} = await run(['tools', 'list']);
    expect(code).toBe(2);
    expect(err).toContain('WORKSPACE_NOT_FOUND');
    expect(err).toContain('lumenflow init');
    const named = await run(['tools', 'list', '-w', 'a b', '--json']);
    expect(JSON.parse(named.out)).toMatchObject({
      ok: false,
      error: {code: 'WORKSPACE_NOT_FOUND', details: {help: "run `lumenflow init 'a b'` to create a workspace there"}},
    });
  });

  it('rejects a file where a command needs a folder, and does not propose to create a workspace there', async () => {
    writeFileSync(join(cwd, 'notes'), '');
    for (const args of [
      ['tools', 'list', '-w', 'notes'],
      ['init', 'notes'],
      ['pack', 'create', 'notes'],
    ]) {
      const {code, err} = await run(args);
      expect(code).toBe(2);
      expect(err.replaceAll(/\s+/gu, ' ')).toContain('notes` is not a folder');
      expect(err).toContain('NOT_A_FOLDER');
      expect(err).not.toContain('lumenflow init');
    }
  });

  it('says how to verify an exported bundle, which is not a copy of the state', async () => {
    mkdirSync(join(cwd, 'bundle'));
    const {err: without} = await run(['evidence', 'verify', '--folder', 'bundle']);
    expect(without.replaceAll(/\s+/gu, ' ')).toContain('contains no evidence');
    writeFileSync(join(cwd, 'bundle/records.checkpoint'), '');
    for (const command of ['verify', 'list']) {
      const {code, err} = await run(['evidence', command, '--folder', 'bundle']);
      expect(code).toBe(1);
      expect(err.replaceAll(/\s+/gu, ' ')).toContain('is an exported bundle');
      expect(err).toContain('docs/verify-without-us.md');
    }
  });

  it('does not create a pack with the id of the kernel', async () => {
    const {code, err} = await run(['pack', 'create', 'kernel']);
    expect([code, existsSync(join(cwd, 'kernel'))]).toEqual([2, false]);
    expect(err).toContain('`kernel` is reserved for the kernel');
  });

  it('colours only for a terminal that wants it', async () => {
    const coloured = /\u001b\[31m/;
    expect((await run(['tols'], {isTTY: true})).err).toMatch(coloured);
    expect((await run(['tols'])).err).not.toMatch(coloured);
    expect((await run(['tols', '--no-color'], {isTTY: true})).err).not.toMatch(coloured);
    expect((await run(['tols'], {isTTY: true, env: {NO_COLOR: '1'}})).err).not.toMatch(coloured);
  });

  it.each([
    [['task', 'list', '--state', 'lost'], '`lost` is not a valid value of --state'],
    [['approvals', 'list', '--state', 'lost'], 'choose one of pending, approved'],
    [['evidence', 'list', '-n', 'many'], '`many` is not a number of calls'],
    [['evidence', 'list', '--result', 'good'], '`good` is not a valid value of --result'],
    [['evidence', 'list', '--since', 'lately'], '`lately` is not a valid time'],
    [['evidence', 'list', '--since', '2026-02-30T00:00Z'], '`2026-02-30T00:00Z` is not a valid time'],
    [['evidence', 'list', '--until', '5'], 'use ISO 8601 or a duration'],
    [['tools', 'call', 'x', '--as', 'a b'], '`a b` cannot be a name'],
    [['serve', '--port', '99999'], '`99999` is not a port'],
    [['serve', '--rate', 'fast'], '`fast` is not a rate'],
    [['token', 'create', 'x', '--role', 'king'], '`king` is not a valid value of --role'],
    [['pack', 'hash', './none'], 'does not contain manifest.yaml'],
  ])('refuses %j', async (args, message) => {
    const {code, err} = await run(args);
    expect(code).toBe(2);
    expect(err.replaceAll('\n', ' ')).toContain(message);
  });
});
