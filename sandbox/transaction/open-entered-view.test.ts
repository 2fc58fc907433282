// A view that is mounted by what is started in it.
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  readlinkSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import {tmpdir} from 'node:os';
import {basename, join} from 'node:path';
import {setTimeout as delay} from 'node:timers/promises';
import {afterEach, beforeEach, expect, test} from 'vitest';
import {announcedAt, type ViewEntry} from '../backends/transaction-view.ts';
import {awaitView} from '../linux/await-view.ts';
import {captureOutput} from '../commands/capture-output.ts';
import {spawnProcess, type SpawnedProcess} from '../commands/spawn-process.ts';
import {narrowestProfile} from '../profile/narrowest-profile.ts';
import {createTransactions, type Transactions} from './create-transactions.ts';
import type {Transaction} from './transaction.ts';
import {valueOf} from '../testing/value-of.fixture.ts';

let root: string;
let transactions: Transactions;

beforeEach(async () => {
  root = join(realpathSync(mkdtempSync(join(tmpdir(), 'entered-'))), 'a, b:c\\d "e"');
  mkdirSync(root);
  writeFileSync(join(root, 'old.txt'), 'old');
  transactions = createTransactions({
    root,
    processes: {processId: 'abcdef01.1.1.1.aa', isAlive: () => true},
    stateFolder: join(root, '..', 'state'),
  });
  // The first one finds out what the machine can do.
  const {transaction, entry} = await open();
  expect(entry.entered).toBeUndefined();
  await transaction.close();
});
afterEach(() => rmSync(join(root, '..'), {recursive: true, force: true}));

async function open(): Promise<{readonly transaction: Transaction; readonly entry: ViewEntry}> {
  const transaction = await transactions.begin({
    access: {allows: () => true, whyNot: () => ({message: '', details: {}})},
    limits: {},
    namesAtStart: () => false,
    onOpen: () => undefined,
  });
  const entry = valueOf(await transaction.open(narrowestProfile(), [], 'mounted'));
  return {transaction, entry};
}

async function start({enter}: ViewEntry, script: string): Promise<SpawnedProcess> {
  const [command, ...args] = [...enter, 'sh', '-c', script, root];
  return await spawnProcess({command, args, cwd: '/', env: {}, stdio: ['pipe', 'pipe', 'pipe', 'ignore', 'pipe']});
}

test('what it writes is found, and nothing of the mounting shows inside', async () => {
  const {transaction, entry} = await open();
  const look = `tr '\\0' '\\n' </proc/$$/environ; [ -e /proc/$$/fd/${announcedAt} ] && echo open; pwd; grep CapEff /proc/$$/status; cd "$0" || exit; echo new >new.txt; rm old.txt; read -r _; exit 7`;
  const started = await start(entry, look);
  const {isMounted, proceed, isLookedAt} = awaitView(started.pipes);
  expect(await isMounted).toBe(true);
  expect(await entry.entered?.(started.pid ?? 0, proceed)).toMatchObject({ok: true});
  // What is written before is not lost.
  await delay(50);
  const [, stdout] = started.pipes;
  const said = stdout ? captureOutput(stdout, 1000) : () => ({text: ''});
  isLookedAt();
  started.pipes[0]?.end('go\n');
  expect(await started.ended).toMatchObject({exitCode: 7});
  // The sandbox takes the rights of a host that is root away itself.
  const rights = process.geteuid?.() === 0 ? /^\/\nCapEff:\t\w+\n$/ : /^\/\nCapEff:\t0+\n$/;
  expect(said().text).toMatch(rights);
  transaction.callEnded?.();
  const {entries} = await transaction.finish(true);
  expect(entries?.map(({op, path}) => `${op} ${path}`)).toEqual(['create new.txt', 'delete old.txt']);
  expect(await transaction.apply('rcp-1')).toMatchObject({state: 'applied'});
  expect(readFileSync(join(root, 'new.txt'), 'utf8')).toBe('new\n');
  expect(existsSync(join(root, 'old.txt'))).toBe(false);
  await transaction.close();
  await transactions.cleared();
  expect(existsSync(join(root, '.lumenflow/transactions'))).toBe(false);
});

test('a command that leaves the mount namespace starts only after its view was opened', async () => {
  const {transaction, entry} = await open();
  // The command of an ordinary user may not leave it, and ends.
  const started = await start(entry, `mkdir "$0/new"; exec nsenter --mount=/proc/$PPID/ns/mnt sh -c 'read -r _'`);
  const {isMounted, proceed} = awaitView(started.pipes);
  expect(await isMounted).toBe(true);
  // Time for a command that does not wait.
  await delay(100);
  expect(await entry.entered?.(started.pid ?? 0, proceed)).toMatchObject({ok: true});
  started.pipes[0]?.end('go\n');
  await started.ended;
  transaction.callEnded?.();
  const {entries} = await transaction.finish(true);
  expect(entries?.map(({op, path}) => `${op} ${path}`)).toEqual(['create new']);
  await transaction.close();
});

test('if a process of the call may still write, nothing is applied', async () => {
  const {transaction, entry} = await open();
  const started = await start(entry, 'read -r _');
  const {isMounted, proceed} = awaitView(started.pipes);
  expect(await isMounted).toBe(true);
  expect(await entry.entered?.(started.pid ?? 0, proceed)).toMatchObject({ok: true});
  const {entries, problem} = await transaction.finish(true);
  expect(entries).toBeUndefined();
  expect(problem?.message).toContain('may still be writing');
  started.kill();
  await started.ended;
  await transaction.close();
});

test('a view that cannot be watched is closed', async () => {
  const {transaction, entry} = await open();
  const started = await start(entry, 'read -r _');
  const {isMounted, proceed} = awaitView(started.pipes);
  expect(await isMounted).toBe(true);
  // Its upper layer. That of the work directory is closed to ordinary users.
  const folder = join(root, '.lumenflow/transactions');
  for (const name of readdirSync(folder)) rmSync(join(folder, name, 'up'), {recursive: true, force: true});
  const doors = (): readonly string[] =>
    readdirSync('/proc/self/fd').filter((fd) => {
      try {
        return readlinkSync(`/proc/self/fd/${fd}`).endsWith(basename(root));
      } catch {
        // That of the listing itself.
        return false;
      }
    });
  expect(doors()).toEqual([]);
  expect(await entry.entered?.(started.pid ?? 0, proceed)).toMatchObject({ok: false});
  expect(doors()).toEqual([]);
  started.kill();
  await started.ended;
  await transaction.close();
});

test('a process that ends before the mount is detected, and so is one that is gone', async () => {
  const {transaction, entry} = await open();
  const failing = await start({...entry, enter: ['sh', '-c', 'exit 3', 'sh']}, '');
  const {isMounted, proceed} = awaitView(failing.pipes);
  expect(await isMounted).toBe(false);
  await failing.ended;
  expect(await entry.entered?.(failing.pid ?? 0, proceed)).toMatchObject({
    problem: {message: expect.stringContaining('the private view of the workspace could not be mounted')},
  });
  await transaction.close();
});
