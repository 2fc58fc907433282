// Random histories of people and an agent on one repository. What a person did while a call ran must be there afterwards. A call
// must be applied as a whole or not at all, and must be applied if no one has touched its files.
import * as fc from 'fast-check';
import {
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {afterAll, beforeAll, expect, test} from 'vitest';
import {narrowestProfile} from '../profile/narrowest-profile.ts';
import {createTransactions, type Transactions} from './create-transactions.ts';
import {valueOf} from '../testing/value-of.fixture.ts';
import type {WorkspaceView} from './workspace-view.ts';

type Tree = ReadonlyMap<string, string>;

const directories = ['a', 'a/b', 'a/b/c', 'd', 'e'];
const paths = directories.flatMap((directory) => [directory, `${directory}/f`, `${directory}/g`]);
const path = fc.constantFrom(...paths);
const act = fc.oneof(
  fc.record({
    does: fc.constantFrom('write' as const, 'save' as const, 'append' as const, 'remove' as const, 'mkdir' as const),
    path,
  }),
  fc.record({does: fc.constant('move' as const), path, to: path}),
);
type Act = typeof act extends fc.Arbitrary<infer Each> ? Each : never;
const call = fc.record({
  agent: fc.array(act, {minLength: 1, maxLength: 4}),
  people: fc.array(act, {maxLength: 3}),
  waits: fc.boolean(),
});

let base: string;
let root: string;
let transactions: Transactions;
let token = 0;

beforeAll(() => {
  base = realpathSync(mkdtempSync(join(tmpdir(), 'day-')));
  root = join(base, 'work');
});
afterAll(() => rmSync(base, {recursive: true, force: true}));

/** What cannot be done there is not done. */
function perform(tree: string, {does, path: at, ...rest}: Act): void {
  const target = join(tree, at);
  token += 1;
  try {
    if (does === 'remove') rmSync(target, {recursive: true});
    else if (does === 'mkdir') mkdirSync(target);
    else if (does === 'move') renameSync(target, join(tree, 'to' in rest ? rest.to : at));
    else if (does === 'append') writeFileSync(target, `+${token}`, {flag: 'a'});
    else if (does === 'write') writeFileSync(target, String(token));
    else {
      writeFileSync(`${target}.new`, String(token));
      renameSync(`${target}.new`, target);
    }
  } catch (error) {
    if (!(error instanceof Error && 'code' in error)) throw error;
    if (existsSync(`${target}.new`)) rmSync(`${target}.new`);
  }
}

function treeOf(top: string, below = '', tree = new Map<string, string>()): Map<string, string> {
  for (const name of readdirSync(join(top, below, '/'))) {
    const at = join(below, name);
    if (at === '.lumenflow') continue;
    const isDirectory = lstatSync(join(top, at)).isDirectory();
    tree.set(at, isDirectory ? '/' : readFileSync(join(top, at), 'utf8'));
    if (isDirectory) treeOf(top, at, tree);
  }
  return tree;
}

function changed(before: Tree, after: Tree): readonly string[] {
  return [...new Set([...before.keys(), ...after.keys()])].filter((each) => before.get(each) !== after.get(each));
}

/** Whether they are the same path, or one lies in the other. */
function areRelated(one: string, other: string): boolean {
  return one === other || one.startsWith(`${other}/`) || other.startsWith(`${one}/`);
}

const pathsOf = (acts: readonly Act[]): readonly string[] =>
  acts.flatMap((each) => ('to' in each ? [each.path, each.to] : [each.path]));

async function callOnce({
  agent,
  people,
  waits,
}: {
  readonly agent: readonly Act[];
  readonly people: readonly Act[];
  /** Its changes are kept until somebody has answered, instead of being applied. */
  readonly waits: boolean;
}): Promise<void> {
  const before = treeOf(root);
  const transaction = await transactions.begin({
    access: {allows: () => true, whyNot: () => ({message: '', details: {}})},
    limits: {},
    namesAtStart: (directory, name) => before.has(join(directory, name)),
    onOpen: () => undefined,
  });
  try {
    const opened = valueOf(await transaction.open(narrowestProfile(), []));
    const {door} = opened as WorkspaceView;
    for (const each of agent) perform(door, each);
    const asked = treeOf(door);
    for (const each of people) perform(root, each);
    const atEnd = treeOf(root);
    const {problem} = await transaction.finish(true);
    expect(problem).toBeUndefined();
    const receipt = `rcp-${(token += 1)}`;
    const {state} = await (waits ? transaction.park(receipt) : transaction.apply(receipt));
    const after = treeOf(root);
    const touched = changed(before, asked);
    const theirs = changed(before, atEnd);
    if (state === 'parked') {
      expect(await transactions.parked.has(receipt)).toBe(true);
      const both = theirs.filter((each) => touched.includes(each));
      expect(both.filter((each) => asked.get(each) !== atEnd.get(each))).toEqual([]);
      await transactions.parked.discard(receipt);
    } else if (waits) expect(await transactions.parked.has(receipt)).toBe(false);
    expect(theirs.filter((each) => after.get(each) !== atEnd.get(each))).toEqual([]);
    if (state !== 'applied') expect(changed(atEnd, after)).toEqual([]);
    else expect(touched.filter((each) => after.get(each) !== asked.get(each))).toEqual([]);
    const untouched = changed(atEnd, after).filter((each) => !touched.includes(each));
    expect(untouched).toEqual([]);
    // What an agent tried in vain may have touched a directory that a person moved.
    const tried = [...touched, ...pathsOf(agent)];
    const mayConflict = [...theirs, ...pathsOf(people)].some((each) => tried.some((other) => areRelated(each, other)));
    if (!mayConflict) expect(state).toBe(waits ? 'parked' : 'applied');
  } finally {
    await transaction.close();
  }
}

/** Its author had nothing in it, so no name of theirs met one of the call's. */
const movedOver = {
  agent: [{does: 'move' as const, path: 'd', to: 'e/g'}],
  people: [{does: 'mkdir' as const, path: 'e/g'}],
  waits: false,
};
/** No name in the directory that the call made shows that it removed what was there. */
const emptied = {
  agent: [
    {does: 'move' as const, path: 'a/b', to: 'a/g'},
    {does: 'mkdir' as const, path: 'a/b'},
  ],
  people: [{does: 'save' as const, path: 'a/b/f'}],
  waits: false,
};
/** The person who approves would approve a difference that removes this. */
const savedWhileParked = {
  agent: [{does: 'write' as const, path: 'd/f'}],
  people: [{does: 'append' as const, path: 'd/f'}],
  waits: true,
};

test('no work is lost when people and an agent work at the same time', async () => {
  const days = Number(process.env['LUMENFLOW_PROPERTY_RUNS'] ?? 8);
  await fc.assert(
    fc.asyncProperty(fc.array(call, {minLength: 1, maxLength: 8}), async (day) => {
      rmSync(root, {recursive: true, force: true});
      for (const each of directories) mkdirSync(join(root, each), {recursive: true});
      for (const each of paths.filter((at) => at.endsWith('/f'))) writeFileSync(join(root, each), `first ${each}`);
      transactions = createTransactions({
        root,
        processes: {processId: 'abcdef01.1.1.1.aa', isAlive: () => true},
        stateFolder: join(base, 'state'),
      });
      for (const each of day) await callOnce(each);
      await transactions.cleared();
      const left = join(root, '.lumenflow/transactions');
      expect(existsSync(left) ? readdirSync(left).filter((name) => name !== 'parked') : []).toEqual([]);
    }),
    {numRuns: days, endOnFailure: true, examples: [[[movedOver]], [[savedWhileParked]], [[emptied]]]},
  );
}, 600_000);
