// Starts the host on the command's workspace, does the work, and closes it whatever happens.
import type {Problem} from '@lumenflow/kernel';
import {startHost, type Host, type HostOptions} from '../compose.ts';
import type {CliContext} from './command.ts';
import {findWorkspace} from './find-workspace.ts';
import {renderWarnings} from './rendering/render-warnings.ts';

export async function withHost<T>(
  context: CliContext,
  work: (host: Host) => Promise<T>,
  options: Pick<HostOptions, 'threads' | 'warmSandboxes' | 'watch' | 'onReload' | 'tracerProvider'> = {},
): Promise<T> {
  const workspaceRoot = findWorkspace(context);
  const warnings: Problem[] = [];
  const host = await context.spin('loading the workspace', () =>
    // Most commands make one call at most: one thread is enough, and no sandbox is started for calls to come.
    startHost({
      ...options,
      workspaceRoot,
      env: context.env,
      threads: options.threads ?? 1,
      warmSandboxes: options.warmSandboxes ?? false,
      onWarning: (problem) => warnings.push(problem),
    }),
  );
  if (warnings.length > 0) context.notify(renderWarnings(warnings, context.errorStyle));
  try {
    return await work(host);
  } finally {
    await host.close();
  }
}
