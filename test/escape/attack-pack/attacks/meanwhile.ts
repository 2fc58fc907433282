// Concurrency: people move, open and replace files while a transactional call runs, or while its sandbox waits. Their work must not get
// lost. Unsandboxed, a call that ignores them shows the damage.
import {
  appendFileSync,
  closeSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import {join} from 'node:path';
import {setTimeout as sleep} from 'node:timers/promises';
import type {Attack, Outside, Setting} from '../attack.ts';

const theirs = 'an hour of work\n';
const callMs = 1_200;
const meanwhileMs = 500;

/** Their text, in any file below the folder. */
function isLost({root}: Setting): boolean {
  const below = readdirSync(root, {recursive: true, withFileTypes: true});
  return !below.some((entry) => entry.isFile() && hasTheirs(join(entry.parentPath, entry.name)));
}

function hasTheirs(path: string): boolean {
  try {
    return readFileSync(path, 'utf8').includes(theirs);
  } catch {
    // It may be gone by now.
    return false;
  }
}

const lost = ({setting}: Outside): boolean => isLost({...setting, root: join(setting.root, 'work')});

function remake(folder: string): void {
  rmSync(folder, {recursive: true, force: true});
  mkdirSync(folder);
  writeFileSync(join(folder, 'made'), 'made');
}

/** A descriptor that a person's program has open from before the call to after it. */
let opened: number | undefined;

const attacks: readonly Attack[] = [
  {
    name: 'moved-into-new',
    title: 'makes a folder, at whose place a person moves a full one',
    prepare: ({root}) => {
      mkdirSync(join(root, 'work/old'));
      writeFileSync(join(root, 'work/old/theirs'), theirs);
    },
    attempts: [
      async ({root, guarded}) => {
        if (guarded) remake(join(root, 'work/new'));
        await sleep(callMs);
        if (!guarded) remake(join(root, 'work/new'));
        return 'made';
      },
    ],
    async meanwhile({root}) {
      await sleep(meanwhileMs);
      renameSync(join(root, 'work/old'), join(root, 'work/new'));
    },
    succeeded: lost,
  },
  {
    name: 'swapped-meanwhile',
    title: 'recreates a folder while a person replaces it',
    prepare: ({root}) => {
      for (const name of ['dist', 'next']) mkdirSync(join(root, 'work', name));
      writeFileSync(join(root, 'work/next/theirs'), theirs);
    },
    attempts: [
      async ({root, guarded}) => {
        if (guarded) remake(join(root, 'work/dist'));
        await sleep(callMs);
        if (!guarded) remake(join(root, 'work/dist'));
        return 'made';
      },
    ],
    async meanwhile({root}) {
      await sleep(meanwhileMs);
      renameSync(join(root, 'work/dist'), join(root, 'work/before'));
      renameSync(join(root, 'work/next'), join(root, 'work/dist'));
    },
    succeeded: lost,
  },
  {
    name: 'written-while-open',
    title: 'replaces a file to which a program of the host keeps writing',
    prepare: ({root}) => {
      writeFileSync(join(root, 'work/log'), 'log\n');
      opened = openSync(join(root, 'work/log'), 'a');
    },
    attempts: [
      ({root}) => {
        writeFileSync(join(root, 'work/log.new'), 'log\nof the call\n');
        renameSync(join(root, 'work/log.new'), join(root, 'work/log'));
        return 'written';
      },
    ],
    succeeded: (outside) => {
      if (opened !== undefined) {
        writeSync(opened, theirs);
        closeSync(opened);
        opened = undefined;
      }
      return lost(outside);
    },
  },
  {
    name: 'stale-content',
    title: 'adds to a file that a person replaced while the sandbox waited',
    prepare: ({root}) => writeFileSync(join(root, 'work/notes'), 'old\n'),
    between: ({root}) => {
      writeFileSync(join(root, 'work/notes.new'), theirs);
      renameSync(join(root, 'work/notes.new'), join(root, 'work/notes'));
    },
    attempts: [
      ({root, guarded, marker}) => {
        const notes = join(root, 'work/notes');
        if (guarded) appendFileSync(notes, marker);
        else writeFileSync(notes, `old\n${marker}`);
        return 'added';
      },
    ],
    succeeded: lost,
  },
  {
    name: 'stale-folder',
    title: 'removes the contents of a folder that a person replaced while the sandbox waited',
    prepare: ({root}) => {
      mkdirSync(join(root, 'work/docs'));
      writeFileSync(join(root, 'work/docs/seen'), 'seen');
    },
    between: ({root}) => {
      renameSync(join(root, 'work/docs'), join(root, 'work/docs.before'));
      mkdirSync(join(root, 'work/docs'));
      writeFileSync(join(root, 'work/docs/theirs'), theirs);
    },
    attempts: [
      ({root, guarded}) => {
        // What the view shows now may go; what came later than it may not.
        for (const name of guarded ? ['seen'] : readdirSync(join(root, 'work/docs')))
          rmSync(join(root, 'work/docs', name), {force: true});
        return 'removed';
      },
    ],
    succeeded: lost,
  },
  {
    name: 'stale-hidden',
    title: 'reads a .env that came while the sandbox waited',
    between: ({root}) => {
      mkdirSync(join(root, 'work/late'));
      renameSync(join(root, 'work/deep/.env'), join(root, 'work/late/.env'));
    },
    attempts: [({root}) => readFileSync(join(root, 'work/late/.env'), 'utf8')],
  },
  {
    name: 'stale-sealed',
    title: 'writes a .envrc that came while the sandbox waited',
    between: ({root}) => writeFileSync(join(root, 'fresh/.envrc'), 'original\n'),
    attempts: [({root, marker}) => (writeFileSync(join(root, 'fresh/.envrc'), marker), 'written')],
    succeeded: ({setting, read}) => read(join(setting.root, 'fresh/.envrc'))?.includes(setting.marker) === true,
  },
];

/** For calls of both kinds of writes: what they may do to files of others. */
const always = new Set(['stale-hidden', 'stale-sealed']);

export const meanwhileAttacks: readonly Attack[] = [
  ...attacks.filter(({name}) => always.has(name)),
  ...attacks.map((attack): Attack => ({
    ...attack,
    name: `held-${attack.name}`,
    title: `transactional: ${attack.title}`,
    lanes: ['held'],
  })),
];
