// Fetches one commit of a repository into the cache. The repository is untrusted: no hook, filter, submodule or helper program
// runs, git never prompts, and the user's git configuration is ignored.
import {failed, ok, type Outcome} from '@lumenflow/kernel';
import type {PackPin} from '@lumenflow/schemas';
import {rm} from 'node:fs/promises';
import {join} from 'node:path';
import {gitPackFolder} from '../resolve-pack.ts';
import {gitAddress, isGitRef, type GitAddress} from './git-address.ts';
import type {FetchedPack, FetchProblem, InstallContext} from './install-context.ts';
import {networkEnv, runFetchCommand} from './run-fetch-command.ts';
import {stageFolder} from './stage-folder.ts';

const settings = [
  'core.hooksPath=/dev/null',
  'core.fsmonitor=false',
  'core.autocrlf=false',
  'core.attributesFile=/dev/null',
  'credential.helper=',
  'submodule.recurse=false',
  'gc.auto=0',
  'maintenance.auto=false',
].flatMap((setting) => ['-c', setting]);

/** `ref` is the commit in the lock, or the pin's own ref. */
export async function fetchGitPack(
  pin: PackPin,
  ref: string,
  context: InstallContext,
): Promise<Outcome<FetchedPack, FetchProblem>> {
  const {url: given = ''} = pin;
  const address = gitAddress(given, context.workspaceRoot);
  if (!address.ok) return address;
  if (!isGitRef(ref)) {
    return failed({
      code: 'PACK_SOURCE_REFUSED',
      message: `\`${ref}\` is not a commit, tag or branch`,
      help: 'use the plain name of a tag or branch, or a full commit id',
    });
  }
  return await stageFolder(join(context.cacheFolder, 'git'), async (staging) => {
    const commit = await checkOut(address.value, ref, {staging, context});
    if (!commit.ok) return commit;
    await rm(join(staging, '.git'), {recursive: true, force: true});
    return ok({folder: gitPackFolder(context.cacheFolder, given, commit.value), resolved: commit.value});
  });
}

async function checkOut(
  {url, protocol}: GitAddress,
  ref: string,
  {staging, context}: {readonly staging: string; readonly context: InstallContext},
): Promise<Outcome<string, FetchProblem>> {
  const env = {...networkEnv(context.env), ...gitEnv, GIT_ALLOW_PROTOCOL: protocol};
  const failing = `${url} at ${ref} cannot be fetched`;
  const steps = [
    ['init', '--quiet', '--template='],
    ['fetch', '--quiet', '--depth=1', '--no-tags', '--no-recurse-submodules', '--end-of-options', url, ref],
    ['checkout', '--quiet', '--detach', 'FETCH_HEAD'],
    ['rev-parse', '--verify', 'HEAD^{commit}'],
  ];
  let commit = '';
  for (const step of steps) {
    const args = [...settings, ...step];
    const ran = await runFetchCommand({command: 'git', args, cwd: staging, env, failing}, context);
    if (!ran.ok) return ran;
    commit = ran.value.trim();
  }
  return ok(commit);
}

const gitEnv: Readonly<Record<string, string>> = {
  GIT_CONFIG_GLOBAL: '/dev/null',
  GIT_CONFIG_NOSYSTEM: '1',
  GIT_ATTR_NOSYSTEM: '1',
  GIT_TERMINAL_PROMPT: '0',
  GIT_PROTOCOL_FROM_USER: '0',
  GIT_SSH_COMMAND: 'ssh -oBatchMode=yes',
  LC_ALL: 'C',
};
