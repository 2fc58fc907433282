// Transactional calls that a spare serves. The spare waits in a view of the workspace, which must be up to date when the call
// arrives.
import {chmodSync, cpSync, existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync} from 'node:fs';
import {spawn, execFileSync} from 'node:child_process';
import {once} from 'node:events';
import {join} from 'node:path';
import {setTimeout as delay} from 'node:timers/promises';
import {fileURLToPath} from 'node:url';
import {afterAll, beforeAll, beforeEach, describe, expect, test} from 'vitest';
import {fillWorkspace, openTransactionBench, type TransactionBench} from './transactional-writes.fixture.ts';
import {removeTree} from './remove-tree.fixture.ts';

const hasBwrap = existsSync('/usr/bin/bwrap');
if (!hasBwrap) process.stderr.write('skipped: warm calls need bubblewrap (`apt-get install bubblewrap`)\n');

describe.skipIf(!hasBwrap)('a transactional call that a spare serves', () => {
  let bench: TransactionBench;
  beforeAll(() => {
    bench = openTransactionBench(undefined, {warm: {sparesOfKindMax: 1}});
  });
  afterAll(() => bench.close());
  beforeEach(async () => {
    await bench.stocked();
    fillWorkspace(bench);
  });

  const path = (name: string): string => join(bench.root, name);
  const put = (name: string, content: string): void => writeFileSync(path(name), content);

  /** Makes one call, so that a spare is started for the next call of the same kind. */
  async function warmUp(script = 'cat docs/a.md'): Promise<void> {
    await bench.call(script);
    expect(await bench.stocked()).toBeGreaterThan(0);
  }

  test('sees changes made while the spare waited, and its writes are applied', async () => {
    await warmUp();
    put('docs/a.md', 'new');
    put('docs/made.md', 'made');
    rmSync(path('docs/b.md'));
    renameSync(path('docs/deep'), path('docs/renamed'));
    const {output, enforcement, artifacts_written} = await bench.call(
      'cat docs/a.md docs/made.md docs/renamed/c.md; ls docs/b.md docs/deep 2>/dev/null; echo x > docs/written.md',
    );
    expect(enforcement?.start).toBe('warm');
    // Without control groups, limits are only measured; that does not concern the view.
    expect(enforcement?.degraded?.filter((item) => !item.includes('best effort'))).toEqual([]);
    expect(output).toEqual({success: true, data: {said: 'newmadec'}});
    expect(artifacts_written).toEqual(['docs/written.md']);
    expect(readFileSync(path('docs/written.md'), 'utf8')).toBe('x\n');
  });

  test('leaves the workspace unchanged when it fails', async () => {
    await warmUp();
    const before = bench.tree();
    const {output, enforcement} = await bench.call('echo x > docs/a.md; exit 1');
    expect(enforcement?.start).toBe('warm');
    expect(output.success).toBe(false);
    expect(bench.tree()).toEqual(before);
  });

  test('reports a conflict when a person writes during the call', async () => {
    const call = (others?: () => void) =>
      bench.run({handler: 'shellAmongOthers', input: {script: 'echo mine > docs/a.md'}, others});
    await call();
    await bench.stocked();
    const {enforcement, conflicts} = await call(() => put('docs/a.md', 'theirs'));
    expect([enforcement?.start, conflicts]).toEqual(['warm', [expect.stringContaining('docs/a.md')]]);
    expect(readFileSync(path('docs/a.md'), 'utf8')).toBe('theirs');
  });

  test.each([
    ['a directory above what is hidden was exchanged for a copy', () => exchange('docs')],
    ['a hidden file was replaced', () => replace('docs/.env')],
    ['the permissions of the root changed', () => chmodSync(bench.root, 0o750)],
    ['the root was exchanged for a copy', () => exchange('')],
  ])('starts cold when %s', async (_, change) => {
    put('docs/.env', 'SECRET=1');
    await warmUp();
    change();
    put('docs/a.md', 'after');
    const {output, enforcement} = await bench.call('cat docs/a.md docs/.env; ls docs | sort | head -1');
    expect(enforcement?.start).toBe('cold');
    expect(output).toMatchObject({success: true, data: {said: 'aftera.md\n'}});
    chmodSync(bench.root, 0o755);
  });

  test('starts cold when its directory for writes was removed', async () => {
    await warmUp();
    removeTree(path('.lumenflow/transactions'));
    const {output, enforcement} = await bench.call('echo x > docs/a.md');
    expect([output.success, enforcement?.start]).toEqual([true, 'cold']);
    expect(readFileSync(path('docs/a.md'), 'utf8')).toBe('x\n');
  });

  test('starts cold when its write limits differ', async () => {
    await warmUp();
    const input = {script: 'true'};
    const narrower = await bench.run({input, declared: {limits: {write_files: 5}}});
    expect(narrower.enforcement?.start).toBe('cold');
    const direct = await bench.run({input, writes: 'direct'});
    expect(direct.enforcement?.start).toBe('cold');
  });

  test('has the same limits as one that started cold', async () => {
    const call = () =>
      bench.run({
        input: {script: 'for i in 1 2 3 4 5 6 7 8 9; do echo > docs/$i; done'},
        declared: {limits: {write_files: 5}},
      });
    await call();
    await bench.stocked();
    const {output, enforcement} = await call();
    expect(enforcement?.start).toBe('warm');
    expect(output.error).toMatchObject({code: 'LIMIT_EXCEEDED', details: {limit: 'write_files'}});
  });

  test('leaves nothing behind, and closing the host removes its spares', async () => {
    const own = openTransactionBench(undefined, {warm: {}});
    fillWorkspace(own);
    for (let call = 0; call < 3; call += 1) await own.call('echo x > docs/a.md');
    expect(await own.stocked()).toBeGreaterThan(0);
    await own.endHost();
    expect(own.leftovers()).toEqual([]);
    await own.close();
  });

  function exchange(name: string): void {
    const [from, aside] = [join(bench.root, name), `${bench.root}-aside`];
    renameSync(from, aside);
    cpSync(aside, from, {recursive: true, filter: (source) => !source.includes('.lumenflow')});
    removeTree(aside);
  }

  function replace(name: string): void {
    put(`${name}.new`, 'SECRET=2');
    renameSync(path(`${name}.new`), path(name));
  }
});

