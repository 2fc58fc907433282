import {expect, test} from 'vitest';
import {whyNotAllowed} from './why-not-allowed.ts';

const files = {
  packed: {mounts: new Map<string, string>(), excluded: new Set(['/w/.lumenflow', '/w/.git/hidden'])},
  writable: ['/w/.git', '/w/out', '/w/.git/info/ours', '/w/.git/hidden/inner', '/w/both'],
  // The whole workspace can be read.
  sealed: ['/w', '/w/.git/info', '/w/.git/config', '/w/.git/hidden', '/w/.lumenflow', '/w/both'],
};
const whyNot = (path: string): string | undefined =>
  whyNotAllowed({path, kind: 'file', mode: 0o644, size: 1, mtime_ns: '1'}, files);

test.each(['/w/.git/HEAD', '/w/.git/logs/refs/heads/lane', '/w/out/a', '/w/.git/info/ours/a', '/w/.git/information'])(
  'a call may write `%s`, inside a directory that it may read',
  (path) => expect(whyNot(path)).toBeUndefined(),
);

test.each([
  '/w/a',
  '/w/outside',
  '/w/.git/config',
  '/w/.git/info',
  '/w/.git/info/exclude',
  '/w/.git/hidden/a',
  '/w/.git/hidden/inner/a',
  '/w/.lumenflow/cache',
  '/w/both',
  '/w/both/a',
  '/etc/passwd',
])('it may not write `%s`', (path) =>
  expect(whyNot(path)).toBe(`it reported a change of \`${path}\`, which it may not write`),
);
