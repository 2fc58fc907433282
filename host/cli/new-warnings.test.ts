import type {Problem} from '@lumenflow/kernel';
import {mkdtempSync, rmSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {expect, onTestFinished, test} from 'vitest';
import {newWarnings} from './new-warnings.ts';

const problem = (code: string, message: string): Problem => ({code, severity: 'warning', message, where: 'w.yaml:1:1'});
const [unpinned, other] = [problem('PACK_NOT_PINNED', '`notes` is not pinned'), problem('OTHER', 'something else')];

test('packs that are not pinned are reported once, and again after a change; other warnings always', () => {
  const root = mkdtempSync(join(tmpdir(), 'lumenflow-warnings-'));
  onTestFinished(() => rmSync(root, {recursive: true}));
  expect(newWarnings(root, [unpinned, other])).toEqual([unpinned, other]);
  expect(newWarnings(root, [unpinned, other])).toEqual([other]);
  expect(newWarnings(root, [other])).toEqual([other]);
  const second = problem('PACK_NOT_PINNED', '`letters` is not pinned');
  expect(newWarnings(root, [unpinned, second])).toEqual([unpinned, second]);
});

test('are reported each time where the notice cannot be written', () => {
  const file = join(import.meta.dirname, 'new-warnings.ts');
  expect(newWarnings(file, [unpinned])).toEqual([unpinned]);
  expect(newWarnings(file, [unpinned])).toEqual([unpinned]);
});
