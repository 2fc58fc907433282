// Evidence of single calls that leaves the workspace: proofs, exports, logs; and contents that are destroyed.
import {noteKeyOf} from '@lumenflow/kernel/node';
import {generateKeyPairSync} from 'node:crypto';
import {mkdirSync, readFileSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {afterAll, beforeAll, describe, expect, it} from 'vitest';
import {assertBuilt, initialize, makeFolder, runCommand, runCommandForJson} from '../../support/lumenflow-program.ts';

const folder = makeFolder();
const stranger = makeFolder();
const cwd = folder.path;
const run = (...args: string[]) => runCommand(args, {cwd});
const json = (...args: string[]) => runCommandForJson(args, {cwd});
const outside = (...args: string[]) => runCommand(args, {cwd: stranger.path});

let receipt: string;
let key: string;
beforeAll(async () => {
  assertBuilt();
  await initialize(cwd, '--id', 'demo');
  const pack = join(cwd, 'packs/talk');
  mkdirSync(pack, {recursive: true});
  writeFileSync(
    join(pack, 'manifest.yaml'),
    `id: talk
version: 0.1.0
manifest_version: 1
task_types: [talk]
tools: [{name: 'talk:say', description: Says it, handler_entry: 'say.mjs#say', permission: read}]
`,
  );
  const said = "context.log.info('heard it', {words: 2}); return 'secret output'";
  writeFileSync(join(pack, 'say.mjs'), `export const say = async (input, context) => { ${said}; };\n`);
  const file = join(cwd, 'workspace.yaml');
  const pin = '  - {id: talk, version: 0.1.0, integrity: dev, source: local, path: packs/talk}\n';
  writeFileSync(file, readFileSync(file, 'utf8').replace(/^packs:$/mu, `packs:\n${pin}`));
  const called = await json('tools', 'call', 'talk:say', 'what=hush');
  expect(called).toMatchObject({code: 0, document: {data: 'secret output'}});
  receipt = String(called.document['receipt_id']);
  key = readFileSync(join(cwd, '.lumenflow/keys/evidence.pub'), 'utf8').trim();
});
afterAll(() => {
  folder.remove();
  stranger.remove();
});

describe('a proof', () => {
  it('is checked offline, with the key got from elsewhere', async () => {
    const file = join(stranger.path, 'proof.json');
    const made = await json('evidence', 'prove', receipt.slice(0, 14), '--out', file);
    expect(made).toMatchObject({code: 0, document: {receipt_id: receipt, verifier_key: key}});
    const checked = await outside('evidence', 'verify', '--proof', 'proof.json', '--key', key);
    expect(checked.code).toBe(0);
    expect(checked.stdout).toContain('verified: the signed log contains the call');
    expect(checked.stdout).toContain('talk:say');
  });

  it('without a known key is reported apart from a trusted one, and under another key is invalid', async () => {
    const {stdout} = await run('evidence', 'prove', receipt);
    writeFileSync(join(stranger.path, 'printed.json'), stdout);
    expect((await outside('evidence', 'verify', '--proof', 'printed.json')).code).toBe(4);
    const other = noteKeyOf('someone-else', generateKeyPairSync('ed25519').privateKey).verifierKey;
    expect((await outside('evidence', 'verify', '--proof', 'printed.json', '--key', other)).code).toBe(2);
    expect((await outside('evidence', 'verify', '--proof', 'printed.json', '--key', other, key)).code).toBe(0);
  });

  it('that was changed, or is not a proof, is invalid', async () => {
    const {stdout} = await run('evidence', 'prove', receipt);
    writeFileSync(join(stranger.path, 'changed.json'), stdout.replaceAll('talk:say', 'talk:sai'));
    const changed = await outside('evidence', 'verify', '--proof', 'changed.json', '--key', key);
    expect(changed).toMatchObject({code: 2, stdout: expect.stringContaining('not in the log that was signed')});
    writeFileSync(join(stranger.path, 'none.json'), 'no proof');
    expect((await outside('evidence', 'verify', '--proof', 'none.json')).code).toBe(2);
  });

  it.each([
    ['a file that is missing', ['--proof', 'missing.json'], 'no such file'],
    ['a key that is none', ['--key', 'someone-else+key'], '`someone-else+key` is not a verifier key'],
    ['a folder without a workspace', [], 'no workspace.yaml'],
    ['an option that there is not', ['--fodler', '.'], 'unknown option `--fodler`'],
  ])('is not called tampered with when it could not be checked: %s', async (_, args, message) => {
    const {code, stderr} = await outside('evidence', 'verify', ...args);
    expect(stderr).toContain(message);
    expect(code).toBe(1);
  });

  it('needs a receipt', async () => {
    expect(await json('evidence', 'prove', 'rcp-none')).toMatchObject({
      code: 1,
      document: {error: {code: 'RECEIPT_NOT_FOUND'}},
    });
  });
});

describe('an export', () => {
  const lines = (text: string): unknown[] =>
    text
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line));

  it('is JSON Lines, on stdout or in a file, of the calls that were asked for', async () => {
    expect(lines((await run('evidence', 'export')).stdout)).toMatchObject([
      {type: 'tool_call_started', receipt_id: receipt},
      {type: 'tool_call_finished', receipt_id: receipt},
    ]);
    expect((await run('evidence', 'export', '--until', '2001-01-01')).stdout).toBe('');
    expect((await run('evidence', 'export', '--task', 'none')).stdout).toBe('');
    expect(await json('evidence', 'export', '--out', 'all.jsonl', '--since', '2001-01-01')).toMatchObject({
      document: {ok: true, records: 2, file: 'all.jsonl'},
    });
    expect(lines(readFileSync(join(cwd, 'all.jsonl'), 'utf8'))).toHaveLength(2);
  });

  it('does not mix with --json, and takes only times', async () => {
    expect((await json('evidence', 'export')).code).toBe(2);
    expect((await run('evidence', 'export', '--since', 'yesterday')).stderr).toContain(
      '`yesterday` is not a valid time',
    );
  });
});

