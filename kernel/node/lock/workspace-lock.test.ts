import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {afterEach, beforeEach, describe, expect, test} from 'vitest';
import {LockFolder} from './lock-folder.ts';
import {createProcessRegistry} from './process-registry.ts';
import {ending, firstLine, kill, startFixture} from './start-fixture.fixture.ts';
import {WorkspaceLock} from './workspace-lock.ts';

let folder: string;
let locks: WorkspaceLock[];
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'lumenflow-lock-'));
  locks = [];
});
afterEach(() => {
  for (const lock of locks) lock.close();
  rmSync(folder, {recursive: true, force: true});
});

function newLock(timeoutMs = 5_000): WorkspaceLock {
  const lock = new WorkspaceLock({folder, processes: createProcessRegistry(), timeoutMs});
  locks.push(lock);
  return lock;
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}

describe('one holder', () => {
  test('enters again at once while it has the lock', async () => {
    const lock = newLock();
    expect(lock.tryEnter()).toBe(false);
    await lock.enter();
    expect(lock.tryEnter()).toBe(true);
    lock.leave();
    lock.leave();
    expect(lock.tryEnter()).toBe(true);
    lock.leave();
  });

  test('releases when idle, so that a crash leaves nothing behind', async () => {
    const lock = newLock();
    await lock.enter();
    lock.leave();
    await expect.poll(() => new LockFolder(folder).look().owner).toBeUndefined();
    expect(lock.tryEnter()).toBe(false);
  });

  test('releases at close, or when the last entry leaves after it', async () => {
    const [one, two] = [newLock(), newLock()];
    await one.enter();
    one.close();
    expect(new LockFolder(folder).look().owner).toBeDefined();
    one.leave();
    expect(new LockFolder(folder).look().owner).toBeUndefined();
    await expect(one.enter()).rejects.toMatchObject({code: 'RUNTIME_CLOSED'});
    await two.enter();
    two.leave();
  });
});

describe('a holder that is closed while the folder cannot be written', () => {
  test('releases as soon as possible, and others enter while its process lives', async () => {
    const [one, two] = [newLock(), newLock()];
    await one.enter();
    one.leave();
    renameSync(folder, `${folder}.kept`);
    symlinkSync(folder, folder);
    one.close();
    rmSync(folder);
    renameSync(`${folder}.kept`, folder);
    await two.enter();
    two.leave();
    expect(new LockFolder(folder).look().generation).toBeGreaterThan(1);
  });

  test('asks no more of a folder that is gone', async () => {
    const lock = newLock();
    await lock.enter();
    lock.leave();
    rmSync(folder, {recursive: true});
    lock.close();
    await pause(30);
    mkdirSync(folder);
    await pause(30);
    expect(readdirSync(folder)).toEqual([]);
  });
});

describe('several', () => {
  test('are never inside together, in one process', async () => {
    let inside = 0;
    let entered = 0;
    const work = async (lock: WorkspaceLock): Promise<void> => {
      for (let time = 0; time < 10; time += 1) {
        if (!lock.tryEnter()) await lock.enter();
        inside += 1;
        entered += 1;
        expect(inside).toBe(1);
        await pause(time % 3);
        inside -= 1;
        lock.leave();
      }
    };
    await Promise.all([newLock(), newLock(), newLock()].map(work));
    expect(entered).toBe(30);
  });

  test('are never inside together, in several processes', async () => {
    const file = join(folder, '..', `${folder.split('/').at(-1)}.count`);
    writeFileSync(file, '0');
    const url = new URL('count-up.fixture.ts', import.meta.url);
    const children = [1, 2, 3].map(() => startFixture(url, folder, file, '60'));
    expect(await Promise.all(children.map(ending))).toEqual([0, 0, 0]);
    expect(readFileSync(file, 'utf8')).toBe('180');
    rmSync(file);
  });

  test('a busy owner passes the lock on to a process that asks', async () => {
    const [busy, other] = [newLock(), newLock()];
    const done = new AbortController();
    const work = (async () => {
      while (!done.signal.aborted) {
        if (!busy.tryEnter()) await busy.enter();
        busy.leave();
        await new Promise(setImmediate);
      }
    })();
    for (let time = 0; time < 5; time += 1) {
      await other.enter();
      other.leave();
    }
    done.abort();
    await work;
  });

  test('keep few files', async () => {
    const [one, two] = [newLock(), newLock()];
    for (let time = 0; time < 40; time += 1) {
      const lock = time % 2 === 0 ? one : two;
      await lock.enter();
      lock.leave();
    }
    one.close();
    two.close();
    expect(readdirSync(folder).length).toBeLessThan(40);
  });
});

describe('a holder of another process', () => {
  const holder = new URL('hold-lock.fixture.ts', import.meta.url);

  test('is respected while it lives, and taken over from when it was killed', async () => {
    const child = startFixture(holder, folder);
    try {
      const owner = await firstLine(child);
      const lock = newLock(100);
      await expect(lock.enter()).rejects.toMatchObject({
        code: 'LOCK_UNAVAILABLE',
        message: expect.stringContaining(owner),
      });
      const entered = newLock(10_000).enter();
      await kill(child);
      await entered;
    } finally {
      await kill(child);
    }
  });

  test('that waited and was killed does not keep others from working', async () => {
    symlinkSync('free', join(folder, 'want.ffffffff.1.1.1.aa'));
    const lock = newLock();
    await lock.enter();
    await pause(10);
    lock.leave();
    await expect.poll(() => readdirSync(folder).some((name) => name.startsWith('want.'))).toBe(false);
  });
});

describe('the files', () => {
  test('of many that take one generation, one wins', () => {
    const files = new LockFolder(folder);
    expect(files.take(1, 'a')).toBe(true);
    expect(files.take(1, 'b')).toBe(false);
    expect(files.look()).toMatchObject({generation: 1, owner: 'a'});
  });

  test('one that looked too long ago does not win', () => {
    const files = new LockFolder(folder);
    for (let generation = 1; generation <= 99; generation += 2) {
      expect(files.take(generation, 'a')).toBe(true);
      files.release(generation);
    }
    // Generation 2 was removed long ago; a process that saw generation 1 free would create it.
    expect(readdirSync(folder)).not.toContain('lock.2');
    expect(files.take(2, 'late')).toBe(false);
    expect(files.look()).toMatchObject({generation: 100, owner: undefined});
    expect(readdirSync(folder)).not.toContain('lock.2');
  });

  test('other names are nothing', () => {
    for (const name of ['lock.', 'lock.0', 'lock.x', 'lock.007', 'other']) writeFileSync(join(folder, name), '');
    expect(new LockFolder(folder).look()).toEqual({generation: 0, owner: undefined, wanted: []});
  });

  test('a missing folder is an error without a wait', async () => {
    const lock = newLock();
    rmSync(folder, {recursive: true});
    await expect(lock.enter()).rejects.toMatchObject({code: 'LOCK_UNAVAILABLE'});
  });
});
