// A salvage as a person makes it: of damaged logs, with and without the key that signs it, and of lost notes of archived lines.
import {generateKeyPairSync} from 'node:crypto';
import {appendFileSync, cpSync, readdirSync, rmSync, statSync, truncateSync} from 'node:fs';
import {join} from 'node:path';
import {afterAll, beforeAll, beforeEach, describe, expect, it} from 'vitest';
import {assertBuilt, initialize, makeFolder, runCommand, runCommandForJson} from '../../support/lumenflow-program.ts';

const MY_KEY = generateKeyPairSync('ed25519').privateKey.export({format: 'der', type: 'pkcs8'}).toString('base64');
const template = makeFolder();
const home = makeFolder();
const cwd = join(home.path, 'shop');
const traces = join(cwd, '.lumenflow/kernel/evidence/traces');

beforeAll(async () => {
  assertBuilt();
  await initialize(template.path);
  const archive = join(home.path, 'archive');
  appendFileSync(
    join(template.path, 'workspace.yaml'),
    `evidence: {checkpoint_key_env: MY_KEY}\narchive: {location: ${JSON.stringify(`file:${archive}`)}}\n`,
  );
  for (let call = 0; call < 2; call += 1) await mustRun(['tools', 'call', 'file:list'], template.path);
});
beforeEach(() => {
  rmSync(cwd, {recursive: true, force: true});
  cpSync(template.path, cwd, {recursive: true});
});
afterAll(() => {
  template.remove();
  home.remove();
});

async function mustRun(args: readonly string[], at = cwd): Promise<string> {
  const {code, stdout, stderr} = await runCommand(args, {cwd: at, env: {MY_KEY}});
  expect(code, `${args.join(' ')}: ${stderr}`).toBe(0);
  return stdout;
}

const salvage = ['evidence', 'salvage', '--reason', 'the disk failed', '--as', 'ann'];

it('writes lost notes of archived lines again, and cuts nothing', async () => {
  await mustRun(['evidence', 'archive', '--older-than', '0d']);
  const [before] = [await runCommandForJson(['evidence', 'verify'], {cwd, env: {MY_KEY}})];
  expect(before.code).toBe(0);
  rmSync(join(traces, 'archived'), {recursive: true});
  expect((await runCommand(['evidence', 'list'], {cwd, env: {MY_KEY}})).code).not.toBe(0);
  expect(await mustRun(['evidence', 'salvage', '--dry-run'])).toMatch(
    /✘ records: the notes of the archived lines 1 to \d+ are lost; a salvage would write them again/u,
  );
  const written = await mustRun(salvage);
  expect(written).toMatch(/✔ records: the notes of the archived lines 1 to \d+ were written again .*nothing was cut/u);
  expect(await mustRun(['evidence', 'salvage', '--dry-run'])).toContain('nothing to salvage');
  expect(await runCommandForJson(['evidence', 'verify'], {cwd, env: {MY_KEY}})).toEqual(before);
});

const logs = [
  ['events', '.lumenflow/kernel/events'],
  ['records', '.lumenflow/kernel/evidence/traces'],
] as const;

/** Loses the end of a log that a checkpoint was signed over. */
function loseEnd(folder: string): void {
  const last = readdirSync(join(cwd, folder)).findLast((name) => name.endsWith('.jsonl')) ?? '';
  const path = join(cwd, folder, last);
  truncateSync(path, statSync(path).size - 100);
}

async function findings(): Promise<string> {
  const {code, document} = await runCommandForJson(['evidence', 'verify'], {cwd, env: {MY_KEY}});
  expect(code).toBe(3);
  const {report} = document as unknown as {readonly report: {readonly findings: readonly string[]}};
  return report.findings.join('\n');
}

describe.each(logs)('a salvage of %s', (name, folder) => {
  beforeEach(() => loseEnd(folder));

  it('is signed with the key of the workspace, and stays reported', async () => {
    const {code, document} = await runCommandForJson(salvage, {cwd, env: {MY_KEY}});
    expect({code, document}).toMatchObject({code: 0, document: {ok: true, salvaged: [{reason: 'the disk failed'}]}});
    expect(document).not.toHaveProperty('unsigned');
    expect(await findings()).toMatch(new RegExp(`^the ${name} were salvaged at [^\\n]*$`, 'u'));
  });

  it('without this key reports what is missing, and is signed once the key is there', async () => {
    const {code, stdout, stderr} = await runCommand(salvage, {cwd});
    expect(code).toBe(0);
    expect(stdout).toMatch(new RegExp(`✔ the ${name} continue after line`, 'u'));
    expect(stderr).toMatch(/the salvage is recorded and not signed yet: .*one problem/u);
    expect(stderr).toMatch(/workspace\.yaml:\d+:\d+/u);
    expect(stderr).toContain('`MY_KEY`');
    expect(await findings()).toContain('behind the newest');
    const stillWithout = await runCommand(salvage, {cwd});
    expect(stillWithout.code).not.toBe(0);
    expect(stillWithout.stderr).toContain('`MY_KEY`');
    expect(await mustRun(salvage)).toBe('✔ both logs are intact; 1 earlier salvage signed\n');
    expect(await findings()).not.toContain('behind the newest');
    expect(await mustRun(salvage)).toBe('nothing to salvage: both logs are intact\n');
  });
});
