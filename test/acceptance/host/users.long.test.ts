// The main guarantees once more as an ordinary user, with the built host in a separate process.
import {createHash} from 'node:crypto';
import {existsSync, readdirSync, readFileSync, statSync} from 'node:fs';
import {join} from 'node:path';
import {afterAll, beforeAll, describe, expect, test} from 'vitest';
import {startHostProcess, type HostProcess} from '../../support/host-process.ts';
import {everything, makeHostWorkspace, type HostWorkspace} from '../../support/host-workspace.ts';
import {assertBuilt, programUsers} from '../../support/lumenflow-program.ts';

const user = programUsers().find(({name}) => name === 'an ordinary user');
if (user?.missing !== undefined) console.log(`skipped: an ordinary user ${user.missing}`);

describe.skipIf(user === undefined || user.missing !== undefined)('as an ordinary user', () => {
  let workspace: HostWorkspace;
  let host: HostProcess;

  beforeAll(async () => {
    assertBuilt();
    workspace = makeHostWorkspace({
      firstParty: ['software-delivery'],
      copied: {both: join(import.meta.dirname, 'both-pack'), attack: join(import.meta.dirname, 'attack-pack')},
      pins: {both: {trust: 'in_process'}},
      files: {'docs/a.md': 'a\n', 'src/a.ts': 'a\n', '.env': 'API_KEY=hidden\n', 'private/key': 'k'},
      spec: {
        lanes: [
          {id: 'core', allowed_scopes: everything},
          {id: 'narrow', allowed_scopes: [{type: 'path', pattern: 'src/**/*.ts', access: 'write'}]},
        ],
        security: {allowed_scopes: everything, deny_overlays: ['private/**']},
      },
    });
    workspace.giveTo(user?.uid ?? 0);
    host = await startHostProcess(workspace.root, {user});
    await host.ask('open', {by: 'tester'});
  });
  afterAll(async () => {
    await host.kill();
    await workspace.remove();
  });

  async function data(tool: string, input: object): Promise<Record<string, unknown>> {
    const output = await host.call(tool, input);
    if (!output.success) throw new Error(JSON.stringify(output.error));
    return output.data as Record<string, unknown>;
  }

  test('the same handler gives the same output on the pool and in a sandbox', async () => {
    const [pool, sandbox] = [
      await host.call('pool:report', {folder: 'docs'}),
      await host.call('sandbox:report', {folder: 'docs'}),
    ];
    expect(pool).toMatchObject({success: true});
    expect(sandbox.data).toEqual(pool.data);
    expect(statSync(join(workspace.root, 'docs/new.md')).uid).toBe(user?.uid);
  });

  test('secrets are hidden and stay what they are', async () => {
    const script = 'cat .env private/key; echo x > .env; rm -rf private .env; mv private gone; ls -la ~ /root';
    const {stdout} = await data('attack:shell', {script});
    expect(stdout).not.toMatch(/hidden|^k$/m);
    expect(readFileSync(join(workspace.root, '.env'), 'utf8')).toBe('API_KEY=hidden\n');
    expect(readFileSync(join(workspace.root, 'private/key'), 'utf8')).toBe('k');
  });

  test('reserved-spellings: the files of the state are never changed', async () => {
    const folder = join(workspace.root, '.lumenflow/kernel/events');
    const heads = (): string[] =>
      readdirSync(folder).map((name) =>
        createHash('sha256')
          .update(readFileSync(join(folder, name)).subarray(0, 200))
          .digest('hex'),
      );
    const before = heads();
    for (const path of [
      '.lumenflow/planted',
      './/.lumenflow/planted',
      'docs/../.lumenflow/planted',
      `${workspace.root}/.lumenflow/planted`,
    ]) {
      expect((await host.call('file:write', {path, content: 'x'})).success, path).toBe(false);
      await data('attack:write', {path});
    }
    await data('attack:shell', {
      script:
        'rm -rf .lumenflow; mv .lumenflow gone; chmod -R 777 .lumenflow; for f in .lumenflow/kernel/events/*; do echo x >> $f; done',
    });
    expect(heads()).toEqual(before);
    expect(existsSync(join(workspace.root, '.lumenflow/planted'))).toBe(false);
  });

  test('network off, and handlers that break things end alone', async () => {
    expect(await data('attack:connect', {host: '1.1.1.1', port: 443})).toMatchObject({
      outcome: expect.stringMatching(/^E/),
    });
    const outputs = await Promise.all([
      host.call('attack:fork', {marker: 'beats.txt'}),
      host.call('sandbox:memory'),
      host.call('pool:misbehave', {how: 'exit'}),
      host.call('sandbox:echo', {fine: true}),
    ]);
    expect(outputs.map(({error}) => error?.code ?? 'success')).toEqual([
      'TOOL_TIMEOUT',
      'LIMIT_EXCEEDED',
      'TOOL_CRASHED',
      'success',
    ]);
  });

  test('exact-globs in a narrow lane, with files that are made there', async () => {
    const narrow = await startHostProcess(workspace.root, {user});
    try {
      await narrow.ask('open', {by: 'tester', lane: 'narrow'});
      expect(await narrow.call('file:write', {path: 'src/deep/b.ts', content: 'b\n'})).toMatchObject({success: true});
      expect(await narrow.call('file:write', {path: 'src/b.js', content: 'b\n'})).toMatchObject({
        error: {code: 'SCOPE_DENIED'},
      });
      expect(
        (await narrow.call('attack:shell', {script: 'find . -path ./.lumenflow -prune -o -type f -print'})).data,
      ).toMatchObject({
        stdout: expect.stringMatching(/^(\.\/src\/(a|deep\/b)\.ts\n){2}$/),
      });
    } finally {
      expect(await narrow.close()).toBe(0);
    }
  });

  test('and the evidence verifies', async () => {
    expect(await host.ask('verify')).toMatchObject({status: expect.stringMatching(/verified|unsigned_tail/)});
    expect(statSync(join(workspace.root, '.lumenflow')).uid).toBe(user?.uid);
  });
});
