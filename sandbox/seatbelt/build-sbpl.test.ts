// A text allows exactly what its profile means, for any tree and grant: the deepest mount over a path decides.
import * as fc from 'fast-check';
import {expect, test} from 'vitest';
import {failed} from '../outcome.ts';
import {compileProfile} from '../profile/compile-profile.ts';
import {isWithin} from '../profile/host-paths.ts';
import type {CompiledProfile} from '../profile/profile-input.ts';
import {globMatcher} from '../testing/glob-matcher.fixture.ts';
import {memoryHostFiles} from '../testing/memory-host-files.fixture.ts';
import {loadSbpl} from '../testing/sbpl/load-sbpl.fixture.ts';
import {buildSbpl} from './build-sbpl.ts';
import {valueOf} from '../testing/value-of.fixture.ts';

const root = '/Users/ada/project';
const temporaryFolder = '/private/tmp/call/tmp';

const name = fc.constantFrom(
  'a',
  'b',
  'é',
  'x y',
  'q"\\',
  '.git',
  'hooks',
  'config',
  '.env',
  '.lumenflow',
  '.npmrc',
  'K.s',
);
const path = fc.array(name, {minLength: 1, maxLength: 4}).map((names) => names.join('/'));
const pattern = fc.oneof(
  path,
  path.map((text) => `${text}/**`),
  fc.constantFrom('**', '*/**', '**/b', 'a/*', '**/hooks/**', '?'),
);
const patterns = fc.array(pattern, {maxLength: 4});
const scenario = fc.record({
  // One tree: no file is also a directory.
  tree: fc
    .array(path, {maxLength: 12})
    .map((paths) => paths.filter((one) => !paths.some((two) => two.startsWith(`${one}/`)))),
  read: patterns,
  write: patterns,
  denyOverlays: patterns,
  runtime: fc.option(path, {nil: undefined}),
  asked: fc.array(path, {minLength: 1, maxLength: 8}),
});

async function compile(given: typeof scenario extends fc.Arbitrary<infer T> ? T : never): Promise<CompiledProfile> {
  const {tree, read, write, denyOverlays, runtime} = given;
  const files = memoryHostFiles([`${root}/`, '/opt/node', ...tree.map((one) => `${root}/${one}`)]);
  const inside = runtime === undefined ? undefined : files.realPath(`${root}/${runtime}`);
  const compiled = valueOf(
    await compileProfile({
      workspaceRoot: root,
      grant: {read, write, network: {posture: 'off', allowlist_entries: []}},
      denyOverlays,
      home: '/Users/ada',
      runtimePaths: ['/opt/node', ...(inside === undefined ? [] : [inside])],
      limits: {},
      env: {},
      compilePattern: globMatcher,
      files,
    }),
  );
  return compiled;
}

/** As bubblewrap mounts it: of all that lies over a path the deepest, then the strictest. */
function meaning({profile}: CompiledProfile, asked: string): 'hidden' | 'read' | 'write' | 'nothing' {
  const over = [
    ...profile.writable_bind_mounts.map(({target}) => ({target, kind: 'write' as const, rank: 0})),
    ...profile.readonly_bind_mounts.map(({target}) => ({target, kind: 'read' as const, rank: 1})),
    ...profile.deny_overlays.map(({path: target}) => ({target, kind: 'hidden' as const, rank: 2})),
  ].filter(({target}) => isWithin(asked, target));
  return over.toSorted((a, b) => b.target.length - a.target.length || b.rank - a.rank)[0]?.kind ?? 'nothing';
}

/** Whether a pattern of what is hidden names a path or a directory it lies in. */
function isNamed({hiddenRules}: CompiledProfile, relative: string): boolean {
  const names = relative.split('/');
  const ways = names.map((_, index) => names.slice(0, index + 1).join('/'));
  return hiddenRules.patterns.some((text) => ways.some(globMatcher(text)));
}

test('only paths of the profile are allowed, in any notation', async () => {
  await fc.assert(
    fc.asyncProperty(scenario, async (given) => {
      const compiled = await compile(given);
      const text = valueOf(buildSbpl({compiled, temporaryFolder}));
      const decide = loadSbpl(text);
      for (const relative of [...given.asked, ...given.tree]) {
        const asked = `${root}/${relative}`;
        const means = meaning(compiled, asked);
        const reads = decide({operation: 'file-read-data', path: asked}) === 'allow';
        const writes = decide({operation: 'file-write-data', path: asked}) === 'allow';
        if (reads) expect([relative, ['read', 'write']]).toEqual([relative, expect.arrayContaining([means])]);
        if (writes) expect([relative, means]).toEqual([relative, 'write']);
        // What is there works as granted; what is not, or lies in the runner's own and matches an overlay, may be denied.
        if (given.tree.includes(relative) && !isNamed(compiled, relative)) {
          expect([relative, reads, writes]).toEqual([
            relative,
            means === 'read' || means === 'write',
            means === 'write',
          ]);
        }
        // The volume takes these for the same name where it is there.
        if (means === 'hidden') {
          for (const other of [relative.toUpperCase(), relative.normalize('NFD'), relative.replaceAll('K', '\u212a')]) {
            expect(decide({operation: 'file-read-data', path: `${root}/${other}`})).toBe('deny');
          }
        }
        for (const {target} of compiled.profile.writable_bind_mounts) {
          expect(decide({operation: 'file-write-unlink', path: target})).toBe('deny');
        }
      }
    }),
    {numRuns: 300},
  );
});

const empty = {
  profile: {
    readonly_bind_mounts: [],
    writable_bind_mounts: [{source: '/tmp/w', target: '/tmp/w'}],
    network_posture: 'off',
    network_allowlist: [],
    deny_overlays: [],
    env: {},
    limits: {},
    syscalls: 'standard',
  },
  workspaceRoot: '/System/Volumes/Data/Users/ada/project',
  watched: [],
  hiddenRules: {literals: [], patterns: []},
} satisfies Parameters<typeof buildSbpl>[0]['compiled'];

test('paths are written as the kernel writes them', () => {
  const text = valueOf(buildSbpl({compiled: empty, temporaryFolder: '/var/folders/x'}));
  expect(text).toContain('(subpath "/private/tmp/w")');
  expect(text).toContain('(subpath "/private/var/folders/x")');
  expect(text).toContain('(literal "/Users/ada/project")');
});

test.each(['/w/line\nbreak', '/w/null\0', '/w/\u001b[2J', '/w/\ufffd', '/w/\ud800'])('%j is refused', (target) => {
  const profile = {...empty.profile, writable_bind_mounts: [{source: target, target}]};
  expect(buildSbpl({compiled: {...empty, profile}, temporaryFolder: '/t'})).toEqual(
    failed(expect.stringContaining('contains characters')),
  );
});

test('an allowlist without a broker denies all connections', async () => {
  const compiled = {...empty, profile: {...empty.profile, network_posture: 'allowlist' as const}};
  const text = valueOf(buildSbpl({compiled, temporaryFolder: '/t'}));
  const decide = loadSbpl(text);
  const remote = {protocol: 'tcp', host: '127.0.0.1', port: 80} as const;
  expect(decide({operation: 'network-outbound', remote})).toBe('deny');
});
