// Fetches a pack before it is pinned, to read its id, version, hash and terms.
import {createSpawnExecutor} from '@lumenflow/sandbox';
import type {PackPin} from '@lumenflow/schemas';
import {join, resolve} from 'node:path';
import {packageBesideHost} from '../../packs/beside-host.ts';
import {fetchGitPack} from '../../packs/install/fetch-git-pack.ts';
import type {InstallContext} from '../../packs/install/install-context.ts';
import {installNpmPack} from '../../packs/install/install-npm-pack.ts';
import {networkEnv, runFetchCommand} from '../../packs/install/run-fetch-command.ts';
import {changesSince, type ToolChange} from '../../packs/lock/review-tools.ts';
import {pinOfFolder} from '../../packs/manifest/pin-of-folder.ts';
import {CliError} from '../failures/cli-error.ts';
import type {CliContext} from '../command.ts';
import type {OpenPacks} from '../lookup/open-packs.ts';
import type {PackSourceWords} from './source-of.ts';

export interface Candidate {
  /** With the hash of its files. */
  readonly pin: PackPin;
  /** Against what is approved. */
  readonly changes: readonly ToolChange[];
}

/** Throws CliError PACK_FETCH_FAILED or LOAD_FAILED. */
export async function fetchCandidate(
  context: CliContext,
  packs: OpenPacks,
  words: PackSourceWords,
): Promise<Candidate> {
  const install: InstallContext = {
    workspaceRoot: packs.workspaceRoot,
    cacheFolder: join(packs.workspaceRoot, '.lumenflow', 'cache'),
    executor: createSpawnExecutor(),
    denyOverlays: packs.denyOverlays,
    env: context.env,
    signal: context.signal,
  };
  const {pin: source, root, resolved} = await fetched(words, install);
  const read = await pinOfFolder(root, '.');
  if (!read.ok) throw new CliError('LOAD_FAILED', 'the manifest cannot be read', {problems: read.problem});
  const {id, version} = read.value.manifest;
  const pin: PackPin = {...source, id, version, integrity: 'dev'};
  const known = new Map(resolved === undefined ? [] : [[id, resolved] as const]);
  const lock = {...packs.lock, fetched: known};
  const [load] = await packs.source.survey({...packs.request, pins: [pin], locate: () => root}, lock);
  const problems = (load?.problems ?? []).filter(
    ({severity, code}) => severity === 'error' && code !== 'PACK_CONFIG_MISSING',
  );
  if (load?.integrity === undefined || load.terms === undefined || problems.length > 0) {
    throw new CliError('LOAD_FAILED', `the pack \`${id}\` cannot be loaded`, {problems});
  }
  return {pin: {...pin, integrity: load.integrity}, changes: changesSince(packs.lock.packs.get(id), load.terms)};
}

interface Fetched {
  readonly pin: PackPin;
  /** Absolute. */
  readonly root: string;
  readonly resolved?: string;
}

async function fetched({wanted, ...words}: PackSourceWords, install: InstallContext): Promise<Fetched> {
  const unknown = {id: 'new', version: '0.0.0', integrity: 'dev'} as const;
  if (words.source === 'local')
    return {pin: {...unknown, ...words}, root: resolve(install.workspaceRoot, words.path ?? '.')};
  if (words.source === 'git') {
    const pin: PackPin = {...unknown, ...words};
    const got = await fetchGitPack(pin, words.ref ?? '', install);
    if (!got.ok) throw new CliError(got.problem.code, got.problem.message, {help: got.problem.help});
    return {pin, root: join(got.value.folder, words.path ?? ''), resolved: got.value.resolved};
  }
  const name = words.package ?? '';
  const shipped = wanted === 'latest' ? packageBesideHost(name) : undefined;
  if (shipped !== undefined) return {pin: {...unknown, ...words}, root: shipped};
  const version = wanted === undefined ? unknown.version : await versionOf(name, wanted, install);
  const pin: PackPin = {...unknown, ...words, version};
  const got = await installNpmPack(pin, install);
  if (!got.ok) throw new CliError(got.problem.code, got.problem.message, {help: got.problem.help});
  return {pin, root: join(got.value.folder, 'node_modules', name), resolved: got.value.resolved};
}

/** The highest version that npm has for a version, range or tag. */
async function versionOf(name: string, wanted: string, install: InstallContext): Promise<string> {
  const settings = Object.entries(install.env).flatMap(([key, value]) =>
    value !== undefined && /^npm_config_/iu.test(key) ? [[key, value] as const] : [],
  );
  const ran = await runFetchCommand(
    {
      command: 'npm',
      args: ['view', '--json', '--', `${name}@${wanted}`, 'version'],
      cwd: install.workspaceRoot,
      env: {...networkEnv(install.env), ...Object.fromEntries(settings)},
      failing: `npm has no \`${name}@${wanted}\``,
    },
    install,
  );
  if (!ran.ok) throw new CliError(ran.problem.code, ran.problem.message, {help: ran.problem.help});
  const found = [JSON.parse(ran.value) as string | readonly string[]].flat().at(-1);
  if (found !== undefined) return found;
  throw new CliError('PACK_FETCH_FAILED', `npm has no \`${name}@${wanted}\``, {
    help: `look at \`npm view ${name} versions\``,
  });
}
