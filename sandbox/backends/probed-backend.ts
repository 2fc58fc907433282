// The probe and the start of a backend: a call starts with what a probe has found, and never by something that a call could replace.
import {failed, type Outcome} from '../outcome.ts';
import {isWithin} from '../profile/host-paths.ts';
import type {SandboxProblem} from '../sandbox-problem.ts';
import type {AvailableReport} from './probe-report.ts';
import {rememberProbe} from './remember-probe.ts';
import type {SandboxBackend, StartRequest, StartedRunner} from './sandbox-backend.ts';

export interface ProbedBackendInput<Ready> {
  readonly name: string;
  look(): Promise<Outcome<Ready>>;
  /** See `ProbeReport`. */
  readonly testedWithStandIn?: boolean;
  /** What calls are started by, and the option that names it. */
  readonly startedBy: {readonly option: string; paths(ready: Ready): readonly string[]};
  start(request: StartRequest, ready: Ready): Promise<Outcome<StartedRunner>>;
}

export interface ProbedBackend<Ready> extends Pick<SandboxBackend, 'probe' | 'start'> {
  ready(): Promise<Outcome<Ready>>;
}

export function probedBackend<Ready extends {readonly report: AvailableReport}>({
  name,
  look,
  testedWithStandIn = false,
  startedBy,
  start,
}: ProbedBackendInput<Ready>): ProbedBackend<Ready> {
  const ready = rememberProbe(look, ({ok}) => ok);
  return {
    ready,
    async probe() {
      const probe = await ready();
      if (probe.ok) return probe.value.report;
      const standIn = testedWithStandIn ? {testedWithStandIn: true as const} : {};
      return {available: false, backend: name, problem: probe.problem, ...standIn};
    },
    async start(request) {
      const probe = await ready();
      if (!probe.ok) return probe;
      const inside = startedBy.paths(probe.value).find((path) => isWithin(path, request.profile.workspaceRoot));
      return inside === undefined
        ? await start(request, probe.value)
        : failed(inWorkspace(inside, `${name}.${startedBy.option}`));
    },
  };
}

export async function trialKeyOf(
  ready: () => Promise<Outcome<{readonly trialKey: readonly string[]}>>,
): Promise<readonly string[] | undefined> {
  const found = await ready();
  return found.ok ? found.value.trialKey : undefined;
}

function inWorkspace(path: string, option: string): SandboxProblem {
  return {
    message: `\`${path}\` is inside the workspace, where a call could replace it`,
    help: `set \`security.sandbox.backends.${option}\` to a path outside the workspace`,
  };
}
