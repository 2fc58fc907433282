// Runs one attempt of the probe in a thread.
import type {Invocation, WireMessage, WireRequest} from '@lumenflow/schemas';
import type {StartedRunner} from '../../backends/sandbox-backend.ts';
import {converse} from '../../execution/converse.ts';
import type {ThreadLimits} from '../thread-messages.ts';
import {attemptLimits, type Attempt, type ModuleOutcome} from './attempts.ts';

export type ServeModule = (limits: ThreadLimits) => StartedRunner;

/** The longest that an attempt runs. */
const attemptMs = 5000;
const lookMs = 5;

/** `path`: the module of the attempt. */
export async function runAttempt(
  {isGranted, isEndless}: Attempt,
  path: string,
  serve: ServeModule,
): Promise<ModuleOutcome> {
  const runner = serve(attemptLimits);
  const {wire, meter, stdout, stderr} = runner;
  let printedBytes = 0;
  stdout?.on('data', (chunk: Uint8Array) => (printedBytes += chunk.length));
  stderr?.resume();
  if (wire === undefined) throw new Error('a thread has a wire');
  const startedAt = performance.now();
  let cpuMs = 0;
  const watch = setInterval(() => {
    cpuMs = Math.max(cpuMs, meter?.read()?.cpuMs ?? 0);
    if ((isEndless && cpuMs > 0) || performance.now() - startedAt > attemptMs) runner.kill();
  }, lookMs);
  const {verdict} = converse(wire, invocation(path), (message, reply) => {
    if (message.type === 'request') void reply(answer(message, isGranted === true));
  });
  const result = await verdict;
  clearInterval(watch);
  runner.kill();
  const {signal} = await runner.ended;
  const error = result.kind === 'output' ? result.output.error : undefined;
  return {
    exitCode: error?.details?.['exit_code'],
    code: error?.code,
    ranOutOfMemory: meter?.ranOutOfMemory() ?? false,
    memoryBytes: meter?.read()?.peakMemoryBytes ?? 0,
    cpuMs,
    printedBytes,
    isKilled: signal === 'SIGKILL',
  };
}

function answer({id, method}: WireRequest, isGranted: boolean): WireMessage {
  if (!isGranted) return {type: 'response', id, error: {code: 'SCOPE_DENIED', message: 'not granted'}};
  const value = method === 'fs_stat' ? {stat: {kind: 'file', size: 0, mtime_ms: 0}} : {content_base64: ''};
  return {type: 'response', id, value};
}

function invocation(path: string): Invocation {
  return {
    protocol: 1,
    tool_name: 'probe:attempt',
    handler_entry: `${path}#run`,
    input: {},
    scope_enforced: {read: [], write: [], network: {posture: 'off', allowlist_entries: []}},
    receipt_id: 'probe',
    task_id: 'probe',
    run_id: 'probe',
    session_id: 'probe',
    lane_id: 'probe',
    workspace_root: '/',
    config: {},
    env: {},
  };
}
