// What a sandbox can enforce on this machine, as tried, with the fix for each gap.
import type {SecurityTier} from '@lumenflow/schemas';
import type {ProbeReport, Tier} from '../backends/probe-report.ts';
import {findPrlimit} from '../commands/rlimits.ts';
import {findNetworkPrograms} from '../network/network-programs.ts';
import {cgroupCheck} from './cgroup-check.ts';
import type {DoctorCheck} from './doctor-check.ts';
import {readinessOf, type Readiness} from './readiness.ts';
import {tierCheck} from './tier-check.ts';
import {viewCheck} from './view-check.ts';
import {thisMachine, type Machine} from './machine.ts';

export interface DoctorReport {
  readonly platform: string;
  readonly user: 'root' | 'ordinary';
  readonly checks: readonly DoctorCheck[];
  /** The strongest tier that is available to JavaScript without asking for a weaker one. */
  readonly tier: Tier;
  readonly backends: readonly ProbeReport[];
  /** Of each backend that was probed, by its name. */
  readonly readiness: Readonly<Record<string, Readiness>>;
}

/** Kernel switches that disable user namespaces: path, the disabling value, the fix. */
const switches: readonly {readonly path: string; readonly off: (value: string) => boolean; readonly fix: string}[] = [
  {
    path: '/proc/sys/kernel/unprivileged_userns_clone',
    off: (value) => value === '0',
    fix: 'sysctl -w kernel.unprivileged_userns_clone=1',
  },
  {
    path: '/proc/sys/user/max_user_namespaces',
    off: (value) => value === '0',
    fix: 'sysctl -w user.max_user_namespaces=15000',
  },
  {
    path: '/proc/sys/user/max_net_namespaces',
    off: (value) => value === '0',
    fix: 'sysctl -w user.max_net_namespaces=15000',
  },
  {
    path: '/proc/sys/kernel/apparmor_restrict_unprivileged_userns',
    off: (value) => value === '1',
    fix: 'add an AppArmor profile for bwrap that contains `userns,` and load it with `apparmor_parser -r`, or run `sysctl -w kernel.apparmor_restrict_unprivileged_userns=0`',
  },
];

export interface DoctorOptions {
  readonly machine?: Machine;
  /** Folder of the workspace whose views are tried; default: a temporary one. */
  readonly workspaceRoot?: string | undefined;
  /** Those that the workspace and its lanes require. */
  readonly tiers?: readonly SecurityTier[];
  /** Backends that the workspace does not choose, and could. */
  readonly others?: readonly {probe(): Promise<ProbeReport>}[];
}

/** `backends`: those to inspect, the preferred first. */
export async function diagnoseSandbox(
  backends: readonly {probe(): Promise<ProbeReport>}[],
  {machine = thisMachine(), workspaceRoot, tiers = [], others = []}: DoctorOptions = {},
): Promise<DoctorReport> {
  const reports = await Promise.all(backends.map((backend) => backend.probe()));
  // One after another: each runs a trial, and they would slow each other down.
  const otherReports: ProbeReport[] = [];
  for (const other of others) otherReports.push(await other.probe());
  const general = reports.filter(({backend}) => backend !== 'wasm');
  const checks = [
    nodeCheck(),
    ...reports.flatMap(backendChecks),
    ...tiers.map((tier) => tierCheck(tier, general)),
    ...otherReports.map(otherCheck),
    ...(machine.platform === 'linux'
      ? [
          ...switches.flatMap((item) => switchCheck(item, machine)),
          seccompCheck(machine),
          prlimitCheck(),
          cgroupCheck(),
          allowlistCheck(reports, machine),
          nftCheck(machine),
          await viewCheck(workspaceRoot),
        ]
      : []),
  ];
  const usable = general.find((report) => report.available && report.backend !== 'unsafe-host');
  return {
    platform: `${machine.platform} ${process.arch}`,
    user: machine.isRoot ? 'root' : 'ordinary',
    checks,
    tier: usable?.available === true ? usable.tier : 'none',
    backends: reports,
    readiness: Object.fromEntries([...reports, ...otherReports].map((report) => [report.backend, readinessOf(report)])),
  };
}

function nodeCheck(): DoctorCheck {
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
  const ok = major > 20 || (major === 20 && minor >= 19);
  const detail = `Node ${process.versions.node} at ${process.execPath}`;
  return ok ? {name: 'node', ok, detail} : {name: 'node', ok, detail, fix: 'install Node 20.19 or later'};
}

function backendChecks(report: ProbeReport): readonly DoctorCheck[] {
  const name = report.backend;
  if (!report.available) return [{name, ok: false, detail: report.problem.message, fix: report.problem.help}];
  return [
    {name, ok: true, detail: `${report.version}, tier ${report.tier}; a trial start succeeded`},
    ...report.gaps.map(({message, help}) => ({name, ok: false, detail: message, fix: help})),
  ];
}

/** A backend that nothing needs is not a fault of the machine. */
function otherCheck(report: ProbeReport): DoctorCheck {
  const detail = report.available
    ? `${report.version}, tier ${report.tier}`
    : `${report.problem.message}; ${report.problem.help}`;
  return {name: `backend ${report.backend}`, ok: true, detail: `${readinessOf(report)}: ${detail}`};
}

function switchCheck({path, off, fix}: (typeof switches)[number], machine: Machine): readonly DoctorCheck[] {
  const value = machine.read(path);
  if (value === undefined) return [];
  const name = path.slice('/proc/sys/'.length).replaceAll('/', '.');
  // Root does not need permission for these two.
  const binds = !machine.isRoot || name.startsWith('user.');
  const ok = !(binds && off(value));
  const detail = `is ${value}${binds ? '' : ', which does not restrict root'}`;
  return [ok ? {name, ok, detail} : {name, ok, detail, fix}];
}

function seccompCheck({read}: Machine): DoctorCheck {
  const actions = read('/proc/sys/kernel/seccomp/actions_avail');
  const ok = actions !== undefined && actions.includes('errno');
  const detail = actions ?? 'the kernel does not support system call filters';
  return ok
    ? {name: 'seccomp', ok, detail}
    : {name: 'seccomp', ok, detail, fix: 'use a kernel with CONFIG_SECCOMP_FILTER'};
}

function prlimitCheck(): DoctorCheck {
  const path = findPrlimit();
  return path === undefined
    ? {
        name: 'prlimit',
        ok: false,
        detail: 'not found: limits on CPU time, files and processes are not enforced',
        fix: 'apt-get install util-linux',
      }
    : {name: 'prlimit', ok: true, detail: path};
}

function allowlistCheck(reports: readonly ProbeReport[], {find}: Machine): DoctorCheck {
  const name = 'network allowlist';
  const programs = findNetworkPrograms(find);
  if (!programs.ok) return {name, ok: false, detail: programs.problem.message, fix: programs.problem.help};
  const isEnforced = reports.some((report) => report.available && report.guarantees.network_allowlist === 'enforced');
  return isEnforced
    ? {name, ok: true, detail: 'a trial succeeded'}
    : {
        name,
        ok: false,
        detail: 'no backend enforces it on this machine',
        fix: 'see the other checks; until they pass, grant network posture `off`',
      };
}

function nftCheck({find}: Machine): DoctorCheck {
  const path = find('nft');
  return path === undefined
    ? {
        name: 'nft',
        ok: false,
        detail:
          'not found: network `full` and ranges without a port reach only common ports; receipts omit attempts that are rejected immediately',
        fix: 'apt-get install nftables',
      }
    : {name: 'nft', ok: true, detail: path};
}
