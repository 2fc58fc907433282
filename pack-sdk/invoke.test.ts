import {fileURLToPath} from 'node:url';
import type {ToolOutput} from '@lumenflow/schemas';
import type {StandardSchemaV1} from '@standard-schema/spec';
import {describe, expect, test} from 'vitest';
import {defineTool, type ToolHandler} from './define-tool.ts';
import {invocation, memoryHome, run} from './fixtures/memory-home.ts';
import {invoke} from './invoke.ts';
import {ToolError} from './tool-error.ts';

/** A Standard Schema that takes what `check` accepts. */
function schema<T>(
  check: (value: unknown) => {value: T} | {issues: StandardSchemaV1.Issue[]},
): StandardSchemaV1<unknown, T> {
  return {'~standard': {version: 1, vendor: 'test', validate: async (value) => check(value)}};
}

describe('finding the handler', () => {
  const fixture = fileURLToPath(new URL('./fixtures/greet.mjs', import.meta.url));

  test('imports a module from its absolute path and calls a plain function', async () => {
    const output = await invoke(invocation({handler_entry: `${fixture}#greet`}), memoryHome());
    expect(output).toEqual({success: true, data: {greeting: 'Hello, Ada'}});
  });

  test.each([
    [`${fixture}#gone`, 'it exports `greet`, `version`'],
    [`${fixture}#version`, 'neither a tool made by defineTool nor a function'],
    [`${fixture}#toString`, 'has no export `toString`'],
    [`${fixture}.missing#greet`, 'cannot be imported'],
    [fixture, 'not of the form path#export'],
    [`${fixture}#`, 'not of the form path#export'],
  ])('%s: TOOL_EXECUTION_FAILED', async (handler_entry, message) => {
    const output = await invoke(invocation({handler_entry}), memoryHome());
    expect(output).toMatchObject({success: false, error: {code: 'TOOL_EXECUTION_FAILED'}});
    expect(output.error?.message).toContain(message);
  });

  test('a module that throws while it loads is reported with its message', async () => {
    const importModule = async (): Promise<never> => {
      throw new Error('boom at load');
    };
    const output = await invoke(invocation(), {...memoryHome(), importModule});
    expect(output.error?.message).toContain('boom at load');
    expect(output.error?.details?.['stack']).toContain('boom at load');
  });
});

describe('schemas', () => {
  const name = schema<{name: string}>((value) => {
    const given = (value as {name?: unknown}).name;
    return typeof given === 'string'
      ? {value: {name: given.trim()}}
      : {issues: [{message: 'not a string', path: ['name']}]};
  });

  test('the handler gets what the config schema made of the config', async () => {
    const config = schema<{colour: string}>((value) => {
      const {colour} = value as {colour?: string};
      return colour === 'red' ? {value: {colour: 'RED'}} : {issues: [{message: 'not red', path: ['colour']}]};
    });
    const tool = defineTool({config, run: (_input, ctx) => ctx.config.colour});
    expect(await run(tool)).toEqual({success: true, data: 'RED'});
    expect(await run(tool, memoryHome(), {config: {colour: 'blue'}})).toMatchObject({
      success: false,
      error: {
        code: 'INVALID_CONFIG',
        message: "the config does not match the tool's config schema: at /colour: not red",
      },
    });
  });

  test('the handler gets what the input schema made of the input', async () => {
    const tool = defineTool({input: name, run: (input) => input.name});
    expect(await run(tool, memoryHome(), {input: {name: '  Ada '}})).toEqual({success: true, data: 'Ada'});
  });

  test('issues of the input are INVALID_INPUT and the handler does not run', async () => {
    let ran = false;
    const tool = defineTool({input: name, run: () => (ran = true)});
    const output = await run(tool, memoryHome(), {input: {name: 7}});
    expect(output.error).toMatchObject({
      code: 'INVALID_INPUT',
      details: {issues: [{pointer: '/name', message: 'not a string'}]},
    });
    expect(ran).toBe(false);
  });

  test('issues of the output are INVALID_OUTPUT', async () => {
    const tool = defineTool({output: name, run: () => ({name: 1}) as unknown as {name: string}});
    expect((await run(tool)).error?.code).toBe('INVALID_OUTPUT');
  });

  test('a failure that the handler returns is not validated against the output schema', async () => {
    const failure: ToolOutput = {success: false, error: {code: 'NOPE', message: 'no'}};
    const tool: ToolHandler<unknown, {name: string}> = {output: name, run: () => failure};
    expect(await run(defineTool(tool))).toEqual(failure);
  });
});

describe('outcomes', () => {
  test.each<[string, () => unknown, ToolOutput]>([
    ['nothing', () => undefined, {success: true}],
    ['a value', () => [1, 'two'], {success: true, data: [1, 'two']}],
    ['an output', () => ({success: true, data: 1, metadata: {a: 1}}), {success: true, data: 1, metadata: {a: 1}}],
    ['a look-alike with other keys', () => ({success: true, rows: 3}), {success: true, data: {success: true, rows: 3}}],
    ['a look-alike failure without an error', () => ({success: false}), {success: true, data: {success: false}}],
    ['a look-alike whose success is inherited', () => Object.create({success: true}), {success: true, data: {}}],
  ])('%s', async (_name, tool, expected) => {
    expect(await run(tool)).toEqual(expected);
  });

  test('a ToolError gives its code, message and details', async () => {
    const output = await run(() => {
      throw new ToolError('QUOTA_SPENT', 'come back tomorrow', {left: 0});
    });
    expect(output).toEqual({
      success: false,
      error: {code: 'QUOTA_SPENT', message: 'come back tomorrow', details: {left: 0}},
    });
  });

  test('a ToolError with an invalid code is TOOL_EXECUTION_FAILED', async () => {
    const output = await run(() => {
      throw new ToolError('not a code', 'hm', {left: 1n});
    });
    expect(output.error).toMatchObject({code: 'TOOL_EXECUTION_FAILED', message: 'hm'});
    expect(output.error?.details?.['not_json']).toContain('/left');
  });

  test('any other throw keeps its message and stack', async () => {
    const output = await run(async () => {
      throw new TypeError('x is not a function');
    });
    expect(output.error).toMatchObject({code: 'TOOL_EXECUTION_FAILED', message: 'x is not a function'});
    expect(output.error?.details?.['stack']).toContain('invoke.test');
  });

  test('an error made of several ends with the reason of the first', async () => {
    const output = await run(() =>
      Promise.any([Promise.reject(new Error('no route')), Promise.reject(new Error('b'))]),
    );
    expect(output.error?.message).toBe('All promises were rejected: no route');
    const none = await run(() => Promise.any([]));
    expect(none.error?.message).toBe('All promises were rejected');
  });

  test('a thrown value that is not an error is shown', async () => {
    const output = await run(() => {
      throw {reason: 'because'} as unknown;
    });
    expect(output.error?.message).toBe('the handler threw `{"reason":"because"}`');
  });

  test('a value that is not JSON is INVALID_OUTPUT and says where', async () => {
    const output = await run(() => ({rows: [{at: 1n}]}));
    expect(output.error).toMatchObject({
      code: 'INVALID_OUTPUT',
      details: {issues: [{pointer: '/data/rows/0/at', message: 'bigint is not a JSON value'}]},
    });
  });
});
