// The form with a real editor process: a script that changes the file, one step a run.
import type {RegisteredTool} from '@lumenflow/kernel';
import {chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {afterEach, beforeEach, expect, test} from 'vitest';
import type {CliContext, Outcome} from '../command.ts';
import {callByForm} from './call-by-form.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'form-'));
});
afterEach(() => rmSync(folder, {recursive: true, force: true}));

const properties = {title: {type: 'string'}, size: {type: 'integer'}};
const tool = {
  name: 'wu:create',
  declaration: {name: 'wu:create', input_schema: {type: 'object', required: ['title'], properties}},
  validateInput: (input: {readonly size?: unknown}) =>
    typeof input.size === 'string' ? [{pointer: '/size', message: '`size` must be an integer'}] : [],
} as unknown as RegisteredTool;

/** Each run of the editor keeps what it was shown, and executes the next step on the file `$1`. */
async function play(steps: readonly string[], replies: readonly (string | undefined)[]) {
  const script = join(folder, 'editor');
  const cases = steps.map((step, at) => `${at + 1}) ${step} ;;`).join('\n');
  const count = `n=$(($(ls ${folder} | grep -c shown) + 1)); cp "$1" ${folder}/shown-$n`;
  writeFileSync(script, `#!/bin/sh\n${count}\ncase $n in\n${cases}\n*) exit 9 ;;\nesac\n`);
  chmodSync(script, 0o755);
  const inputs: unknown[] = [];
  const context = {env: {EDITOR: script, PATH: process.env['PATH']}, cwd: folder, signal: new AbortController().signal};
  const outcome = callByForm(context as unknown as CliContext, {
    tool,
    given: {},
    call: async (input): Promise<Outcome> => {
      const code = replies[inputs.push(input) - 1];
      return {data: {}, ...(code !== undefined && {failure: {code, message: 'it is wrong'}})};
    },
  });
  const result = await outcome.catch((error: unknown) => error);
  return {result, inputs, shown: (run: number) => readFileSync(join(folder, `shown-${run}`), 'utf8')};
}

test('mistakes of the form and of the tool open the editor again, with the text as written', async () => {
  const {result, inputs, shown} = await play(
    [
      'printf "title: Räume\\nsize: x\\n" > "$1"',
      'sed -i "s/^size: x/size: 3/" "$1"',
      'sed -i "s/^size: 3/size: 4/" "$1"',
    ],
    ['SPEC_INVALID', undefined],
  );
  expect(result).toEqual({data: {}});
  expect(inputs).toEqual([
    {title: 'Räume', size: 3},
    {title: 'Räume', size: 4},
  ]);
  expect(shown(2)).toMatch(/^# ✘ `size` must be an integer\n[^]*title: Räume\nsize: x\n$/u);
  expect(shown(3)).toMatch(/^# ✘ SPEC_INVALID it is wrong\n/u);
  expect(shown(3)).not.toContain('must be an integer');
});

test('an unchanged form ends with its mistakes, and an empty one cancels', async () => {
  const unchanged = await play(['echo "title: Abc" > "$1"', 'true'], ['LANE_UNKNOWN']);
  expect(unchanged.result).toMatchObject({failure: {code: 'LANE_UNKNOWN'}});
  rmSync(join(folder, 'shown-1'));
  rmSync(join(folder, 'shown-2'));
  expect((await play([': > "$1"'], [])).result).toMatchObject({code: 'CANCELLED'});
});

test('a decision of a policy ends it, and so does a failing editor', async () => {
  const denied = await play(['echo "title: Abc" > "$1"'], ['POLICY_DENIED']);
  expect(denied.result).toMatchObject({failure: {code: 'POLICY_DENIED'}});
  rmSync(join(folder, 'shown-1'));
  expect((await play(['exit 3'], [])).result).toMatchObject({code: 'EDITOR_FAILED'});
});
