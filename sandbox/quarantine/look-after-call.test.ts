import {
  chmodSync,
  existsSync,
  linkSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  readlinkSync,
  realpathSync,
  rmSync,
  statSync,
  symlinkSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs';
import {tmpdir} from 'node:os';
import {dirname, join} from 'node:path';
import {afterEach, beforeEach, describe, expect, test} from 'vitest';
import {failed} from '../outcome.ts';
import {compileProfile} from '../profile/compile-profile.ts';
import {createHostFiles} from '../profile/host-files.ts';
import type {ProfileInput} from '../profile/profile-input.ts';
import {UnreadablePath} from '../profile/unreadable-path.ts';
import {globMatcher} from '../testing/glob-matcher.fixture.ts';
import {lookAfterCall, type LookFindings} from './look-after-call.ts';
import {valueOf} from '../testing/value-of.fixture.ts';

let root: string;

beforeEach(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), 'look-')));
  put('work/file');
});
afterEach(() => rmSync(root, {recursive: true, force: true}));

function put(path: string, text = 'x'): void {
  mkdirSync(dirname(join(root, path)), {recursive: true});
  writeFileSync(join(root, path), text);
}

function inputOf(parts: Partial<ProfileInput> = {}): ProfileInput {
  return {
    workspaceRoot: root,
    grant: {read: [], write: ['**'], network: {posture: 'off', allowlist_entries: []}},
    denyOverlays: [],
    home: '/nonexistent',
    runtimePaths: [],
    limits: {},
    env: {},
    compilePattern: globMatcher,
    files: createHostFiles(),
    ...parts,
  };
}

/** What the inspection finds after `write`. */
async function looked(write: () => void, named: readonly string[] = []): Promise<LookFindings> {
  const profile = inputOf();
  const before = valueOf(await compileProfile(profile));
  write();
  return await lookAfterCall({
    profile,
    guarded: before.guarded,
    watched: before.watched,
    mayWrite: (path) => named.includes(path),
    keptIn: '.lumenflow/quarantine/call',
  });
}

const kept = (path: string): string => readFileSync(join(root, '.lumenflow/quarantine/call', path), 'utf8');

describe('what was planted', () => {
  test.each(['.envrc', 'new/.vscode/tasks.json', 'work/CLAUDE.md', 'a/b/.GIT/hooks/pre-commit', '.Vscode/x'])(
    '%s is moved away, and kept',
    async (path) => {
      const {planted} = await looked(() => put(path, 'planted'));
      expect(planted).toEqual([{path: expect.any(String)}]);
      expect(existsSync(join(root, path))).toBe(false);
      expect(kept(path)).toBe('planted');
    },
  );

  test('the mount point of a concurrent sandbox is removed and not counted; other empty files count as planted', async () => {
    const {planted} = await looked(() => {
      for (const name of ['.env', '.envrc', '.npmrc', '.yarnrc']) put(name, '');
      for (const name of ['.env', '.npmrc', '.yarnrc']) chmodSync(join(root, name), 0o444);
      linkSync(join(root, '.npmrc'), join(root, 'work/other'));
      chmodSync(join(root, '.yarnrc'), 0o4444);
    });
    expect(planted).toEqual([{path: '.envrc'}, {path: '.npmrc'}, {path: '.yarnrc'}]);
    expect(existsSync(join(root, '.env'))).toBe(false);
    expect(existsSync(join(root, '.lumenflow/quarantine/call/.env'))).toBe(false);
  });

  test('files that a scope names stay', async () => {
    expect(await looked(() => put('.envrc'), ['.envrc'])).toMatchObject({planted: []});
    expect(existsSync(join(root, '.envrc'))).toBe(true);
  });

  test('a bare repository is a repository in any directory', async () => {
    const {planted} = await looked(() => {
      put('sub/HEAD', 'ref: refs/heads/main\n');
      put('sub/objects/x');
      put('sub/refs/x');
      put('sub/config', '[core]\n\tfsmonitor = evil\n');
    });
    expect(planted).toEqual([{path: 'sub/config'}]);
  });

  test('third-party packages can contain settings, but no repository', async () => {
    const {planted} = await looked(() => {
      put('node_modules/m/.github/workflows/ci.yml');
      put('lib/python3/site-packages/m/CLAUDE.md');
      put('vendor/m/.vscode/settings.json');
      put('node_modules/m/.git/config');
    });
    expect(planted).toEqual([{path: 'node_modules/m/.git/config'}]);
  });

  test('a folder whose name is not UTF-8 is inspected like any other', async () => {
    const folder = Buffer.concat([Buffer.from(`${root}/odd`), Buffer.of(0xff)]);
    const {planted} = await looked(() => {
      mkdirSync(folder);
      writeFileSync(Buffer.concat([folder, Buffer.from('/.envrc')]), 'planted');
    });
    expect(planted).toHaveLength(1);
    expect(readdirSync(folder)).toEqual([]);
  });
});

