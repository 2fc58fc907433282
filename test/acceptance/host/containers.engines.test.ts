// Workspaces whose calls run in containers or virtual machines: the tools are those of every workspace, unchanged.
import {execFileSync, spawnSync} from 'node:child_process';
import {existsSync, readFileSync} from 'node:fs';
import {join} from 'node:path';
import {afterEach, describe, expect, test} from 'vitest';
import {everything, makeHostWorkspace, must, type HostWorkspace} from '../../support/host-workspace.ts';
import {opened} from '../../support/opened.ts';
import {runEngine, type RunningEngine} from '../../support/run-engine.ts';

const backends = [
  {backend: 'runc', program: 'runc', tier: 'standard'},
  {backend: 'crun', program: 'crun', tier: 'standard'},
  {backend: 'gvisor', program: 'runsc', tier: process.getuid?.() === 0 ? 'hardened' : 'standard'},
  {backend: 'docker', program: 'dockerd', tier: 'standard', engine: 'docker'},
  {backend: 'podman', program: 'podman', tier: 'standard', engine: 'podman'},
  {backend: 'containerd', program: 'containerd', tier: 'standard', engine: 'containerd'},
  {backend: 'vm', program: 'qemu-system-x86_64', tier: 'hardened'},
] as const;
/** A virtual machine starts by software emulation. */
const timeout = 600_000;
const examples = join(import.meta.dirname, '../../../examples');

let workspace: HostWorkspace | undefined;
let running: RunningEngine | undefined;
afterEach(async () => {
  await workspace?.remove();
  await running?.end();
  running = undefined;
});

for (const {backend, program, tier, ...rest} of backends) {
  const isMissing = spawnSync(program, ['--version']).error !== undefined;
  const needsRoot = 'engine' in rest && process.getuid?.() !== 0;
  describe.skipIf(isMissing || needsRoot)(`backend ${backend} (\`npm run engines -- ${backend}\`)`, () => {
    test('runs tools of software-delivery and of an example, in private views', {timeout}, async () => {
      running = 'engine' in rest ? await runEngine(rest.engine) : undefined;
      const backends = running && {[backend]: {socket: running.socket}};
      workspace = makeHostWorkspace({
        firstParty: ['software-delivery'],
        copied: {
          hello: join(examples, 'hello-pack'),
          attack: join(import.meta.dirname, 'attack-pack'),
          held: join(import.meta.dirname, 'transactional-pack'),
        },
        spec: {security: {allowed_scopes: everything, sandbox: {profile: tier, backend, ...(backends && {backends})}}},
        files: {'docs/a.md': 'a\n', '.env': 'API_KEY=hidden\n'},
      });
      const {root} = workspace;
      execFileSync('git', ['init', '-q'], {cwd: root});
      const host = await workspace.start();
      const session = opened(await host.openSession({by: 'tester'}));
      expect(await must(session, 'hello:greet', {name: 'Ada'})).toEqual({greeting: 'Hello Ada, in lane core'});
      expect(JSON.stringify(await must(session, 'git:status'))).toContain('docs/');
      await must(session, 'file:write', {path: 'docs/b.md', content: 'by file:write\n'});
      await must(session, 'held:write', {files: {'docs/new.md': 'new'}});
      expect(readFileSync(join(root, 'docs/b.md'), 'utf8')).toBe('by file:write\n');
      expect(readFileSync(join(root, 'docs/new.md'), 'utf8')).toBe('new');
      // On a busy machine, a second machine starts later than its caller may run.
      if (backend !== 'vm') {
        const calls = [{tool: 'held:write', input: {files: {'docs/inner.md': 'inner'}}}];
        const nested = {files: {'docs/outer.md': 'outer'}, calls, read: 'docs/inner.md'};
        expect(await must(session, 'held:nest', nested)).toEqual({codes: ['ok'], read: 'inner'});
        expect(readFileSync(join(root, 'docs/outer.md'), 'utf8')).toBe('outer');
        expect(readFileSync(join(root, 'docs/inner.md'), 'utf8')).toBe('inner');
      }
      expect(await must(session, 'attack:read', {path: '.env'})).not.toMatchObject({content: expect.anything()});
      expect(await must(session, 'attack:read', {path: 'docs/b.md'})).toMatchObject({content: 'by file:write\n'});
      expect(existsSync(join(root, 'rootfs'))).toBe(false);
      const {receipts} = await host.runtime.evidence.readTraces();
      for (const {started, finished} of receipts) {
        if (finished?.enforcement?.tier !== 'none')
          expect([started.tool_name, finished?.enforcement]).toMatchObject([started.tool_name, {backend, tier}]);
      }
      expect(receipts.filter(({finished}) => finished?.enforcement?.backend === backend).length).toBeGreaterThan(4);
    });
  });
}
