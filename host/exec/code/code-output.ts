// The output of a call that ran code: what the code returned and printed, and what the host observed of it.
import type {CodeLimits, CodeReport, ToolFailure, ToolOutput} from '@lumenflow/schemas';
import type {Gateway} from './gateway/gateway.ts';
import {jsonOr} from './json-or.ts';
import type {EngineEnd} from './quickjs/engine-messages.ts';

export interface ObservedRun {
  readonly limits: Required<CodeLimits>;
  readonly gateway: Gateway;
  readonly wall_time_ms: number;
}

const notJson: unique symbol = Symbol('not JSON');
const invalid: ToolFailure = {code: 'INVALID_OUTPUT', message: 'the value of the code is not JSON'};

export function codeOutput(end: EngineEnd, {limits, gateway, wall_time_ms}: ObservedRun): ToolOutput {
  const {stdout, stderr, truncated} = end;
  const value = 'value' in end ? jsonOr(end.value, notJson) : null;
  const failure = 'failure' in end ? end.failure : value === notJson ? invalid : undefined;
  const output_bytes = 'value' in end ? Buffer.byteLength(end.value) : 0;
  const report: CodeReport = {
    value: failure ? null : value,
    stdout,
    stderr,
    ...(truncated && {truncated}),
    calls: gateway.calls.map((call) => ({...call})),
    limits,
    used: {tool_calls: gateway.made, wall_time_ms, output_bytes},
  };
  return failure ? {success: false, data: report, error: failure} : {success: true, data: report};
}
