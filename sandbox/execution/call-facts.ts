// What was observed of a call, from the outcome of its conversation.
import type {CallFacts} from '../backends/sandbox-call.ts';
import {outputOf, ranOutOfMemory, type EndedCall} from './call-output.ts';

export function callFacts(outcome: EndedCall): CallFacts {
  const {ended, stdout, stderr, usage} = outcome;
  return {
    output: outputOf(outcome),
    exitCode: ended.exitCode,
    ...(ended.signal === undefined ? {} : {signal: ended.signal}),
    ...(ended.lost === undefined ? {} : {lost: ended.lost}),
    timedOut: ended.timedOut,
    aborted: ended.aborted,
    truncated: stdout.truncated || stderr.truncated,
    oom: ranOutOfMemory(outcome),
    stdout: stdout.text,
    stderr: stderr.text,
    durationMs: ended.durationMs,
    ...(usage === undefined ? {} : {peakMemoryBytes: usage.peakMemoryBytes, cpuMs: usage.cpuMs}),
  };
}
