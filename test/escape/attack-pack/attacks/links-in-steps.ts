// Filesystem: links that lead out of the workspace only once something else has changed, made in one call or in two.
import {mkdirSync} from 'node:fs';
import {join} from 'node:path';
import type {Attack} from '../attack.ts';
import {shell} from '../native/run-program.ts';

/** Where a program of the host gets that follows the link. */
const leadsOut =
  (link: string): NonNullable<Attack['succeeded']> =>
  ({setting: {root, outside}}) =>
    shell('readlink -f "$1"', join(root, link)).startsWith(outside);

const attacks: readonly Attack[] = [
  {
    name: 'link-in-two',
    title: 'links through a folder, which the next call makes a link',
    prepare: ({root}) => mkdirSync(join(root, 'work/a/b'), {recursive: true}),
    attempts: [
      ({root, outside}) => shell('ln -s "b/../../../${2##*/}/file" "$1/work/a/link"', root, outside),
      ({root}) => shell('cd "$1/work/a" && rmdir b && ln -s .. b', root),
    ],
    succeeded: leadsOut('work/a/link'),
  },
  {
    name: 'link-in-one',
    title: 'links through a folder and makes that a link, in one call',
    prepare: ({root}) => mkdirSync(join(root, 'work/a/b'), {recursive: true}),
    attempts: [
      ({root, outside}) =>
        shell('cd "$1/work/a" && ln -s "b/../../../${2##*/}/file" link && rmdir b && ln -s .. b', root, outside),
    ],
    succeeded: leadsOut('work/a/link'),
  },
  {
    name: 'link-moved-out',
    title: 'links upwards in a deep folder, then moves the link up',
    prepare: ({root}) => mkdirSync(join(root, 'work/a/b'), {recursive: true}),
    attempts: [
      ({root, outside}) => shell('ln -s "../../../${2##*/}/file" "$1/work/a/b/link"', root, outside),
      ({root}) => shell('mv "$1/work/a/b/link" "$1/work/a/link"', root),
    ],
    succeeded: leadsOut('work/a/link'),
  },
  {
    name: 'link-moved-with-folder',
    title: 'links upwards in a deep folder, then moves the folder up',
    prepare: ({root}) => mkdirSync(join(root, 'work/a/b'), {recursive: true}),
    attempts: [
      ({root, outside}) => shell('ln -s "../../../${2##*/}/file" "$1/work/a/b/link"', root, outside),
      ({root}) => shell('mv "$1/work/a/b" "$1/work/moved"', root),
    ],
    succeeded: leadsOut('work/moved/link'),
  },
];

/** Only transactional: in a direct call, the system follows a link, and LumenFlow does not. */
export const linkInStepAttacks: readonly Attack[] = attacks.map((attack): Attack => ({
  ...attack,
  name: `held-${attack.name}`,
  title: `transactional: ${attack.title}`,
  lanes: attack.attempts.map(() => 'held' as const),
}));