const host = fileURLToPath(new URL('./warm-transactions-host.fixture.ts', import.meta.url));

describe.skipIf(!hasBwrap)('a host killed while views wait', () => {
  test('leaves no process and no mount, and the next host removes the directories', async () => {
    const bench = openTransactionBench();
    fillWorkspace(bench);
    mkdirSync(join(bench.root, 'docs'), {recursive: true});
    const args = ['--import', 'tsx', '--conditions=@lumenflow/source', host, bench.root];
    const child = spawn(process.execPath, args, {stdio: ['ignore', 'pipe', 'inherit']});
    const [line] = (await once(child.stdout, 'data')) as [Buffer];
    const {pids} = JSON.parse(String(line)) as {pids: number[]};
    expect(pids.length).toBeGreaterThan(2);
    expect(bench.leftovers().length).toBeGreaterThan(0);
    child.kill('SIGKILL');
    await once(child, 'exit');
    while (pids.some(isRunning)) await delay(10);
    expect(readFileSync('/proc/self/mountinfo', 'utf8')).not.toContain(bench.root.replaceAll(' ', '\\040'));
    await bench.call('true');
    expect(bench.leftovers()).toEqual([]);
    await bench.close();
  });
});

function isRunning(pid: number): boolean {
  try {
    return !execFileSync('cat', [`/proc/${pid}/stat`], {
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    }).includes(') Z ');
  } catch {
    // It has ended.
    return false;
  }
}
