import {mkdirSync, mkdtempSync, rmSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {afterEach, beforeEach, expect, test} from 'vitest';
import {findLanguageSettings} from './language-settings.ts';

let etc: string;
beforeEach(() => {
  etc = mkdtempSync(join(tmpdir(), 'lumenflow-etc-'));
});
afterEach(() => rmSync(etc, {recursive: true}));

test('finds the settings that each version of Java and PHP needs, and no others', () => {
  const folders = [
    'java-17-openjdk/security',
    'java-17-openjdk/management',
    'java-ours/security',
    'php/8.2/cli/conf.d',
    'php/8.2/fpm/conf.d',
    'php/8.2/mods-available',
    'php/8.3/mods-available',
    'ssl/private',
  ];
  for (const folder of folders) mkdirSync(join(etc, folder), {recursive: true});
  expect(findLanguageSettings(etc).toSorted()).toEqual(
    ['java-17-openjdk/security', 'php/8.2/cli/conf.d', 'php/8.2/mods-available', 'php/8.3/mods-available'].map((path) =>
      join(etc, path),
    ),
  );
});

test('finds nothing if neither is installed', () => {
  expect(findLanguageSettings(etc)).toEqual([]);
  expect(findLanguageSettings(join(etc, 'none'))).toEqual([]);
});
