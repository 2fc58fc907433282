// A few points of the crash suite, which `npm run crash` tries by the thousand, and the proof that it can find something.
import {spawn} from 'node:child_process';
import {once} from 'node:events';
import {mkdirSync, readdirSync, readFileSync, rmSync, truncateSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {text} from 'node:stream/consumers';
import {fileURLToPath} from 'node:url';
import {afterEach, beforeEach, describe, expect, test} from 'vitest';
import type {Acknowledgement} from '../crash/acknowledgement.ts';
import {callAtRandom} from '../crash/call-at-random.ts';
import {checkTiles} from '../crash/check-tiles.ts';
import {checkWorkspace} from '../crash/check-workspace.ts';
import {stateFolders} from '../crash/crash-workspace.ts';
import {DiskModel, type Tear} from '../crash/disk-model.ts';
import {makeMemoryFolder} from '../crash/memory-folder.ts';
import {openCrashRuntime} from '../crash/open-crash-runtime.ts';
import {createRandom} from '../crash/random.ts';

test.concurrent.each([
  ['SIGKILL at random times under 64 callers', 'kill', '0.013'],
  ['a power cut at any operation, with torn sectors', 'prefixes', '0.004'],
  ['ENOSPC, EIO and EMFILE in mid-append', 'faults', '0.02'],
  ['several processes, one of them killed', 'several', '0.01'],
  ['SIGKILL at random steps of archiving and expiry', 'archiving', '0.03'],
])('%s: all points hold', async (_, suite, share) => {
  const program = fileURLToPath(new URL('../crash/crash.ts', import.meta.url));
  const args = ['--import', 'tsx', program, suite, '--share', share, '--json'];
  const child = spawn(process.execPath, args, {stdio: ['ignore', 'pipe', 'pipe']});
  const [out, said] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'close')]);
  // The seed is in its output.
  expect(JSON.parse(out), said).toMatchObject({holds: true, suites: [{suite, failed: []}]});
});

describe('the check finds', () => {
  let root: string;
  let reported: Acknowledgement[];
  let effects: string[];
  beforeEach(async () => {
    root = makeMemoryFolder();
    [reported, effects] = [[], []];
    const runtime = await openCrashRuntime({root, effect: (receiptId) => void effects.push(receiptId)});
    let left = 60;
    await callAtRandom({
      runtime,
      random: createRandom(7),
      name: 'task-1',
      callers: 4,
      goesOn: () => left-- > 0,
      acknowledge: (one) => void reported.push(one),
    });
    await runtime.close();
  });
  afterEach(() => rmSync(root, {recursive: true}));

  const problems = async (): Promise<string> => (await checkWorkspace(root, {reported, effects})).problems.join('\n');
  const segments = (log: string): readonly string[] => {
    const folder = join(stateFolders(root).stateFolder, log);
    return readdirSync(folder).map((name) => join(folder, name));
  };

  test('nothing, when nothing happened', async () => {
    expect(await problems()).toBe('');
  });

  test('an acknowledged call, claim or task that is lost, and an effect without an intent', async () => {
    reported.push(
      {kind: 'call', receipt_id: 'rcp-none', tool: 'effects:write', result: 'success'},
      {kind: 'claimed', task_id: 'task-1', run_id: 'run-none'},
      {kind: 'created', task_id: 'task-none'},
    );
    effects.push('rcp-unknown');
    expect((await problems()).split('\n')).toEqual([
      'rcp-none was acknowledged as success, recorded is nothing',
      'rcp-unknown had its effect without a recorded intent',
      'rcp-none succeeded without its effect',
      expect.stringMatching(/^task task-1 was claimed as run-none, recorded is run-/u),
      'task task-none was acknowledged as created and is not there',
    ]);
  });

  test('a task that was done and is not', async () => {
    reported.push({kind: 'done', task_id: 'task-1'});
    expect(await problems()).toContain('task task-1 was done and is not');
  });

  test('a result that was rewritten', async () => {
    const [call] = reported.flatMap((one) => (one.kind === 'call' ? [one] : []));
    const earlier = new Map([[call?.receipt_id ?? '', {pid: 1, result: 'crashed'}]]);
    const {problems} = await checkWorkspace(root, {reported, effects, earlier});
    expect(problems).toEqual([`${call?.receipt_id} was crashed and is ${call?.result} now`]);
  });

  test('lines that are gone, and lines that were changed', async () => {
    const [path = ''] = segments('events');
    const whole = readFileSync(path, 'utf8');
    truncateSync(path, whole.lastIndexOf('\n', whole.length - 2) + 1);
    expect(await problems()).toContain('cannot be opened');
    writeFileSync(path, whole.replace('"task-1"', '"task-2"'));
    expect(await problems()).not.toBe('');
  });
});

