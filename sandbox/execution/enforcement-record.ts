// The enforcement part of a receipt: the report of the backend, and what was observed at the end of the call.
import type {Enforcement} from '@lumenflow/schemas';
import type {ProbeReport} from '../backends/probe-report.ts';
import type {CallFacts, SandboxRequest} from '../backends/sandbox-call.ts';
import type {LastingTurn} from '../lasting/create-lasting-runners.ts';
import type {NetworkReport} from '../network/call-network.ts';
import {changedTrustedPaths} from './changed-trusted-paths.ts';
import type {ExecutorContext} from './executor-context.ts';
import type {AcquiredRunner} from './acquired-runner.ts';
import type {ProfileTest} from './test-profile.ts';

export interface EnforcementFacts {
  readonly request: SandboxRequest;
  readonly report: ProbeReport;
  readonly tested: ProfileTest;
  readonly acquired: AcquiredRunner;
  readonly facts: CallFacts;
  readonly network: NetworkReport | undefined;
  readonly turn: LastingTurn | undefined;
}

export function enforcementRecord(
  {request, report, tested, acquired, facts, network, turn}: EnforcementFacts,
  {files}: Pick<ExecutorContext, 'files'>,
): Enforcement {
  return {
    backend: report.backend,
    tier: report.available ? report.tier : 'none',
    profile_digest: request.profile.digest,
    degraded: [...acquired.runner.degraded, ...changedTrustedPaths(request.profile, files)],
    start: acquired.start,
    ...(acquired.start === 'reused' ? {reused: acquired.served} : {}),
    ...(facts.exitCode === undefined ? {} : {exit_code: facts.exitCode}),
    ...(facts.signal === undefined ? {} : {exit_signal: facts.signal}),
    ...(facts.cpuMs === undefined ? {} : {cpu_ms: facts.cpuMs}),
    ...(facts.peakMemoryBytes === undefined ? {} : {peak_memory_bytes: facts.peakMemoryBytes}),
    ...(turn === undefined ? {} : {server: turn.record}),
    ...network,
    ...acquired.runner.observed?.(),
    ...(tested.digest === undefined ? {} : {self_test: tested.digest}),
  };
}
