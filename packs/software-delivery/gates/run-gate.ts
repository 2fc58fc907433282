// Runs one gate in a copy of the tree: its command, or a check of the coverage that earlier gates measured.
import {readFile} from 'node:fs/promises';
import {join} from 'node:path';
import type {ToolContext} from '@lumenflow/pack-sdk';
import {tailOf, type GateResult} from './gate-report.ts';
import type {Gate} from './plan-gates.ts';
import {readCoverage} from './read-coverage.ts';

const tailCharsMax = 4000;

/** Makes git in a gate accept the repository's owner, for any user of the sandbox. */
const environment: Readonly<Record<string, string>> = {
  CI: 'true',
  NO_COLOR: '1',
  GIT_CONFIG_COUNT: '1',
  GIT_CONFIG_KEY_0: 'safe.directory',
  GIT_CONFIG_VALUE_0: '*',
};

// Merges both streams, so that the output has the messages in their original order.
const inCopy = 'cd -- "$1" && exec 2>&1 && exec sh -c "$2"';

/** `copy` is the absolute path of the tree's copy. */
export async function runGate(context: Pick<ToolContext, 'exec'>, gate: Gate, copy: string): Promise<GateResult> {
  if (gate.coverage !== undefined) return await checkCoverage(gate, gate.coverage, copy);
  const startedAt = performance.now();
  const result = await context.exec('sh', ['-c', inCopy, 'sh', copy, gate.command], {
    timeout_ms: gate.timeout_ms,
    max_bytes: 8 * 1024 * 1024,
    env: environment,
  });
  return {
    ...wordsOf(gate),
    passed: result.exit_code === 0 && !result.timed_out,
    exit_code: result.timed_out ? null : result.exit_code,
    duration_ms: Math.round(performance.now() - startedAt),
    output_tail: tailOf(plainText(result.stdout + result.stderr), tailCharsMax),
    ...(result.timed_out && {timed_out: true as const}),
  };
}

type Unrun = Pick<GateResult, 'skipped' | 'not_triggered' | 'cached_from' | 'waived'>;

/** The result of a gate that did not run, with the reason. */
export function unrunGate(gate: Gate, why: Unrun): GateResult {
  const passed = why.not_triggered === true || why.cached_from !== undefined;
  return {...wordsOf(gate), passed, exit_code: null, duration_ms: 0, output_tail: '', ...why};
}

function wordsOf({
  name,
  command,
  optional,
  guidance,
}: Gate): Pick<GateResult, 'name' | 'command' | 'optional' | 'guidance'> {
  return {name, command, optional, ...(guidance !== undefined && {guidance})};
}

async function checkCoverage(
  gate: Gate,
  {min, report}: NonNullable<Gate['coverage']>,
  copy: string,
): Promise<GateResult> {
  const text = await readFile(join(copy, report), 'utf8').catch(() => undefined);
  const percent = text === undefined ? undefined : readCoverage(text);
  const missing = text === undefined ? 'no gate wrote it' : 'its coverage format is unknown';
  const said = percent === undefined ? missing : `${percent.toFixed(2)} % of lines`;
  return {
    ...wordsOf(gate),
    passed: percent !== undefined && percent >= min,
    exit_code: null,
    duration_ms: 0,
    output_tail: `${report}: ${said}`,
  };
}

/** Removes escape sequences and control characters. Of a redrawn line, keeps only the last state. */
function plainText(text: string): string {
  return text
    .replaceAll(/\u001B(?:\[[0-?]*[ -/]*[@-~]|\][^\u0007\u001B]*(?:\u0007|\u001B\\)?|[@-Z\\-_])/g, '')
    .replaceAll('\r\n', '\n')
    .replaceAll(/[^\n]*\r/g, '')
    .replaceAll(/[\u0000-\u0008\u000B-\u001F\u007F]/g, '')
    .trimEnd();
}
