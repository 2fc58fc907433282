// The adapter for the configured forge.
import {ToolError, type ToolContext} from '@lumenflow/pack-sdk';
import type {PackConfig} from '../pack-config.ts';
import type {Forge} from './forge.ts';
import {forgeUrl} from './forge-url.ts';
import {createGithub, githubHeaders} from './github.ts';
import {createGitlab, gitlabHeaders} from './gitlab.ts';
import {sendToForge} from './send-to-forge.ts';

/** Throws ToolError FORGE_NOT_CONFIGURED. */
export function createForge({config, env, signal}: Pick<ToolContext<PackConfig>, 'config' | 'env' | 'signal'>): Forge {
  const forge = config?.forge;
  const token = forge && env[forge.token_env];
  if (forge === undefined || token === undefined) {
    throw new ToolError(
      'FORGE_NOT_CONFIGURED',
      'no forge is configured: set `software_delivery.forge` in workspace.yaml',
    );
  }
  const headers = forge.kind === 'github' ? githubHeaders(token) : gitlabHeaders(token);
  const send = sendToForge({url: forgeUrl(forge), headers, signal});
  return forge.kind === 'github' ? createGithub(send, forge.project) : createGitlab(send, forge.project);
}
