// Trusted files: planted where the host is kept from looking, by modes, odd names, depth or sheer number.
import {chmodSync, existsSync, mkdirSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import type {ToolContext} from '@lumenflow/pack-sdk';
import {wrote, type Attack, type Outside, type Setting} from '../attack.ts';
import {shell} from '../native/run-program.ts';

const config = ({root}: Setting): string => join(root, '.git/config');

/** Runs `write` in a separate call, from within this one. */
const byNestedCall =
  (attack: string, write: (setting: Setting) => void) =>
  async (setting: Setting, context: ToolContext): Promise<string> => {
    if (setting.marker.endsWith('#')) {
      write({...setting, marker: setting.marker.slice(0, -1)});
      return 'written';
    }
    chmodSync(setting.root, 0o311);
    try {
      if (!setting.guarded) return (write(setting), 'written');
      const nested = {attack: `trusted-files/${attack}`, step: 0, setting: {...setting, marker: `${setting.marker}#`}};
      return JSON.stringify(await context.callTool('attack:try', nested));
    } finally {
      chmodSync(setting.root, 0o755);
    }
  };

const planted = (name: string, title: string, script: string, path: string): Attack => ({
  name,
  title,
  attempts: [({root, marker}) => shell(`cd "$1"; ${script}`, root, marker)],
  succeeded: wrote(({root}) => join(root, path)),
});

/** Found by the folder that it lies in, whose name no text has. */
const inOddFolder = ({setting}: Outside): boolean =>
  shell('cat "$1"/odd*/.envrc "$1"/odd*/.git/hooks/pre-commit 2>/dev/null; :', setting.root).includes(setting.marker);

const goBelow = 'my $n = "0" x 200; 1 while chdir $n;';
const seenBelow = (root: string): string =>
  shell(`cd "$1/new" && perl -e '${goBelow} exec "cat", ".git/hooks/pre-commit"'`, root);

export const unreadableTreeAttacks: readonly Attack[] = [
  {
    name: 'unlisted-root-next',
    title: 'locks the workspace in one call, writes .git/config in the next',
    attempts: [
      // An unrestricted call compiles nothing, because it would prevent the next one.
      ({root, guarded}) => (chmodSync(root, guarded ? 0o311 : 0o755), 'locked'),
      ({root, marker}) => (writeFileSync(join(root, '.git/config'), marker), 'written'),
    ],
    succeeded: wrote(config),
  },
  {
    name: 'unlisted-root-nested',
    title: 'locks the workspace, has a nested call write .git/config',
    attempts: [
      byNestedCall('unlisted-root-nested', ({root, marker}) => writeFileSync(join(root, '.git/config'), marker)),
    ],
    succeeded: wrote(config),
  },
  {
    name: 'unlisted-env-nested',
    title: 'locks a folder, has a nested call read the .env in it',
    attempts: [
      async (setting, context) => {
        const {root, marker} = setting;
        const read = `cat "$1/work/deep/.env"`;
        if (marker.endsWith('#')) return shell(read, root);
        chmodSync(join(root, 'work/deep'), 0o311);
        try {
          if (!setting.guarded) return shell(read, root);
          const nested = {
            attack: 'trusted-files/unlisted-env-nested',
            step: 0,
            setting: {...setting, marker: `${marker}#`},
          };
          return JSON.stringify(await context.callTool('attack:try', nested));
        } finally {
          chmodSync(join(root, 'work/deep'), 0o755);
        }
      },
    ],
  },
  planted(
    'plant-unlisted',
    'plants a hook and an .envrc in a folder that cannot be listed',
    'mkdir -p new/.git/hooks; echo "$2" >new/.git/hooks/pre-commit; echo "$2" >new/.envrc; chmod 0311 new',
    'new/.envrc',
  ),
  planted(
    'plant-unlisted-deep',
    'plants a hook below folders that cannot be listed',
    'mkdir -p new/a/b/.git/hooks; echo "$2" >new/a/b/.git/hooks/pre-commit; chmod 0311 new/a/b new/a new',
    'new/a/b/.git/hooks/pre-commit',
  ),
  planted(
    'plant-in-read-only',
    'plants an .envrc in a folder that is then made read-only',
    'mkdir new; echo "$2" >new/.envrc; chmod 0555 new',
    'new/.envrc',
  ),
  planted(
    'plant-read-only-folder',
    'plants a .vscode folder that is itself read-only',
    'mkdir -p new/.vscode; echo "$2" >new/.vscode/tasks.json; chmod 0555 new/.vscode new',
    'new/.vscode/tasks.json',
  ),
  {
    name: 'plant-in-odd-name',
    title: 'plants a hook and an .envrc in a folder whose name is not UTF-8',
    attempts: [
      ({root, marker}) =>
        shell(
          `cd "$1"; d=$(printf 'odd\\377'); mkdir -p "$d/.git/hooks"; echo "$2" >"$d/.git/hooks/pre-commit"; echo "$2" >"$d/.envrc"`,
          root,
          marker,
        ),
    ],
    succeeded: inOddFolder,
  },
  {
    name: 'change-in-odd-name',
    title: 'changes a hook in a folder whose name is not UTF-8',
    prepare: ({root}) => {
      const folder = Buffer.concat([Buffer.from(`${root}/odd`), Buffer.of(0xff)]);
      mkdirSync(folder);
      const hooks = Buffer.concat([folder, Buffer.from('/.git')]);
      mkdirSync(hooks);
      mkdirSync(Buffer.concat([hooks, Buffer.from('/hooks')]));
      writeFileSync(Buffer.concat([hooks, Buffer.from('/hooks/pre-commit')]), 'original\n');
    },
    attempts: [
      ({root, marker}) => shell(`cd "$1"; for f in odd*/.git/hooks/pre-commit; do echo "$2" >"$f"; done`, root, marker),
    ],
    succeeded: inOddFolder,
  },
  {
    name: 'plant-beneath-depth',
    title: 'plants a hook below a path that is too long to be opened',
    attempts: [
      ({root, marker}) =>
        shell(
          `mkdir "$1/new"; cd "$1/new"; perl -e 'my $n = "0" x 200; for (1 .. 25) { mkdir $n; chdir $n }'; perl -e '${goBelow} mkdir ".git"; mkdir ".git/hooks"; open(F, ">", ".git/hooks/pre-commit"); print F $ARGV[0]' "$2"`,
          root,
          marker,
        ),
    ],
    succeeded: ({setting}) => seenBelow(setting.root).includes(setting.marker),
  },
  {
    ...planted(
      'plant-among-many',
      'plants an .envrc beside 410,000 files',
      'mkdir new; cd new; echo "$2" >.envrc; seq 410000 | xargs -n 20000 touch',
      'new/.envrc',
    ),
    slow: true,
  },
  {
    name: 'locks-workspace-for-good',
    title: 'leaves a folder that cannot be listed, so that no later call runs',
    attempts: [
      ({root}) => shell('mkdir -p "$1/new/a"; chmod 0 "$1/new/a"; chmod 0311 "$1/new"', root),
      ({root}) => (writeFileSync(join(root, 'work/later'), 'later'), 'written'),
    ],
    // Unsandboxed, the second call runs too: this shows that the folder can be locked.
    succeeded: ({setting, outputs}) =>
      setting.guarded ? !existsSync(join(setting.root, 'work/later')) : outputs.length === 2,
  },
];
