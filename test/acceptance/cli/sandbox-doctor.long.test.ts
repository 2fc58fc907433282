// `lumenflow sandbox doctor` as its user runs it: where all is well, inside another sandbox, and where programs are missing.
import {existsSync, readdirSync, readFileSync, realpathSync} from 'node:fs';
import {join} from 'node:path';
import {afterAll, beforeAll, describe, expect, test} from 'vitest';
import {everything, makeHostWorkspace} from '../../support/host-workspace.ts';
import {assertBuilt, makeFolder, runForJson, runProgram} from '../../support/lumenflow-program.ts';

interface Check {
  readonly name: string;
  readonly ok: boolean;
  readonly detail: string;
  readonly fix?: string;
}

const bwrap = '/usr/bin/bwrap';
const folder = makeFolder();
beforeAll(assertBuilt);
afterAll(() => folder.remove());

async function doctor(inside: readonly string[] = [], cwd = folder.path) {
  const {code, document} = await runForJson(['sandbox', 'doctor'], {cwd, inside});
  const {checks, ...report} = document['report'] as {readonly checks: readonly Check[]; readonly tier: string};
  return {code, document, report, check: (name: string) => checks.find((each) => each.name === name), checks};
}

describe.skipIf(!existsSync(bwrap))('sandbox doctor', () => {
  // Every run tries all backends of the machine.
  let healthy: Awaited<ReturnType<typeof doctor>>;
  beforeAll(async () => {
    healthy = await doctor();
  });

  test('where a sandbox works: exit code 0, its tier, and a strength for each guarantee', () => {
    const {code, document, report, checks} = healthy;
    expect({code, ok: document.ok}).toEqual({code: 0, ok: true});
    expect(report).toMatchObject({
      tier: 'standard',
      platform: expect.stringContaining('linux'),
      backends: [
        {
          available: true,
          backend: 'bubblewrap',
          tier: 'standard',
          guarantees: {filesystem: 'enforced', kernel: 'unsupported'},
        },
        {available: true, backend: 'wasm', tier: 'standard', guarantees: {kernel: 'unsupported'}},
      ],
    });
    for (const {name, ok, fix} of checks) expect([name, ok || fix !== undefined]).toEqual([name, true]);
  });

  test('lists every backend that workspace.yaml may name, and how far it works here', () => {
    const {document} = healthy;
    const schema = readFileSync(join(import.meta.dirname, '../../../schemas/workspace.schema.json'), 'utf8');
    const {$defs} = JSON.parse(schema) as {readonly $defs: {readonly sandbox_backend_name: {readonly enum: string[]}}};
    const {readiness} = document['report'] as {readonly readiness: Readonly<Record<string, string>>};
    const named = $defs.sandbox_backend_name.enum.filter((name) => name !== 'unsafe-host');
    expect(Object.keys(readiness).toSorted()).toEqual(named.toSorted());
    expect(readiness).toMatchObject({bubblewrap: 'proven here', seatbelt: 'contract only', remote: 'absent'});
  });

  test('names the kind of private view that a folder can have', () => {
    const {check} = healthy;
    expect(check('private views')).toMatchObject({ok: true, detail: 'an overlay that keeps writes on disk'});
    expect(check('direct writes')).toBeUndefined();
  });

  test('of a workspace that requires a tier which this machine does not reach: exit code 1', async () => {
    const sandbox = {profile: 'hardened', backend: 'bubblewrap'} as const;
    const workspace = makeHostWorkspace({spec: {security: {allowed_scopes: everything, sandbox}}});
    try {
      const {code, document, report, check} = await doctor([], workspace.root);
      expect({code, tier: report.tier}).toEqual({code: 1, tier: 'standard'});
      expect(document).toMatchObject({error: {code: 'SANDBOX_PROFILE_UNMET'}});
      expect(check('tier hardened')).toMatchObject({ok: false});
    } finally {
      await workspace.remove();
    }
  });

  test('of a workspace: its tools that write directly, and the backend that it names', async () => {
    const lane = {id: 'core', allowed_scopes: everything, writes: 'transactional' as const};
    const workspace = makeHostWorkspace({
      copied: {held: join(import.meta.dirname, '../host/transactional-pack')},
      spec: {lanes: [lane]},
    });
    try {
      const {check} = await doctor([], workspace.root);
      expect(check('direct writes')).toMatchObject({ok: true});
      expect(readdirSync(join(workspace.root, '.lumenflow')).filter((name) => name.startsWith('doctor'))).toEqual([]);
      const spec = readFileSync(join(workspace.root, 'workspace.yaml'), 'utf8');
      workspace.write({'workspace.yaml': spec.replace('"transactional"', '"direct"')});
      const agreed = await doctor([], workspace.root);
      expect(agreed.check('direct writes')).toMatchObject({ok: false, detail: expect.stringContaining('`free:write`')});
      workspace.write({
        'workspace.yaml': spec.replace('security: {', 'security: {"sandbox":{"backend":"seatbelt"},'),
      });
      const elsewhere = await doctor([], workspace.root);
      expect(elsewhere.report).toMatchObject({backends: [{backend: 'seatbelt', available: false}]});
    } finally {
      await workspace.remove();
    }
  });

  test('fits a terminal of 80 columns', async () => {
    const {code, stdout} = await runProgram(['sandbox', 'doctor'], {cwd: folder.path, env: {COLUMNS: '80'}});
    expect(code).toBe(0);
    expect(stdout).toContain('sandboxed calls run at tier standard');
    // A path is one word, however long it is.
    expect(stdout.split('\n').filter((line) => line.length > 80 && line.trim().includes(' '))).toEqual([]);
  });

  test('in a sandbox that gives no user namespaces: exit code 1, and what the outer one must allow', async () => {
    const {code, document, report, check} = await doctor([
      bwrap,
      '--dev-bind',
      '/',
      '/',
      '--unshare-user',
      '--disable-userns',
    ]);
    expect({code, tier: report.tier}).toEqual({code: 1, tier: 'none'});
    expect(document).toMatchObject({ok: false, error: {code: 'SANDBOX_UNAVAILABLE'}});
    expect(check('bubblewrap')).toMatchObject({
      ok: false,
      detail: expect.stringContaining('user namespaces are not available'),
      fix: expect.stringContaining('in a container, use'),
    });
    expect(check('network allowlist')?.ok).toBe(false);
  });

  test('without iproute2 and nftables sandboxes work, and the report names the packages that networks need', async () => {
    const places = ['/usr/bin/ip', '/usr/sbin/ip', '/bin/ip', '/sbin/ip', '/usr/sbin/nft'].filter((path) =>
      existsSync(path),
    );
    const hidden = [...new Set(places.map((path) => realpathSync(path)))];
    const hide = hidden.flatMap((path) => ['--ro-bind', '/dev/null', path]);
    const {code, check} = await doctor([bwrap, '--dev-bind', '/', '/', ...hide]);
    expect(check('network allowlist')).toMatchObject({
      ok: false,
      fix: expect.stringContaining('apt-get install iproute2'),
    });
    expect(check('nft')).toMatchObject({ok: false, fix: 'apt-get install nftables'});
    expect(code).toBe(check('bubblewrap')?.ok === true ? 0 : 1);
  });
});
