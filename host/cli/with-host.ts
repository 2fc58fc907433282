// Starts the host on the command's workspace, runs the work, and always closes the host.
import type {Problem} from '@lumenflow/kernel';
import {startHost, type Host, type HostOptions} from '../compose.ts';
import type {CliContext} from './command.ts';
import {findWorkspace} from './lookup/find-workspace.ts';
import {newWarnings} from './new-warnings.ts';
import {renderWarnings} from './rendering/render-warnings.ts';

export type CommandHostOptions = Pick<
  HostOptions,
  'threads' | 'warmSandboxes' | 'watch' | 'onReload' | 'tracerProvider' | 'onRecorded'
>;

export async function withHost<T>(
  context: CliContext,
  work: (host: Host) => Promise<T>,
  options: CommandHostOptions = {},
): Promise<T> {
  const host = await openHost(context, options);
  try {
    return await work(host);
  } finally {
    await host.close();
  }
}

/** The caller closes the host. */
export async function openHost(context: CliContext, options: CommandHostOptions): Promise<Host> {
  const workspaceRoot = findWorkspace(context);
  const warnings: Problem[] = [];
  const host = await context.spin('loading the workspace', () =>
    // Most commands make at most one call, so one thread suffices and no spare sandbox is started.
    startHost({
      ...options,
      workspaceRoot,
      env: context.env,
      threads: options.threads ?? 1,
      warmSandboxes: options.warmSandboxes ?? false,
      onWarning: (problem) => warnings.push(problem),
    }),
  );
  const shown = newWarnings(workspaceRoot, warnings);
  if (shown.length > 0) context.notify(renderWarnings(shown, context.errorStyle));
  return host;
}
