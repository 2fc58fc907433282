// Authors write schemas with a library of their choice: a tool's types follow from them, and they are validated at run time.
// The types are checked when this file is compiled.
import {defineTool, type ToolContext} from '@lumenflow/pack-sdk';
import {runTool} from '@lumenflow/pack-sdk/testing';
import {type} from 'arktype';
import * as v from 'valibot';
import {describe, expect, expectTypeOf, test} from 'vitest';
import {z} from 'zod';

interface Input {
  name: string;
  times: number;
}
interface Output {
  greeting: string;
}

const withZod = defineTool({
  input: z.object({name: z.string().min(1), times: z.number().default(1)}),
  output: z.object({greeting: z.string().max(20)}),
  config: z.object({greeting: z.string()}),
  run(input, context) {
    expectTypeOf(input).toEqualTypeOf<Input>();
    expectTypeOf(context).toEqualTypeOf<ToolContext<{greeting: string}>>();
    return {greeting: `${context.config.greeting} ${input.name}`.repeat(input.times)};
  },
});

const withValibot = defineTool({
  input: v.object({name: v.pipe(v.string(), v.minLength(1)), times: v.optional(v.number(), 1)}),
  output: v.object({greeting: v.pipe(v.string(), v.maxLength(20))}),
  config: v.object({greeting: v.string()}),
  run(input, context) {
    expectTypeOf(input).toEqualTypeOf<Input>();
    expectTypeOf(context).toEqualTypeOf<ToolContext<{greeting: string}>>();
    return {greeting: `${context.config.greeting} ${input.name}`.repeat(input.times)};
  },
});

const withArktype = defineTool({
  input: type({name: 'string >= 1', times: 'number = 1'}),
  output: type({greeting: 'string <= 20'}),
  config: type({greeting: 'string'}),
  run(input, context) {
    expectTypeOf(input).toEqualTypeOf<Input>();
    expectTypeOf(context).toEqualTypeOf<ToolContext<{greeting: string}>>();
    return {greeting: `${context.config.greeting} ${input.name}`.repeat(input.times)};
  },
});

const config = {greeting: 'Hello'};

describe.each([
  ['zod', withZod],
  ['valibot', withValibot],
  ['arktype', withArktype],
])('a tool with schemas of %s', (_library, tool) => {
  test('gets its input with defaults filled in', async () => {
    const {output} = await runTool(tool, {name: 'Ada'}, {config});
    expect(output).toEqual({success: true, data: {greeting: 'Hello Ada'}});
    expectTypeOf(output.data).toEqualTypeOf<Output | undefined>();
  });

  test.each([
    ['input', {name: ''}, config, 'INVALID_INPUT: /name'],
    ['output', {name: 'Ada', times: 9}, config, 'INVALID_OUTPUT: /greeting'],
    ['config', {name: 'Ada'}, {greeting: 1}, 'INVALID_CONFIG: /greeting'],
  ])('refuses an %s that does not fit', async (_what, ...[input, given, reported]) => {
    const {output} = await runTool(tool, input, {config: given as typeof config});
    const issues = (output.error?.details?.['issues'] ?? []) as {pointer: string}[];
    expect(`${output.error?.code}: ${issues[0]?.pointer}`).toBe(reported);
  });
});

test('what does not fit the types does not compile', () => {
  const input = z.object({name: z.string()});
  const output = z.object({greeting: z.string()});
  // @ts-expect-error: the output has another type
  defineTool({input, output, run: ({name}) => ({greeting: name.length})});
  // @ts-expect-error: the input has no such key
  defineTool({input, run: ({nick}) => nick});
  // @ts-expect-error: the config has another type
  void runTool(withZod, {name: 'Ada'}, {config: {greeting: 1}});
  // Without schemas the types are what the author says.
  const plain = defineTool<Input, Output, {greeting: string}>({run: ({name}) => ({greeting: name})});
  expectTypeOf(plain.run).parameter(0).toEqualTypeOf<Input>();
});
