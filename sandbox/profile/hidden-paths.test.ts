import {mkdtempSync, realpathSync, rmSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {expect, test, vi} from 'vitest';
import {globMatcher} from '../testing/glob-matcher.fixture.ts';
import {hiddenPaths} from './hidden-paths.ts';

test('what is kept for later hosts is hidden if temporary files lie in the workspace', () => {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'lumenflow-hidden-')));
  const cache = join(root, `lumenflow-guests-${process.geteuid?.() ?? 0}`);
  const covers = (workspaceRoot: string, path: string): boolean =>
    hiddenPaths({workspaceRoot, home: '/nonexistent', denyOverlays: [], compilePattern: globMatcher}).covers(path);
  vi.stubEnv('TMPDIR', root);
  expect(covers(root, join(cache, 'trial-1'))).toBe(true);
  expect(covers(root, join(root, 'lumenflow-other'))).toBe(false);
  expect(covers('/elsewhere', cache)).toBe(false);
  vi.unstubAllEnvs();
  expect(covers(root, cache)).toBe(false);
  rmSync(root, {recursive: true});
});
