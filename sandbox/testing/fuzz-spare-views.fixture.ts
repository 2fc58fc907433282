// A program for tests: changes a workspace while a spare waits in its view, and compares the view at the hand-over with the
// workspace. The first round changes what the view depends on, the second changes only content, and the others follow the seed.
// Arguments: rounds, a seed, a folder to work in, the runner. Prints its counts.
import fs from 'node:fs';
import {basename, join} from 'node:path';
import {runnerProgram} from '../backends/runner-program.ts';
import type {SpareViews} from '../backends/transaction-view.ts';
import {createBubblewrapBackend} from '../bubblewrap/create-bubblewrap-backend.ts';
import {createSpawnExecutor} from '../commands/create-spawn-executor.ts';
import {startForLater} from '../execution/start-with-resources.ts';
import {createSandboxNetwork} from '../network/create-sandbox-network.ts';
import {baseEnv} from '../profile/base-env.ts';
import {compileProfile} from '../profile/compile-profile.ts';
import {createHostFiles} from '../profile/host-files.ts';
import {createTransactions} from '../transaction/create-transactions.ts';
import {OpenedSpareView} from '../transaction/opened-spare-view.ts';
import {awaitReady} from '../warm-pool/spare.ts';
import {fileIdentities} from '../warm-pool/spare-key.ts';
import {globMatcher} from './glob-matcher.fixture.ts';
import {changeAtRandom, makeTree, type RandomTree} from './random-tree.fixture.ts';
import {valueOf} from './value-of.fixture.ts';

const [rounds = '10', seed = '1', folder = '', runnerPath = ''] = process.argv.slice(2);
const tree: RandomTree = {
  root: join(folder, 'workspace'),
  aside: join(folder, 'aside'),
  random: randomFrom(Number(seed)),
};
const runner = runnerProgram({nodePath: process.execPath, runnerPath});
const files = createHostFiles();
const backend = createBubblewrapBackend({searchPath: '/usr/bin:/bin', executor: createSpawnExecutor(), files});
const network = createSandboxNetwork({nodePath: runner.nodePath, holderPath: '', resolveHost: async () => []});

/** As in Numerical Recipes: good enough for a test, and repeatable for a seed. */
function randomFrom(start: number): (below: number) => number {
  let state = start >>> 0;
  return (below) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return (state >>> 8) % below;
  };
}

async function compile() {
  const profile = valueOf(
    await compileProfile({
      workspaceRoot: tree.root,
      grant: {read: ['**'], write: ['**'], network: {posture: 'off', allowlist_entries: []}},
      denyOverlays: ['a/secrets/**', 'c/d/e/secrets/**'],
      home: '/nonexistent',
      runtimePaths: runner.runtimePaths,
      limits: {},
      env: baseEnv({nodePath: runner.nodePath}),
      compilePattern: globMatcher,
      files,
    }),
  );
  return profile;
}

/** Of a host that has just started: a spare's views outlive the transaction that they were obtained from. */
async function spareViews(): Promise<SpareViews> {
  const transactions = createTransactions({
    root: tree.root,
    stateFolder: join(folder, 'state'),
    processes: {processId: 'fuzz', isAlive: () => true},
  });
  const transaction = await transactions.begin({
    access: {allows: () => true, whyNot: () => ({message: '', details: {}})},
    limits: {},
    namesAtStart: () => false,
    onOpen: () => undefined,
  });
  await transaction.close();
  await transactions.cleared();
  if (transaction.spareViews === undefined) throw new Error('this transaction has no spare views');
  return transaction.spareViews;
}

/** A line for each entry; the state of the runtime, where the view's own directory lies, is left out. */
function listing(directory: string, prefix = ''): readonly string[] {
  return fs
    .readdirSync(directory)
    .toSorted()
    .filter((name) => prefix !== '' || name !== '.lumenflow')
    .flatMap((name) => {
      const path = join(directory, name);
      const stats = fs.lstatSync(path);
      const content = stats.isFile()
        ? fs.readFileSync(path, 'utf8')
        : stats.isSymbolicLink()
          ? fs.readlinkSync(path)
          : '';
      const line = [`${prefix}${name}`, stats.mode.toString(8), stats.isDirectory() ? '' : stats.mtimeMs, content].join(
        ' ',
      );
      return stats.isDirectory() ? [line, ...listing(path, `${prefix}${name}/`)] : [line];
    });
}

function changeInRound(round: number): readonly string[] {
  if (round > 1) return Array.from({length: 1 + tree.random(6)}, () => changeAtRandom(tree));
  const path = join(tree.root, round === 0 ? '.env' : 'g/x');
  if (round === 0) fs.rmSync(path);
  fs.writeFileSync(path, 'changed');
  return [round === 0 ? 'guarded' : 'content'];
}

const counted = {seed: Number(seed), unchanged: 0, changed: 0, stale: [] as string[]};
for (let round = 0; round < Number(rounds); round += 1) {
  makeTree(tree);
  const [profile, views] = [await compile(), await spareViews()];
  const before = fileIdentities(profile, views);
  const started = valueOf(await startForLater({profile, program: {kind: 'runner', runner}, views}, {backend, network}));
  const spare = await awaitReady(started);
  if (spare === undefined || !(started.view instanceof OpenedSpareView)) throw new Error('the spare is not ready');
  if (fileIdentities(profile, views) !== before) throw new Error('starting a spare has changed what it depends on');
  const done = changeInRound(round);
  if (fileIdentities(profile, views) === before) {
    counted.unchanged += 1;
    const [there, shown] = [listing(tree.root), listing(started.view.view.door)];
    const different = shown.find((line) => !there.includes(line)) ?? there.find((line) => !shown.includes(line));
    if (different !== undefined) counted.stale.push(`${basename(folder)} ${round}: ${done.join(' ')}: ${different}`);
  } else counted.changed += 1;
  spare.assign();
  started.kill();
  await started.ended;
}
process.stdout.write(JSON.stringify(counted));
