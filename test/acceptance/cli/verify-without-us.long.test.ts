// The commands of docs/verify-without-us.md after the key of a workspace was replaced. The page itself has one key only.
import {execFileSync, spawnSync} from 'node:child_process';
import {generateKeyPairSync} from 'node:crypto';
import {appendFileSync, readFileSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {afterAll, beforeAll, expect, it} from 'vitest';
import {assertBuilt, makeFolder, runProgram} from '../../support/lumenflow-program.ts';

const MY_KEY = generateKeyPairSync('ed25519').privateKey.export({format: 'der', type: 'pkcs8'}).toString('base64');
const home = makeFolder();
const bundle = join(home.path, 'bundle');

async function mustRun(...args: readonly string[]): Promise<void> {
  const {code, stderr} = await runProgram(args, {cwd: home.path, env: {MY_KEY}});
  expect(code, stderr).toBe(0);
}

/** The first commands of a section. */
function commandsOf(title: string): string {
  const page = readFileSync(new URL('../../../docs/verify-without-us.md', import.meta.url), 'utf8');
  const [, section = ''] = page.split(`## ${title}\n`);
  return /```sh\n(.*?)```/su.exec(section)?.[1] ?? expect.fail(`the page has no commands under ${title}`);
}

function verifySignatures(): string {
  return spawnSync('sh', ['-c', commandsOf('Verify the signature')], {cwd: bundle, encoding: 'utf8'}).stdout;
}

beforeAll(async () => {
  assertBuilt();
  await mustRun('init');
  await mustRun('tools', 'call', 'file:list');
  appendFileSync(join(home.path, 'workspace.yaml'), 'evidence: {checkpoint_key_env: MY_KEY}\n');
  await mustRun('tools', 'call', 'file:list');
  await mustRun('evidence', 'export', '--bundle', bundle);
});
afterAll(() => home.remove());

it('verifies the signatures of the newest key, and none of a key that was deleted', () => {
  expect(execFileSync('openssl', ['version'], {encoding: 'utf8'})).toMatch(/^OpenSSL/u);
  expect(readFileSync(join(bundle, 'keys'), 'utf8').trimEnd().split('\n')).toHaveLength(2);
  expect(verifySignatures().match(/Signature Verified Successfully/gu)).toHaveLength(2);
  const [oldest = ''] = readFileSync(join(bundle, 'keys'), 'utf8').split('\n');
  writeFileSync(join(bundle, 'keys'), `${oldest}\n`);
  expect(verifySignatures()).not.toContain('Successfully');
});
