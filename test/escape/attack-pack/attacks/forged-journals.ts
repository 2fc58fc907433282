// Recovery: journals of calls that never were, in folders where a host might start one day, so that its recovery does what the
// attacker may not.
import {mkdirSync, writeFileSync} from 'node:fs';
import {dirname, join} from 'node:path';
import type {Attack, Setting} from '../attack.ts';
import {filesOf} from '../native/files-of.ts';
import {shell} from '../native/run-program.ts';

/** Named after a process that is dead. */
const dead = '0a.1.2.3.0b';
const journals: Readonly<Record<string, string>> = {
  transaction: `.lumenflow/transactions/${dead}~1/journal`,
  look: `.lumenflow/direct-calls/${dead}~rcp-1`,
};

const put = (root: string, path: string, text: string): void => {
  mkdirSync(dirname(join(root, path)), {recursive: true});
  writeFileSync(join(root, path), text);
};

function forgeries(kind: string, journal: string): readonly Attack[] {
  const isThere =
    (folder: string): NonNullable<Attack['succeeded']> =>
    ({setting, read}) =>
      read(join(setting.root, folder, journal))?.includes(setting.marker) === true;
  const text = ({marker}: Setting): string =>
    `lumenflow-journal 1 ${'0'.repeat(64)}\n{"root":"/","steps":["${marker}"]}`;
  return [
    {
      name: `forge-${kind}`,
      title: `makes the journal of a ${kind} in the workspace`,
      attempts: [(setting) => (put(setting.root, journal, text(setting)), 'forged')],
      succeeded: isThere(''),
    },
    {
      name: `forge-${kind}-below`,
      title: `makes the journal of a ${kind} in a folder that may be a workspace`,
      attempts: [(setting) => (put(setting.root, `work/sub/${journal}`, text(setting)), 'forged')],
      succeeded: isThere('work/sub'),
    },
    {
      name: `forge-${kind}-asked`,
      title: `asks the host to make the journal of a ${kind}`,
      attempts: [
        async (setting, context) => {
          await filesOf(setting, context).write(`work/sub/${journal}`, text(setting));
          return 'forged';
        },
      ],
      succeeded: isThere('work/sub'),
    },
    {
      name: `forge-${kind}-moved`,
      title: `makes the journal of a ${kind} elsewhere, and moves it in place`,
      attempts: [
        (setting) => {
          const [, ...inside] = journal.split('/');
          put(setting.root, `work/made/${inside.join('/')}`, text(setting));
          return shell('mv "$1/work/made" "$1/work/sub/.lumenflow"', setting.root);
        },
      ],
      succeeded: isThere('work/sub'),
    },
  ];
}

const attacks = Object.entries(journals).flatMap(([kind, journal]) => forgeries(kind, journal));

export const forgedJournalAttacks: readonly Attack[] = [
  ...attacks,
  ...attacks.map((attack): Attack => ({
    ...attack,
    name: `held-${attack.name}`,
    title: `transactional: ${attack.title}`,
    lanes: ['held'],
  })),
];