describe('trusted symlinks', () => {
  test('are restored, and their replacements are kept', async () => {
    put('ops/envrc', 'ours');
    symlinkSync('ops/envrc', join(root, '.envrc'));
    const {restored, planted} = await looked(() => {
      unlinkSync(join(root, '.envrc'));
      put('.envrc', 'planted');
    });
    expect({restored, planted}).toEqual({restored: [{path: '.envrc'}], planted: []});
    expect(readlinkSync(join(root, '.envrc'))).toBe('ops/envrc');
    expect(kept('.envrc')).toBe('planted');
  });

  test('a new target is planted too', async () => {
    symlinkSync('ops/envrc', join(root, '.envrc'));
    const {planted} = await looked(() => put('ops/envrc', 'planted'));
    expect(planted).toEqual([{path: 'ops/envrc'}]);
  });

  test('a link in the middle of the way is watched like the first', async () => {
    put('ops/envrc', 'ours');
    put('work/evil', 'planted');
    symlinkSync('ops/envrc', join(root, 'middle'));
    symlinkSync('middle', join(root, '.envrc'));
    const {restored} = await looked(() => {
      unlinkSync(join(root, 'middle'));
      symlinkSync('work/evil', join(root, 'middle'));
    });
    expect(restored).toEqual([{path: 'middle'}]);
    expect(readlinkSync(join(root, 'middle'))).toBe('ops/envrc');
  });
});

describe('a directory that cannot be inspected', () => {
  /** As the system answers a user without permission to list it; root may list everything. */
  function refusing(directory: string, code: string): ProfileInput['files'] {
    const files = createHostFiles();
    return {
      ...files,
      entries: (path) => {
        if (path === directory) throw new UnreadablePath(path, code);
        return files.entries(path);
      },
    };
  }

  test.each([
    {read: ['**'], write: []},
    {read: [], write: ['**']},
  ])('refuses a profile: %o', async ({read, write}) => {
    const grant = {...inputOf().grant, read, write};
    const files = refusing(join(root, 'work'), 'EACCES');
    expect(await compileProfile(inputOf({grant, files}))).toEqual(
      failed(expect.stringMatching(/work` cannot be inspected \(EACCES\): .*chmod u\+rwx/)),
    );
  });

  test('is opened again after a call, and its modes above stay', async () => {
    const files = createHostFiles();
    const locked = join(root, 'new/inner');
    const {reopened, planted} = await (async () => {
      const profile = inputOf();
      put('new/inner/.envrc', 'planted');
      chmodSync(locked, 0o311);
      let isLocked = true;
      const found = await lookAfterCall({
        profile: {
          ...profile,
          files: {
            ...files,
            entries: (path) => {
              if (path === locked && isLocked) {
                isLocked = false;
                throw new UnreadablePath(path, 'EACCES');
              }
              return files.entries(path);
            },
          },
        },
        guarded: [],
        watched: [],
        mayWrite: () => false,
        keptIn: '.lumenflow/quarantine/call',
      });
      return found;
    })();
    expect({reopened, planted}).toEqual({reopened: ['new/inner'], planted: [{path: 'new/inner/.envrc'}]});
    expect((statSync(locked).mode & 0o777).toString(8)).toBe('711');
  });

  test('is moved away whole if unlocking does not help', async () => {
    const locked = join(root, 'new');
    put('new/x/.envrc');
    const {unlistable} = await lookAfterCall({
      profile: inputOf({files: refusing(locked, 'EIO')}),
      guarded: [],
      watched: [],
      mayWrite: () => false,
      keptIn: '.lumenflow/quarantine/call',
    });
    expect(unlistable).toEqual([{path: 'new'}]);
    expect(lstatSync(join(root, '.lumenflow/quarantine/call/new')).isDirectory()).toBe(true);
  });
});
