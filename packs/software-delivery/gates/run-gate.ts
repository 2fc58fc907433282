// Runs one gate's command in the call's sandbox.
import type {ToolContext} from '@lumenflow/pack-sdk';
import {tailOf, type GateResult} from './gate-report.ts';
import type {Gate} from './plan-gates.ts';

const tailCharsMax = 4000;

export async function runGate(context: Pick<ToolContext, 'exec'>, gate: Gate): Promise<GateResult> {
  const {name, command, optional} = gate;
  const startedAt = performance.now();
  // Both streams in one, so that the tail has messages in the order in which they were written.
  const result = await context.exec('sh', ['-c', `exec 2>&1\n${command}`], {
    timeout_ms: gate.timeout_ms,
    max_bytes: 8 * 1024 * 1024,
    env: {CI: 'true', NO_COLOR: '1'},
  });
  return {
    name,
    command,
    optional,
    passed: result.exit_code === 0 && !result.timed_out,
    exit_code: result.timed_out ? null : result.exit_code,
    duration_ms: Math.round(performance.now() - startedAt),
    output_tail: tailOf(plainText(result.stdout + result.stderr), tailCharsMax),
    ...(result.timed_out && {timed_out: true as const}),
  };
}

export function skippedGate({name, command, optional}: Gate): GateResult {
  return {name, command, optional, passed: false, exit_code: null, duration_ms: 0, output_tail: '', skipped: true};
}

/** Without escape sequences and control characters, of a line that was redrawn only the last state. */
function plainText(text: string): string {
  return text
    .replaceAll(/\u001B(?:\[[0-?]*[ -/]*[@-~]|\][^\u0007\u001B]*(?:\u0007|\u001B\\)?|[@-Z\\-_])/g, '')
    .replaceAll('\r\n', '\n')
    .replaceAll(/[^\n]*\r/g, '')
    .replaceAll(/[\u0000-\u0008\u000B-\u001F\u007F]/g, '')
    .trimEnd();
}
