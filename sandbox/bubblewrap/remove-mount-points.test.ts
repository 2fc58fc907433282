// A file to hide that disappears between the last check and its mount: nothing is left in its place.
import {chmodSync, existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {setTimeout as delay} from 'node:timers/promises';
import {afterAll, beforeAll, describe, expect, test} from 'vitest';
import {narrowestProfile} from '../profile/narrowest-profile.ts';
import {createBench} from '../testing/sandbox-bench.fixture.ts';
import {findBwrap} from './host-system.ts';
import {removeMountPoints} from './remove-mount-points.ts';

const bwrap = findBwrap('/usr/bin:/bin');
let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'lumenflow-mount-points-'));
});
afterAll(() => rmSync(folder, {recursive: true}));

describe.skipIf(bwrap === undefined)('the mount point for a missing file', () => {
  const armed = (): string => join(folder, 'armed');

  /** A bwrap before whose start a file is deleted, which `armed` names: the moment between look and mount, made long. */
  beforeAll(() => {
    const program = join(folder, 'bwrap');
    const deletion = `if [ -e '${armed()}' ]; then /bin/rm "$(/bin/cat '${armed()}')" '${armed()}'; fi`;
    writeFileSync(program, `#!/bin/sh\n${deletion}\nexec '${bwrap}' "$@"\n`);
    chmodSync(program, 0o755);
  });

  test.each([
    ['a call', undefined],
    ['a spare', {sparesOfKindMax: 1}],
  ])('is removed with the sandbox of %s', async (what, warm) => {
    const bench = await createBench({searchPath: folder, ...(warm && {warm})});
    const hidden = bench.put('.env', 'SECRET');
    const entry = bench.handler(`return fs.statSync(context.workspace_root + '/.env').isCharacterDevice();`);
    const call = () => bench.run(entry, {write: ['**'], request: {warm: {packHash: 'sha256:1'}}});
    expect((await call()).output.data).toBe(true);
    // Before a spare is started, which is after the turn that the call has ended in.
    writeFileSync(armed(), hidden);
    if (what === 'a call') expect((await call()).output.data).toBe(true);
    else while (existsSync(armed()) || bench.sandbox.warmPool()?.starting !== 0) await delay(20);
    await expect.poll(() => existsSync(hidden), {timeout: 60_000}).toBe(false);
    await bench.remove();
  });
});

test('a file that another program created stays', () => {
  const [now, make] = [
    Date.now(),
    (name: string, text: string, mode: number) => writeFileSync(join(folder, name), text, {mode}),
  ];
  make('ordinary', '', 0o644);
  make('filled', 'SECRET', 0o444);
  make('older', '', 0o444);
  const paths = ['ordinary', 'filled', 'older', 'missing'].map((name) => join(folder, name));
  const overlays = (kind: 'file' | 'directory') => paths.map((path) => ({path, kind}));
  removeMountPoints({...narrowestProfile(), deny_overlays: overlays('directory')}, now);
  removeMountPoints({...narrowestProfile(), deny_overlays: overlays('file')}, now + 60_000);
  expect(readdirSync(folder)).toEqual(expect.arrayContaining(['ordinary', 'filled', 'older']));
  removeMountPoints({...narrowestProfile(), deny_overlays: overlays('file')}, now);
  expect(readdirSync(folder)).toEqual(expect.arrayContaining(['ordinary', 'filled']));
  expect(existsSync(join(folder, 'older'))).toBe(false);
});

test('the mount point of a sealed path in a writable directory is removed, too', () => {
  for (const name of ['sealed', 'outside']) writeFileSync(join(folder, name), '', {mode: 0o444});
  const bind = (path: string) => ({source: path, target: path});
  const profile = {
    ...narrowestProfile(),
    writable_bind_mounts: [bind(join(folder, 'sealed'))],
    readonly_bind_mounts: ['sealed', 'outside'].map((name) => bind(join(folder, name))),
  };
  removeMountPoints(profile, Date.now());
  expect(['sealed', 'outside'].map((name) => existsSync(join(folder, name)))).toEqual([false, true]);
});

test('a directory on the way that became a file blocks nothing', () => {
  writeFileSync(join(folder, 'was-directory'), '');
  const overlays = [{path: join(folder, 'was-directory', 'hidden'), kind: 'file' as const}];
  expect(() => removeMountPoints({...narrowestProfile(), deny_overlays: overlays}, 0)).not.toThrow();
});
