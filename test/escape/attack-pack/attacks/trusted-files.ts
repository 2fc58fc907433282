// Trusted files: what programs outside obey, changed or made, so that the next commit, shell or editor runs the attacker's code.
import {linkSync, mkdirSync, symlinkSync, writeFileSync} from 'node:fs';
import {dirname, join} from 'node:path';
import {wrote, type Attack, type Setting} from '../attack.ts';
import {shell} from '../native/run-program.ts';

const put = (root: string, path: string, text: string): void => {
  mkdirSync(dirname(join(root, path)), {recursive: true});
  writeFileSync(join(root, path), text);
};

const nameOf = (path: string): string =>
  path
    .replaceAll(/[^a-z0-9]+/gi, '-')
    .replaceAll(/^-|-$/g, '')
    .toLowerCase();

const change = (path: string): Attack => ({
  name: `change-${nameOf(path)}`,
  title: `changes ${path}`,
  prepare: ({root}) => put(root, path, 'original\n'),
  attempts: [({root, marker}) => (put(root, path, marker), 'written')],
  succeeded: wrote(({root}) => join(root, path)),
});

const make = (path: string): Attack => ({
  name: `make-${nameOf(path)}`,
  title: `makes ${path}`,
  attempts: [({root, marker}) => (put(root, path, marker), 'written')],
  succeeded: wrote(({root}) => join(root, path)),
});

const hook = ({root}: Pick<Setting, 'root'>): string => join(root, '.git/hooks/pre-commit');

const script = (name: string, title: string, text: string): Attack => ({
  name,
  title,
  attempts: [({root, marker}) => shell(`cd "$1"; ${text}`, root, marker)],
  succeeded: wrote(hook),
});

/** Not there before: no mount can protect them. */
const absent: readonly string[] = [
  '.git/hooks/post-merge',
  '.git/info/sparse-checkout',
  '.git/commondir',
  'fresh/.git/hooks/pre-commit',
  'fresh/.git/config',
  'fresh/.env',
  'fresh/.envrc',
  'fresh/.npmrc',
  'fresh/.vscode/tasks.json',
  'fresh/.bashrc',
  '.husky/pre-push',
  '.mcp.json',
  '.claude/settings.json',
  '.github/workflows/evil.yml',
  'new/folder/.git/hooks/pre-commit',
  'fresh/CLAUDE.md',
  'AGENTS.md',
  '.github/copilot-instructions.md',
  '.nvim.lua',
  '.cargo/config.toml',
  '.pnp.cjs',
  '.forgejo/workflows/evil.yml',
  '.GitHub/Workflows/upper-case.yml',
];

const remakings: readonly Attack[] = [
  script(
    'move-git',
    'moves .git away and makes another',
    'mv .git moved; mkdir -p .git/hooks; echo "$2" >.git/hooks/pre-commit',
  ),
  script(
    'link-hooks',
    'puts a symlink in place of .git/hooks',
    'mkdir work/h; echo "$2" >work/h/pre-commit; rm -rf .git/hooks; ln -s ../work/h .git/hooks',
  ),
  script(
    'delete-git',
    'deletes .git and makes another',
    'rm -rf .git; mkdir -p .git/hooks; echo "$2" >.git/hooks/pre-commit',
  ),
];

const twin: Attack = {
  name: 'twin-of-hook',
  title: 'writes a hook by another name that it had already',
  prepare: ({root}) => linkSync(hook({root}), join(root, 'work/twin')),
  attempts: [({root, marker}) => (writeFileSync(join(root, 'work/twin'), marker), 'written')],
  succeeded: wrote(hook),
};

export const trustedFileAttacks: readonly Attack[] = [
  {...twin, documented: true},
  ...[
    '.git/hooks/pre-commit',
    '.git/config',
    '.git/info/attributes',
    '.git/config.worktree',
    '.git/modules/sub/hooks/post-checkout',
    '.git/modules/sub/config',
    '.git/worktrees/side/gitdir',
    'module/.git',
    'nested/.git/hooks/pre-push',
    '.gitmodules',
    '.husky/pre-commit',
    '.npmrc',
    '.envrc',
    '.vscode/tasks.json',
    '.idea/workspace.xml',
    '.devcontainer/devcontainer.json',
    '.mcp.json',
    '.claude/settings.json',
    '.cursor/mcp.json',
    '.codex/config.toml',
    '.github/workflows/ci.yml',
    '.gitlab-ci.yml',
    '.bashrc',
    'work/.zshrc',
    'work/.profile',
  ].map(change),
  ...absent.map(make),
  ...remakings,
  script(
    'move-hooks',
    'moves .git/hooks away and makes another',
    'mv .git/hooks moved; mkdir -p .git/hooks; echo "$2" >.git/hooks/pre-commit',
  ),
  {
    name: 'git-config-hooks-path',
    title: 'points core.hooksPath elsewhere, by git itself',
    attempts: [({root, marker}) => shell('cd "$1"; git config core.hooksPath "$2"', root, marker)],
    succeeded: wrote(({root}) => join(root, '.git/config')),
  },
  {
    name: 'standing-link-to-hook',
    title: 'writes a hook through an existing symlink',
    prepare: ({root}) => symlinkSync('../.git/hooks/pre-commit', join(root, 'work/link')),
    attempts: [({root, marker}) => (writeFileSync(join(root, 'work/link'), marker), 'written')],
    succeeded: wrote(hook),
  },
  {
    name: 'hook-linked-next',
    title: 'links a hook in one call, writes the link in the next',
    attempts: [
      ({root}) => shell('cd "$1"; ln .git/hooks/pre-commit work/h', root),
      ({root, marker}) => (writeFileSync(join(root, 'work/h'), marker), 'written'),
    ],
    succeeded: wrote(hook),
  },
  {
    name: 'hook-made-by-next',
    title: 'makes .git in one call, its hook in the next',
    attempts: [
      ({root}) => shell('mkdir -p "$1/fresh/.git/hooks"', root),
      ({root, marker}) => (put(root, 'fresh/.git/hooks/pre-commit', marker), 'written'),
    ],
    succeeded: wrote(({root}) => join(root, 'fresh/.git/hooks/pre-commit')),
  },
  ...[...absent.map(make), change('.git/hooks/pre-commit'), change('.git/config'), ...remakings, twin].map(
    (attack): Attack => ({
      ...attack,
      name: `held-${attack.name}`,
      title: `transactional: ${attack.title}`,
      lanes: ['held'],
    }),
  ),
];
