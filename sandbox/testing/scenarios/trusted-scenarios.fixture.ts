// Cases about files that programs outside the sandbox obey, and about what the runner itself needs.
import type {Difference, SandboxScenario} from './sandbox-scenario.fixture.ts';

const foundAfter: Difference = {
  linux: 'allow',
  macos: 'deny',
  why: 'a missing file cannot be a mount point: the receipt names it instead',
};

export const trustedScenarios: readonly SandboxScenario[] = [
  {
    name: 'trusted files in a writable tree',
    tree: [
      '.git/hooks/pre-commit',
      '.git/config',
      '.git/objects/aa/x',
      '.npmrc',
      'sub/.vscode/tasks.json',
      '.github/workflows/ci.yml',
      'src/a.ts',
    ],
    write: ['**'],
    operations: {
      'write src/a.ts': 'allow',
      'create .git/objects/new': 'allow',
      'read .git/config': 'allow',
      'write .git/config': 'deny',
      'delete .git/config': 'deny',
      'rename .git': 'deny',
      'rename .git/hooks': 'deny',
      'create .git/hooks/new': 'deny',
      'write .npmrc': 'deny',
      'create .Git/hooks/new': 'deny',
      'write sub/.vscode/tasks.json': 'deny',
      'rename sub': 'deny',
      'write .github/workflows/ci.yml': 'deny',
      'rename .github': 'deny',
      'create .github/notes.md': 'allow',
    },
  },
  {
    name: 'trusted files that are not there yet',
    tree: ['src/a.ts', '.git/objects/aa/x'],
    write: ['**'],
    operations: {
      'create .npmrc': foundAfter,
      'create .mcp.json': foundAfter,
      'create .git/config': foundAfter,
      'create .git/objects/new': 'allow',
      'rename .git': foundAfter,
    },
  },
  {
    name: 'a trusted file that a scope names',
    tree: ['.git/hooks/pre-commit', '.git/config', '.husky/pre-push', '.husky/other', 'a.txt'],
    write: ['**', '.git/hooks/**', '.husky/pre-push'],
    operations: {
      'write .git/hooks/pre-commit': 'allow',
      'create .git/hooks/new': 'allow',
      'write .git/config': 'deny',
      'write .husky/pre-push': 'allow',
      'write .husky/other': 'deny',
      'delete .husky/pre-push': 'deny',
    },
  },
  {
    name: 'a pack inside the hidden state',
    tree: ['.lumenflow/log', '.lumenflow/packs/p/tool.js', '.lumenflow/packs/q/tool.js', 'a.txt'],
    write: ['**'],
    runtimePaths: ['.lumenflow/packs/p'],
    operations: {
      'read .lumenflow/packs/p/tool.js': 'allow',
      'write .lumenflow/packs/p/tool.js': 'deny',
      'create .lumenflow/packs/p/new.js': 'deny',
      'read .lumenflow/packs/q/tool.js': 'deny',
      'read .lumenflow/log': 'deny',
      'create .lumenflow/new': 'deny',
      'rename .lumenflow': 'deny',
      'write a.txt': 'allow',
      'list .lumenflow/packs': {
        linux: 'allow',
        macos: 'deny',
        why: 'the directory is empty except for the name of the pack',
      },
    },
  },
  {
    name: 'a pack inside a writable tree',
    tree: ['tools/p/tool.js', 'tools/other.js'],
    write: ['**'],
    runtimePaths: ['tools/p'],
    operations: {
      'read tools/p/tool.js': 'allow',
      'write tools/p/tool.js': 'deny',
      'rename tools': 'deny',
      'write tools/other.js': 'allow',
    },
  },
  {
    name: 'a seal inside a seal',
    tree: ['.husky/_/.env', '.husky/pre-push', 'a/.env', 'a/b.txt'],
    write: ['**'],
    operations: {
      'read .husky/pre-push': 'allow',
      'write .husky/pre-push': 'deny',
      'read .husky/_/.env': 'deny',
      'rename .husky/_': 'deny',
      'read a/.env': 'deny',
      'rename a': 'deny',
      'write a/b.txt': 'allow',
    },
  },
];
