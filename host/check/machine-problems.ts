// What this machine lacks for the sandbox that workspace.yaml chooses, as tried.
import type {Problem} from '@lumenflow/kernel';
import {requiredTiers} from '@lumenflow/kernel/adapters';
import {tierCheck, type ProbeReport} from '@lumenflow/sandbox';
import {chosenSandboxes} from '../loading/chosen-sandboxes.ts';
import type {LoadedWorkspace} from '../loading/with-loaded-workspace.ts';

export interface MachineProblems {
  /** For people. */
  readonly detail: string;
  readonly problems: readonly Problem[];
}

interface Machine {
  readonly workspaceRoot: string;
  readonly env: Readonly<Record<string, string | undefined>>;
}

type Source = LoadedWorkspace['source'];

const unmetCode = 'SANDBOX_PROFILE_UNMET';

export async function machineProblems(workspace: LoadedWorkspace, machine: Machine): Promise<MachineProblems> {
  const {source} = workspace;
  const {backend, backends, profile} = source.spec.security.sandbox ?? {};
  const {sandboxes} = chosenSandboxes(backend, machine);
  try {
    const reports = await Promise.all(sandboxes.map(async (sandbox) => await sandbox.probe(backends)));
    // WebAssembly modules need nothing of the machine; other tools cannot run there.
    const general = backend === undefined ? reports.filter((report) => report.backend !== 'wasm') : reports;
    const isUsed = profile !== 'dev' && source.packs.length > 0;
    const absent = isUsed ? unavailable(general, source) : [];
    return {
      detail: general.map(describe).join(', '),
      problems: absent.length > 0 ? absent : unmet(workspace, general),
    };
  } finally {
    await Promise.all(sandboxes.map(async (sandbox) => await sandbox.close()));
  }
}

function describe(report: ProbeReport): string {
  return report.available
    ? `${report.backend} ${report.version}, tier ${report.tier}`
    : `${report.backend} unavailable`;
}

/** Calls use the first backend that is available. */
function unavailable(reports: readonly ProbeReport[], {spec, locate}: Source): readonly Problem[] {
  const [preferred] = reports;
  if (preferred === undefined || preferred.available || reports.some(({available}) => available)) return [];
  const {message, help} = preferred.problem;
  const where = locate(spec.security.sandbox?.backend === undefined ? '/security' : '/security/sandbox/backend');
  return [
    {
      code: 'SANDBOX_UNAVAILABLE',
      severity: 'error',
      message: `no sandbox of this workspace is available on this machine: ${message}`,
      where,
      help,
    },
  ];
}

/** Tiers that no machine reaches are reported when the workspace is loaded. */
function unmet(
  {source: {spec, locate}, problems}: LoadedWorkspace,
  reports: readonly ProbeReport[],
): readonly Problem[] {
  const known = new Set(problems.filter(({code}) => code === unmetCode).map(({where}) => where));
  return requiredTiers(spec).flatMap(({pointer, choice: {security_tier: tier}}): readonly Problem[] => {
    const where = locate(pointer);
    if (tier === undefined || tier === 'dev' || known.has(where)) return [];
    const {ok, detail, fix} = tierCheck(tier, reports);
    return ok ? [] : [{code: unmetCode, severity: 'error', message: detail, where, pointer, help: fix}];
  });
}
