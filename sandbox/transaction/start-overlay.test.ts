import {execFileSync} from 'node:child_process';
import {existsSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {afterEach, beforeEach, expect, test} from 'vitest';
import {childrenOf} from '../limits/process-tree.ts';
import {overlayPrograms} from './open-overlay.ts';
import {valueOf} from '../testing/value-of.fixture.ts';
import {startOverlay, type MountedOverlay} from './start-overlay.ts';

const programs = overlayPrograms();
let root: string;
let overlay: MountedOverlay | undefined;
beforeEach(() => void (root = realpathSync(mkdtempSync(join(tmpdir(), 'lumenflow-overlay-')))));
afterEach(() => {
  overlay?.close();
  rmSync(root, {recursive: true, force: true});
});

// By the number of a process that has ended, a command of root could enter the namespace of another: the workspace itself.
test.skipIf(process.geteuid?.() !== 0 || !programs.ok)(
  'root enters a view whose process was killed, and nothing else',
  async ({skip}) => {
    const folder = join(root, 'own');
    mkdirSync(folder);
    const before = new Set(childrenOf(process.pid));
    const memory = 'size=1048576,nr_inodes=64,mode=700';
    const input = {root, folder, mode: 0o755, isPrivileged: true, enter: [], inner: [], memory};
    const started = await startOverlay(input, valueOf(programs));
    skip(!started.ok, 'this machine does not allow such a mount');
    overlay = valueOf(started);
    writeFileSync(join(overlay.door, 'file'), 'of the view');
    const [holder = 0] = childrenOf(process.pid).filter((pid) => !before.has(pid));
    process.kill(holder, 'SIGKILL');
    await expect.poll(() => existsSync(`/proc/${holder}`)).toBe(false);
    const [command = '', ...args] = overlay.enter;
    expect(execFileSync(command, [...args, 'cat', join(root, 'file')], {encoding: 'utf8'})).toBe('of the view');
    expect(existsSync(join(root, 'file'))).toBe(false);
  },
);