test('the check finds a tile that was signed and is not on disk', () => {
  const root = makeMemoryFolder();
  const [folder, problems]: [string, string[]] = [join(root, 'evidence', 'tree', 'traces'), []];
  const tiles = join(folder, 'tiles', '0');
  mkdirSync(join(folder, 'tiles'), {recursive: true});
  writeFileSync(join(folder, `${String(600).padStart(16, '0')}.note`), '');
  writeFileSync(tiles, Buffer.alloc(16_384).fill(7, 8_192));
  checkTiles(root, problems);
  expect(problems).toEqual([`\`${tiles}\`: tile 0 was signed and is not on disk`]);
  rmSync(tiles);
  checkTiles(root, problems);
  expect(problems).toHaveLength(3);
  rmSync(root, {recursive: true});
});

describe('the model of a disk', () => {
  const bytes = (content: string): Buffer => Buffer.from(content);
  const content = (model: DiskModel, survives?: (unsynced: number) => number, tear?: Tear): string | undefined =>
    model.image(survives, tear).files.get('/d/a')?.toString();

  test('keeps what was synced, and of the rest as much as survives', () => {
    const model = new DiskModel();
    model.apply({kind: 'mkdir', path: '/d'});
    model.apply({kind: 'open', path: '/d/a', handle: 1, creates: true, empties: false});
    model.apply({kind: 'write', handle: 1, offset: 0, bytes: bytes('one')});
    expect(content(model)).toBe('one');
    expect(content(model, () => 0)).toBeUndefined();
    model.apply({kind: 'open', path: '/d', handle: 2, creates: false, empties: false});
    for (const handle of [1, 2]) {
      model.beginSync(handle);
      // What is written while a sync runs is not covered by it.
      if (handle === 1) model.apply({kind: 'write', handle, offset: 3, bytes: bytes('two')});
      model.apply({kind: 'sync', handle});
    }
    expect(content(model, () => 0)).toBe('one');
    expect(content(model, (unsynced) => unsynced)).toBe('onetwo');
    for (const [grows, torn] of [
      [false, 'onet'],
      [true, 'onet\0\0'],
    ] as const) {
      const tear = () => ({first: 1, grows});
      expect(content(model, () => 0, tear)).toBe(torn);
    }
    model.apply({kind: 'truncate', handle: 1, length: 1});
    expect(content(model)).toBe('o');
    model.apply({kind: 'rename', from: '/d/a', path: '/d/b'});
    expect([...model.image().files.keys()]).toEqual(['/d/b']);
    expect([...model.image(() => 0).files.keys()]).toEqual(['/d/a']);
  });

  test('keeps what a torn write was to go over', () => {
    const model = new DiskModel();
    model.apply({kind: 'mkdir', path: '/d'});
    model.apply({kind: 'open', path: '/d/a', handle: 1, creates: true, empties: false});
    model.apply({kind: 'write', handle: 1, offset: 0, bytes: bytes('one')});
    model.apply({kind: 'write', handle: 1, offset: 0, bytes: bytes('TWO')});
    const lastIsLost = (unsynced: number): number => Math.min(unsynced, 1);
    expect(content(model, lastIsLost, () => ({first: 1, grows: true}))).toBe('Tne');
  });
});
