import {mkdirSync, mkdtempSync, rmSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {afterEach, beforeEach, expect, test} from 'vitest';
import type {RegisteredTool} from '@lumenflow/kernel';
import type {Writes} from '@lumenflow/schemas';
import {changedDefaults} from './changed-defaults.ts';

let root: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'defaults-'));
});
afterEach(() => rmSync(root, {recursive: true, force: true}));

const tool = (name: string, writes?: Writes, scopes = 1): readonly [string, RegisteredTool] => {
  const registered = {name, declaration: {...(writes && {writes})}, scopes: {write: Array.from({length: scopes})}};
  return [name, registered as unknown as RegisteredTool];
};

/** The messages; undefined if an earlier start gave them. */
function start(tools: readonly (readonly [string, RegisteredTool])[], hears = true): readonly string[] | undefined {
  const report = changedDefaults(root);
  mkdirSync(join(root, '.lumenflow/kernel/evidence'), {recursive: true});
  const messages: string[] = [];
  const kernel = {
    workspace: {tools: new Map(tools)},
    writesOf: ({declaration}: RegisteredTool): Writes => (declaration.writes === 'direct' ? 'direct' : 'transactional'),
  };
  report?.(kernel, hears ? ({message}) => messages.push(message) : undefined);
  return report && messages;
}

test('a new workspace gets no notice, at any start', () => {
  expect(start([tool('a:b')])).toEqual([]);
  expect(start([tool('a:b')])).toBeUndefined();
});

test('one of an earlier version gets one notice, with the tools that write differently now', () => {
  mkdirSync(join(root, '.lumenflow/kernel/evidence'), {recursive: true});
  const many = Array.from({length: 6}, (_, index) => tool(`a:${index}`));
  expect(
    start([tool('a:direct', 'direct'), tool('a:said', 'transactional'), tool('a:reads', undefined, 0), ...many]),
  ).toEqual([expect.stringMatching(/transactional now.*\(`a:0`, `a:1`, `a:2`, `a:3`, `a:4` and 1 more\)$/u)]);
  expect(start(many)).toBeUndefined();
});

test('a start without a listener leaves it to the next one', () => {
  mkdirSync(join(root, '.lumenflow/kernel/evidence'), {recursive: true});
  expect(start([tool('a:b')], false)).toEqual([]);
  expect(start([tool('a:b')])).toHaveLength(1);
});

test('a new workspace that starts without a listener gets no notice later', () => {
  start([tool('a:b')], false);
  expect(start([tool('a:b')])).toBeUndefined();
});

test('there is no notice where all tools declare how they write', () => {
  mkdirSync(join(root, '.lumenflow/kernel/evidence'), {recursive: true});
  expect(start([tool('a:direct', 'direct')])).toEqual([]);
});
