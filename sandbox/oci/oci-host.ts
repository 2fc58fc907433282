// A runtime on this machine, with the parts of the machine that its containers are made of.
import {existsSync} from 'node:fs';
import {lookAtLinux, type LinuxHost} from '../linux/linux-host.ts';
import {networkFiles, systemFiles} from '../linux/system-files.ts';
import type {CommandExecutor} from '../commands/command-executor.ts';
import {buildFilter} from '../seccomp/build-filter.ts';
import type {Architecture} from '../seccomp/system-call-table.ts';
import {ociSeccomp} from './oci-seccomp.ts';
import type {Surroundings} from './container-command.ts';
import type {OciRuntime} from './oci-runtime.ts';
import type {OciSpecInput} from './oci-spec.ts';

export interface ContainerParts extends LinuxHost {
  readonly filter: OciSpecInput['filter'];
  /** What every container reads. */
  systemPaths(hasNetwork: boolean): readonly string[];
}

export interface OciHost extends ContainerParts {
  readonly runtime: OciRuntime;
  /** Absolute. */
  readonly programPath: string;
  readonly executor: CommandExecutor;
  surroundings(joinsNetwork: boolean): Surroundings;
}

export interface OciPrograms {
  readonly runtime: OciRuntime;
  readonly programPath: string;
  readonly executor: CommandExecutor;
}

export function lookAtOciHost(programs: OciPrograms, architecture: Architecture): OciHost {
  const parts = lookAtContainerParts(programs.runtime, architecture);
  return {
    ...parts,
    ...programs,
    surroundings: (joinsNetwork) => surroundingsOf(programs.runtime, parts.uid, joinsNetwork),
  };
}

/** What the containers of any runtime are made of that takes an OCI configuration. */
export function lookAtContainerParts(
  {filter, hasOwnKernel}: Pick<OciRuntime, 'filter' | 'hasOwnKernel'>,
  architecture: Architecture,
): ContainerParts {
  const host = lookAtLinux();
  const directories = host.topLevel.filter(({link}) => link === undefined).map(({path}) => path);
  const always = ['/usr', ...directories, ...systemFiles, ...host.languageSettings].filter((path) => existsSync(path));
  const withNetwork = [...always, ...networkFiles.filter((path) => existsSync(path))];
  return {
    ...host,
    filter: filter === 'program' ? {program: buildFilter(architecture)} : ociSeccomp(architecture, hasOwnKernel),
    systemPaths: (hasNetwork) => (hasNetwork ? withNetwork : always),
  };
}

/** For kept trials: what containers are made of, as text. */
export function partsKey({filter, controlGroups, systemPaths, ...parts}: ContainerParts): string {
  const {topLevel, languageSettings, kernelPaths, maskedPaths, uid, gid} = parts;
  const filterText = 'program' in filter ? Buffer.from(filter.program).toString('base64') : filter;
  const own = {topLevel, languageSettings, kernelPaths, maskedPaths, uid, gid};
  return JSON.stringify({...own, paths: systemPaths(true), enforces: controlGroups?.enforces, filterText});
}

/** Where both versions of control groups are mounted. */
const secondVersion = '/sys/fs/cgroup/unified';

export function surroundingsOf(
  {hidesControlGroups, needsOwnMounts}: OciRuntime,
  uid: number,
  joinsNetwork: boolean,
): Surroundings {
  const hides = hidesControlGroups && existsSync(secondVersion);
  if (uid !== 0) return {hidesControlGroups: hides, mounts: hides ? 'own_as_user' : 'shared'};
  return {hidesControlGroups: hides, mounts: hides || (needsOwnMounts && joinsNetwork) ? 'own' : 'shared'};
}
