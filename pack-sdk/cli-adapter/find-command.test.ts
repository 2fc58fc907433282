import {basename, dirname} from 'node:path';
import {expect, test} from 'vitest';
import {findCommand} from './find-command.ts';

test('a native program is not loaded as a script', () => {
  const script = basename(process.execPath);
  const folders = {workspaceRoot: dirname(process.execPath), root: '.'};
  const native = `the script \`${script}\` is a native program and not JavaScript: run it with \`context.exec\``;
  expect(findCommand('node', {script}, folders)).toBe(native);
});

test('JavaScript is', () => {
  const folders = {workspaceRoot: import.meta.dirname, root: '.'};
  const path = `${import.meta.dirname}/find-command.ts`;
  expect(findCommand('find', {script: 'find-command.ts'}, folders)).toEqual({kind: 'script', path});
});
