// Trusted files: obeyed because something else names them. Targets of links, hooks and programs that git's configuration names,
// a repository without a `.git`, sources of packs that the host runs.
import {appendFileSync, existsSync, mkdirSync, symlinkSync, writeFileSync} from 'node:fs';
import {dirname, join} from 'node:path';
import {wrote, type Attack, type Setting} from '../attack.ts';
import {filesOf} from '../native/files-of.ts';
import {shell} from '../native/run-program.ts';

const put = (root: string, path: string, text: string): void => {
  mkdirSync(dirname(join(root, path)), {recursive: true});
  writeFileSync(join(root, path), text);
};

interface Case {
  readonly name: string;
  readonly title: string;
  /** What is written. */
  readonly path: string;
  prepare(root: string): void;
}

const configured = (lines: string) => (root: string) => appendFileSync(join(root, '.git/config'), lines);

const cases: readonly Case[] = [
  {
    name: 'target-of-link',
    title: 'writes what .envrc is a symlink to',
    path: 'ops/envrc',
    prepare: (root) => {
      put(root, 'ops/envrc', 'original\n');
      symlinkSync('ops/envrc', join(root, '.envrc'));
    },
  },
  {
    name: 'target-of-dangling-link',
    title: 'makes what .envrc is a symlink to',
    path: 'ops/envrc',
    prepare: (root) => {
      mkdirSync(join(root, 'ops'));
      symlinkSync('ops/envrc', join(root, '.envrc'));
    },
  },
  {
    name: 'target-of-two-links',
    title: 'writes what .envrc is a symlink to by another',
    path: 'ops/envrc',
    prepare: (root) => {
      put(root, 'ops/envrc', 'original\n');
      symlinkSync('ops/envrc', join(root, 'middle'));
      symlinkSync('middle', join(root, '.envrc'));
    },
  },
  {
    name: 'hooks-by-link',
    title: 'writes a hook into the folder that .vscode is a symlink to',
    path: 'ops/editor/tasks.json',
    prepare: (root) => {
      put(root, 'ops/editor/settings.json', '{}');
      symlinkSync('ops/editor', join(root, '.vscode'));
    },
  },
  {
    name: 'change-hooks-path',
    title: 'changes a hook where core.hooksPath says',
    path: '.githooks/pre-commit',
    prepare: (root) => {
      put(root, '.githooks/pre-commit', 'original\n');
      configured('[core]\n\thooksPath = .githooks\n')(root);
    },
  },
  {
    name: 'make-hooks-path',
    title: 'makes the folder that core.hooksPath names',
    path: 'tools/git-hooks/pre-commit',
    prepare: configured('[core]\n\thooksPath = "tools/git-hooks" # ours\n'),
  },
  {
    name: 'change-included-config',
    title: 'changes a file that .git/config includes',
    path: 'team.gitconfig',
    prepare: (root) => {
      put(root, 'team.gitconfig', '[core]\n');
      configured('[includeIf "gitdir:/never/"]\n\tpath = ../team.gitconfig\n')(root);
    },
  },
  {
    name: 'change-filter-program',
    title: "changes the program of git's filter",
    path: 'scripts/clean.sh',
    prepare: (root) => {
      put(root, 'scripts/clean.sh', 'cat\n');
      configured('[filter "x"]\n\tclean = sh ./scripts/clean.sh %f\n')(root);
    },
  },
  {
    name: 'change-pack-source',
    title: 'changes the source of a pack that the host runs',
    path: 'packs/trusted/tools/evil.ts',
    prepare: () => undefined,
  },
];

const succeeded = (path: string) => wrote(({root}) => join(root, path));
const write = ({root, marker}: Setting, path: string): string => (put(root, path, marker), 'written');

const direct = ({name, title, path, prepare}: Case): Attack => ({
  name,
  title,
  prepare: ({root}) => prepare(root),
  attempts: [(setting) => write(setting, path)],
  succeeded: succeeded(path),
});

const asked = ({name, title, path, prepare}: Case): Attack => ({
  name: `asked-${name}`,
  title: `by the context's fs: ${title}`,
  prepare: ({root}) => prepare(root),
  attempts: [
    async (setting, context) => {
      await filesOf(setting, context).write(path, setting.marker);
      return 'written';
    },
  ],
  succeeded: succeeded(path),
});

const held = (attack: Attack): Attack => ({
  ...attack,
  name: `held-${attack.name}`,
  title: `transactional: ${attack.title}`,
  lanes: attack.attempts.map(() => 'held' as const),
});

const bareConfig = ({root, marker}: Setting): string =>
  `[core]\n\trepositoryformatversion = 0\n\tworktree = ${root}\n\tfsmonitor = "echo ${marker} >${root}/work/ran;:"\n\tbare = false\n`;

/** As a prompt does that shows the state of the repository a person is in. */
const runsThere = ({setting}: {readonly setting: Setting}): boolean => {
  shell('cd "$1/sub" && git add ../docs; git status', setting.root);
  return existsSync(join(setting.root, 'work/ran'));
};

const bareRepository: Attack = {
  name: 'bare-repository',
  title: 'makes a bare repository, whose configuration runs a program',
  attempts: [
    (setting) => {
      const {root} = setting;
      put(root, 'sub/HEAD', 'ref: refs/heads/main\n');
      put(root, 'sub/objects/keep', '');
      put(root, 'sub/refs/heads/keep', '');
      return (put(root, 'sub/config', bareConfig(setting)), 'written');
    },
  ],
  succeeded: runsThere,
};

const bareInTwo: Attack = {
  name: 'bare-repository-in-two',
  title: 'writes config and objects in one call, HEAD in the next',
  attempts: [
    (setting) => {
      put(setting.root, 'sub/objects/keep', '');
      put(setting.root, 'sub/refs/heads/keep', '');
      return (put(setting.root, 'sub/config', bareConfig(setting)), 'written');
    },
    ({root}) => (put(root, 'sub/HEAD', 'ref: refs/heads/main\n'), 'written'),
  ],
  succeeded: runsThere,
};

const replacedLink: Attack = {
  name: 'replace-link',
  title: 'puts a file in place of the symlink .envrc',
  prepare: ({root}) => {
    put(root, 'ops/envrc', 'original\n');
    symlinkSync('ops/envrc', join(root, '.envrc'));
  },
  attempts: [({root, marker}) => shell('cd "$1"; rm .envrc; echo "$2" >.envrc', root, marker)],
  succeeded: succeeded('.envrc'),
};

const replacedHooksLink: Attack = {
  name: 'replace-hooks-link',
  title: 'puts a folder in place of the symlink .git/hooks',
  prepare: ({root}) => shell('cd "$1"; mkdir ops; mv .git/hooks ops/hooks; ln -s ../ops/hooks .git/hooks', root),
  attempts: [
    ({root, marker}) =>
      shell('cd "$1"; rm .git/hooks; mkdir .git/hooks; echo "$2" >.git/hooks/pre-commit', root, marker),
  ],
  succeeded: succeeded('.git/hooks/pre-commit'),
};

const whole: readonly Attack[] = [...cases.map(direct), bareRepository, bareInTwo, replacedLink, replacedHooksLink];

export const obeyedIndirectlyAttacks: readonly Attack[] = [
  ...whole,
  ...whole.map(held),
  ...cases.map(asked),
  ...cases.map(asked).map(held),
];
