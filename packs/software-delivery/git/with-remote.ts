// How git reaches a remote: protocols, and the token as a header for the remote's own server only. The token goes through the
// environment, because other users can see arguments.
import {mkdtemp, rm, writeFile} from 'node:fs/promises';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import type {PackConfig} from '../pack-config.ts';
import {ToolError} from '@lumenflow/pack-sdk';
import {checkRemote} from './push-branch.ts';
import {runGit, type GitContext, type GitOptions} from './run-git.ts';

export interface RemoteContext extends GitContext {
  readonly config: PackConfig;
  readonly env: Readonly<Record<string, string>>;
}

const protocols: readonly string[] = ['https', 'http', 'file', 'git'].map((name) => `protocol.${name}.allow=always`);

/** Runs git with access to the remote. Throws ToolErrors NO_REMOTE and REMOTE_UNREACHABLE. */
export async function withRemote<T>(
  context: RemoteContext,
  remote: string,
  use: (options: Pick<GitOptions, 'env' | 'settings'>) => Promise<T>,
): Promise<T> {
  await checkRemote(context, remote);
  const token = tokenOf(context, remote);
  const url = (await runGit(context, ['remote', 'get-url', '--', remote])).stdout.trim();
  await checkFolder(context, remote, url);
  const folder = await mkdtemp(join(tmpdir(), 'remote-'));
  try {
    // For a local remote, a second git process opens the repository. It accepts the owner only from a config file.
    await writeFile(join(folder, 'config'), '[safe]\n\tdirectory = *\n');
    const env = {GIT_CONFIG_GLOBAL: join(folder, 'config'), ...(token !== undefined && tokenHeader(url, token))};
    return await use({env, settings: [...protocols, 'http.followRedirects=false']});
  } finally {
    await rm(folder, {recursive: true, force: true});
  }
}

/** A sandbox shows no folder outside the workspace. Throws ToolError REMOTE_UNREACHABLE. */
async function checkFolder({exec}: GitContext, remote: string, url: string): Promise<void> {
  const folder = /^(?:file:\/\/)?(\.{0,2}\/.*)$/u.exec(url)?.[1];
  if (folder === undefined || (await exec('test', ['-e', folder])).exit_code === 0) return;
  const message = `\`${remote}\` is the folder \`${folder}\`, which calls cannot read: set a URL that they can reach over the network`;
  throw new ToolError('REMOTE_UNREACHABLE', message, {remote, url});
}

function tokenOf({config, env}: RemoteContext, remote: string): string | undefined {
  const name = config?.remotes?.[remote]?.token_env;
  return name === undefined ? undefined : env[name];
}

/** The user name that both GitHub and GitLab accept with a token is any but the empty one. */
function tokenHeader(url: string, token: string): Readonly<Record<string, string>> {
  const origin = /^https?:\/\/[^/]+\//u.exec(url.replace(/\/\/[^@/]*@/u, '//'))?.[0];
  if (origin === undefined) return {};
  const basic = Buffer.from(`x-access-token:${token}`).toString('base64');
  return {
    GIT_CONFIG_COUNT: '2',
    GIT_CONFIG_KEY_1: `http.${origin}.extraHeader`,
    GIT_CONFIG_VALUE_1: `Authorization: Basic ${basic}`,
  };
}
