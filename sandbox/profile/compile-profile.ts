// Compiles a grant to the profile of a sandbox: what is mounted, what of it is hidden, what stays read-only. It reads the host's
// files and changes nothing. The same files and the same grant give the same profile.
import {createHash} from 'node:crypto';
import type {BindMount, DenyOverlay, SandboxProfile} from '@lumenflow/schemas';
import {failed, ok, type Outcome} from '../outcome.ts';
import type {GrantedMount} from './granted-mounts.ts';
import {directoriesBetween, isWithin} from './host-paths.ts';
import type {CompiledProfile, ProfileInput} from './profile-input.ts';
import {surveyGrant, surveyProblem} from './survey-grant.ts';
import {UnreadablePath} from './unreadable-path.ts';

/** Each mount costs a system call at every start. */
const mountsMax = 2000;
/** Where the sandbox has its own files. */
const ownPaths: readonly string[] = [
  '/proc',
  '/dev',
  '/sys',
  '/tmp',
  '/usr',
  '/etc',
  '/bin',
  '/lib',
  '/lib64',
  '/sbin',
];

/** The problem is a text for people. */
export async function compileProfile(input: ProfileInput): Promise<Outcome<CompiledProfile, string>> {
  try {
    return await compile(input);
  } catch (error) {
    if (error instanceof UnreadablePath) return failed(error.message);
    throw error;
  }
}

async function compile(input: ProfileInput): Promise<Outcome<CompiledProfile, string>> {
  const unusable = rootProblem(input) ?? runtimeProblem(input);
  if (unusable !== undefined) return failed(unusable);
  const survey = await surveyGrant(input);
  const incomplete = surveyProblem(survey);
  if (incomplete !== undefined) return failed(incomplete);
  const {mounts, granted, hiddenRules, overlays} = survey;
  const profile = assemble(input, {mounts, granted, hidden: overlays.hidden, trusted: overlays.trusted});
  const count =
    profile.readonly_bind_mounts.length + profile.writable_bind_mounts.length + profile.deny_overlays.length;
  if (count > mountsMax) {
    return failed(`the grant needs ${count} mounts; the limit is ${mountsMax}: use patterns that end in \`/**\``);
  }
  return ok({
    profile,
    digest: `sha256:${createHash('sha256').update(JSON.stringify(profile)).digest('hex')}`,
    workspaceRoot: input.workspaceRoot,
    watched: overlays.watched,
    guarded: overlays.guarded,
    obeyed: overlays.obeyed,
    hiddenRules: {literals: hiddenRules.literals, patterns: hiddenRules.patterns},
    skipped: survey.skipped,
  });
}

function rootProblem({workspaceRoot, files}: ProfileInput): string | undefined {
  const real = files.realPath(workspaceRoot);
  if (real === undefined) return `the workspace \`${workspaceRoot}\` does not exist`;
  if (real !== workspaceRoot)
    return `the workspace \`${workspaceRoot}\` must be given as \`${real}\`, without symlinks`;
  if (ownPaths.some((place) => isWithin(place, workspaceRoot)) || isWithin(workspaceRoot, '/proc')) {
    return `the workspace \`${workspaceRoot}\` overlaps a system directory: move it to a separate directory`;
  }
  return undefined;
}

function runtimeProblem({runtimePaths, files}: ProfileInput): string | undefined {
  const unresolved = runtimePaths.find((path) => files.realPath(path) !== path);
  return unresolved === undefined ? undefined : `\`${unresolved}\` must be an existing path without symlinks`;
}

interface Parts {
  readonly mounts: readonly GrantedMount[];
  /** Everything that was granted, including what another mount covers. */
  readonly granted: readonly GrantedMount[];
  readonly hidden: readonly DenyOverlay[];
  readonly trusted: readonly string[];
}

function assemble(input: ProfileInput, parts: Parts): SandboxProfile {
  // Paths inside a trusted path that a scope names are mounted writable on top of it.
  const lifted = parts.granted.filter(
    ({path, access}) => access === 'write' && parts.trusted.some((trusted) => isWithin(path, trusted)),
  );
  const writable = new Set([...parts.mounts, ...lifted].filter(({access}) => access === 'write').map(({path}) => path));
  const trusted = parts.trusted.filter((path) => !writable.has(path));
  const sealed = [...trusted, ...input.runtimePaths, ...parts.hidden.map(({path}) => path)];
  for (const pin of pins([...writable], sealed)) writable.add(pin);
  const readable = parts.mounts.filter(({access}) => access === 'read').map(({path}) => path);
  return {
    readonly_bind_mounts: binds([...readable, ...trusted, ...input.runtimePaths]),
    writable_bind_mounts: binds([...writable]),
    network_posture: input.grant.network.posture,
    network_allowlist: input.grant.network.allowlist_entries.toSorted(),
    deny_overlays: parts.hidden.toSorted((a, b) => (a.path < b.path ? -1 : 1)),
    env: sortedByKey(input.env),
    limits: sortedByKey(input.limits),
    syscalls: 'standard',
  };
}

/**
 * The writable directories above each sealed path. As mount points they cannot be renamed. Otherwise `mv .git x` would leave the
 * seal on `x/hooks`, and `.git/hooks` could be made again.
 */
function pins(writable: readonly string[], sealed: readonly string[]): ReadonlySet<string> {
  const found = new Set<string>();
  for (const path of sealed) {
    const mount = writable
      .filter((candidate) => candidate !== path && isWithin(path, candidate))
      .toSorted(longestFirst)[0];
    if (mount === undefined) continue;
    for (const directory of directoriesBetween(mount, path)) {
      // Nothing below another seal is writable, and a pin must not make it so.
      if (sealed.some((other) => isWithin(directory, other))) break;
      found.add(directory);
    }
  }
  return found;
}

function sortedByKey<T extends object>(value: T): T {
  return Object.fromEntries(Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1))) as T;
}

function longestFirst(a: string, b: string): number {
  return b.length - a.length;
}

function binds(paths: readonly string[]): BindMount[] {
  return [...new Set(paths)].toSorted().map((path) => ({source: path, target: path}));
}
