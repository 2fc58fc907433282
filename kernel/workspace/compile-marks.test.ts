import type {PackPin} from '@lumenflow/schemas';
import {expect, test} from 'vitest';
import type {LoadedPack, LoadedTool} from '../packs/loaded-pack.ts';
import {policyPorts} from '../policy/policy-ports.fixture.ts';
import {compileMarks, type MarksSource} from './compile-marks.ts';

function packOf(source: PackPin['source'], names: readonly string[]): LoadedPack {
  const tools = names.map((name) => ({declaration: {name}}) as LoadedTool);
  return {pin: {id: 'x', version: '1.0.0', integrity: 'dev', source}, tools} as unknown as LoadedPack;
}

function compile(marks: MarksSource['marks'], pack: LoadedPack) {
  const compiled = compileMarks({marks, packs: [pack], where: (index) => `at ${index}`, ...policyPorts});
  return {problems: compiled.problems, of: pack.tools.map((tool) => compiled.of(pack, tool))};
}

test.each([
  ['mcp', 'untrusted'],
  ['openapi', 'untrusted'],
  ['grpc', 'untrusted'],
  ['npm', undefined],
  ['local', undefined],
] as const)('a tool of source %s is %s by default', (source, expected) => {
  expect(compile([], packOf(source, ['a:b'])).of).toEqual([{source: expected, sink: undefined}]);
});

test('the last entry decides, each mark by itself', () => {
  const marks: MarksSource['marks'] = [
    {tool: 'a:*', source: 'trusted', sink: 'external'},
    {tool: 'a:c', sink: 'none'},
    {tool: ['a:c', 'a:d'], source: 'untrusted'},
  ];
  expect(compile(marks, packOf('mcp', ['a:b', 'a:c'])).of).toEqual([
    {source: 'trusted', sink: 'external'},
    {source: 'untrusted', sink: undefined},
  ]);
});

test('a mark that fits no tool is reported', () => {
  expect(compile([{tool: 'b:*', sink: 'external'}], packOf('npm', ['a:b'])).problems).toMatchObject([
    {code: 'POLICY_MARK_UNUSED', severity: 'warning', where: 'at 0', message: 'no tool fits the mark of `b:*`'},
  ]);
});
