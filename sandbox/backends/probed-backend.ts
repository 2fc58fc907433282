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
  /** Asked after a failure: whether all that the probe found still exists. Otherwise it is repeated, and then the start. Default: it does. */
  isCurrent?(ready: Ready): Promise<boolean>;
}

export interface ProbedBackend<Ready> extends Pick<SandboxBackend, 'probe' | 'start'> {
  ready(): Promise<Outcome<Ready>>;
  /** What `use` returns, which is repeated like a start. */
  whenReady<T>(use: (ready: Ready) => Promise<Outcome<T>>): Promise<Outcome<T>>;
}

export function probedBackend<Ready extends {readonly report: AvailableReport}>({
  name,
  look,
  testedWithStandIn = false,
  startedBy,
  start,
  isCurrent = async () => true,
}: ProbedBackendInput<Ready>): ProbedBackend<Ready> {
  const remember = (): (() => Promise<Outcome<Ready>>) => rememberProbe(look, ({ok}) => ok);
  let remembered = remember();

  async function whenReady<T>(use: (ready: Ready) => Promise<Outcome<T>>): Promise<Outcome<T>> {
    const known = remembered;
    const probe = await known();
    if (!probe.ok) return probe;
    const used = await use(probe.value);
    if (used.ok || (await isCurrent(probe.value))) return used;
    // Another call may have found the same.
    if (remembered === known) remembered = remember();
    const renewed = await remembered();
    return renewed.ok ? await use(renewed.value) : renewed;
  }

  return {
    ready: () => remembered(),
    whenReady,
    async probe() {
      const probe = await remembered();
      if (probe.ok) return probe.value.report;
      const standIn = testedWithStandIn ? {testedWithStandIn: true as const} : {};
      return {available: false, backend: name, problem: probe.problem, ...standIn};
    },
    start: (request) =>
      whenReady(async (ready) => {
        const inside = startedBy.paths(ready).find((path) => isWithin(path, request.profile.workspaceRoot));
        return inside === undefined
          ? await start(request, ready)
          : failed(inWorkspace(inside, `${name}.${startedBy.option}`));
      }),
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
