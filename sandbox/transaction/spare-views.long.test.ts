// A spare's view is never out of date at the hand-over, even if the workspace changed in the meantime.
import {execFile} from 'node:child_process';
import {chmodSync, chownSync, mkdirSync, mkdtempSync, realpathSync, rmSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {fileURLToPath} from 'node:url';
import {promisify} from 'node:util';
import {afterAll, beforeAll, describe, expect, test} from 'vitest';
import {findBwrap} from '../bubblewrap/host-system.ts';
import {bundleRunner} from '../testing/sandbox-bench.fixture.ts';

const program = fileURLToPath(new URL('../testing/fuzz-spare-views.fixture.ts', import.meta.url));
const seed = Number(process.env['LUMENFLOW_SEED'] ?? Date.now() % 1_000_000);
const rounds = Number(process.env['LUMENFLOW_ROUNDS'] ?? 10);
const nobody = 65534;

describe.skipIf(findBwrap('/usr/bin:/bin') === undefined)('a view that waits for its call', () => {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'lumenflow-spare-views-')));
  const runnerPath = join(folder, 'runner.cjs');
  beforeAll(async () => {
    chmodSync(folder, 0o755);
    await bundleRunner(runnerPath);
  });
  afterAll(() => rmSync(folder, {recursive: true, force: true}));

  const users = process.getuid?.() === 0 ? (['root', 'an ordinary user'] as const) : (['this user'] as const);
  test.concurrent.each(users)('shows %s the workspace as it is, or starts cold', async (user) => {
    const own = join(folder, user);
    mkdirSync(own);
    const node = [process.execPath, '--import', 'tsx', '--conditions=@lumenflow/source', program];
    const become = ['setpriv', `--reuid=${nobody}`, `--regid=${nobody}`, '--clear-groups'];
    if (user === 'an ordinary user') chownSync(own, nobody, nobody);
    const [command = '', ...args] = [...(user === 'an ordinary user' ? become : []), ...node];
    const {stdout} = await promisify(execFile)(command, [...args, String(rounds), String(seed), own, runnerPath]);
    const {unchanged, changed, stale} = JSON.parse(stdout) as {unchanged: number; changed: number; stale: string[]};
    expect(stale, `LUMENFLOW_SEED=${seed}`).toEqual([]);
    // Both happen, so that neither of them is tested by nothing.
    expect([unchanged > 0, changed > 0], `LUMENFLOW_SEED=${seed}`).toEqual([true, true]);
  });
});
