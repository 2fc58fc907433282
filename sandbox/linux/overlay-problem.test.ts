// Hidden paths are checked where they are mounted from, which on a worker is elsewhere than where they appear.
import type {SandboxProfile} from '@lumenflow/schemas';
import {expect, test} from 'vitest';
import {memoryHostFiles} from '../testing/memory-host-files.fixture.ts';
import {overlayProblem} from './overlay-problem.ts';

const mountsFrom = (source: string): Parameters<typeof overlayProblem>[0] => ({
  readonly_bind_mounts: [{source: `${source}/docs`, target: '/w/docs'}],
  writable_bind_mounts: [{source, target: '/w'}],
  deny_overlays: [{path: '/w/.env', kind: 'file'}] satisfies SandboxProfile['deny_overlays'],
});

test('what is hidden exists where its mount is from', () => {
  expect(overlayProblem(mountsFrom('/w'), memoryHostFiles(['/w/.env']))).toBeUndefined();
  expect(overlayProblem(mountsFrom('/files/w'), memoryHostFiles(['/files/w/.env']))).toBeUndefined();
});

test('what has gone, has become a symlink or is of another kind is reported by the path that is hidden', () => {
  const elsewhere = memoryHostFiles(['/w/.env', '/files/w/']);
  expect(overlayProblem(mountsFrom('/files/w'), elsewhere)).toMatch(/the hidden path `\/w\/.env` no longer exists/);
  const linked = memoryHostFiles(['/files/w/.env -> /etc/passwd', '/etc/passwd']);
  expect(overlayProblem(mountsFrom('/files/w'), linked)).toMatch(/now contains a symlink/);
  const directory = memoryHostFiles(['/files/w/.env/']);
  expect(overlayProblem(mountsFrom('/files/w'), directory)).toBe('`/w/.env` is no longer a file');
});

test('the innermost mount decides', () => {
  const profile = {...mountsFrom('/w'), deny_overlays: [{path: '/w/docs/key', kind: 'file' as const}]};
  const mounts = {...profile, readonly_bind_mounts: [{source: '/elsewhere', target: '/w/docs'}]};
  expect(overlayProblem(mounts, memoryHostFiles(['/elsewhere/key']))).toBeUndefined();
  expect(overlayProblem(mounts, memoryHostFiles(['/w/docs/key']))).toMatch(/no longer exists/);
});