it('the log of a handler is shown when it is asked for', async () => {
  expect((await run('evidence', 'show', receipt)).stdout).toContain('use --log to show it');
  expect(await json('evidence', 'show', receipt, '--log')).toMatchObject({
    document: {log: [{level: 'info', message: 'heard it', fields: {words: 2}}]},
  });
  expect((await run('evidence', 'show', receipt, '--log')).stdout).toContain('heard it');
});

it('a redaction needs a reason, records its author, and leaves a log that verifies as incomplete', async () => {
  expect((await run('evidence', 'redact', receipt)).code).toBe(2);
  expect(await json('evidence', 'redact', receipt, '--reason', ' ')).toMatchObject({
    code: 1,
    document: {error: {code: 'INVALID_INPUT'}},
  });
  const done = await json('evidence', 'redact', receipt, '--reason', 'a customer asked', '--as', 'ann');
  expect(done).toMatchObject({
    code: 0,
    document: {redaction: {hashes: [expect.any(String), expect.any(String), expect.any(String)]}},
  });
  const shown = await json('evidence', 'show', receipt, '--log');
  for (const name of ['input', 'output', 'log']) expect(shown.document).not.toHaveProperty(name);
  const redacted = expect.stringMatching(/^redacted by ann at .*: a customer asked$/u);
  expect(shown.document).toMatchObject({gone: {input: redacted, output: redacted, log: redacted}});
  expect((await run('evidence', 'show', receipt)).stdout).toMatch(/INPUT\nredacted by ann/u);
  expect((await run('evidence', 'verify')).code).toBe(6);
  expect((await run('evidence', 'redact', receipt, '--reason', 'again')).stderr).toContain('were already deleted');
});
