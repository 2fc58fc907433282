// `lumenflow mcp`: serves the workspace's tools to the MCP client that starts the program, over stdin and stdout.
import {parseToolFilter, serveMcpStdio, type ToolFilter} from '../../mcp/index.ts';
import type {Host} from '../../compose.ts';
import {version} from '../../version.ts';
import {actorOf} from '../actor.ts';
import {openCallSession, sessionFailure, type CallSession} from '../calls/call-session.ts';
import type {Command} from '../command.ts';
import {CliError} from '../failures/cli-error.ts';
import {exitCode} from '../failures/exit-code.ts';
import {failureFromError} from '../failures/failure-from-error.ts';
import {renderReload} from '../rendering/render-reload.ts';
import {renderFailure} from '../rendering/render-failure.ts';
import {withHost} from '../with-host.ts';

interface Options {
  readonly lane?: string;
  readonly task?: string;
  readonly as?: string;
  readonly tools?: string;
  readonly watch?: boolean;
}

export const mcp: Command<Options> = async (context, _args, options) => {
  const by = actorOf(context, options.as);
  await withHost(
    context,
    async (host) => {
      const isWanted = filterOf(host, options.tools);
      const own = await openCallSession(host, {by, lane: options.lane, task: options.task, returning: true});
      try {
        const session = await host.openSession({by: holderOf(host, own) ?? by, surface: 'mcp', ...own.context});
        if (!session.success) throw sessionFailure(session.error);
        await serveMcpStdio(host.runtime, session, {
          version,
          isWanted,
          // The client uses the process's streams; the terminal's streams are for people.
          stdin: process.stdin,
          stdout: process.stdout,
          signal: context.signal,
          onError: (error) => context.notify(renderFailure(failureFromError(error).failure, {}, context.errorStyle)),
        });
      } finally {
        await own.end();
      }
    },
    {
      threads: 2,
      warmSandboxes: true,
      watch: options.watch === true,
      onReload: (reload) => context.notify(renderReload(reload, context.errorStyle)),
    },
  );
  return undefined;
};

/** Throws CliError for patterns that match no tool. */
function filterOf({runtime}: Host, patterns: string | undefined): ToolFilter {
  const filter = parseToolFilter(runtime, patterns);
  if (typeof filter === 'function') return filter;
  throw new CliError('INVALID_ARGUMENT', `--tools: ${filter.problem}`, {help: filter.help, exitCode: exitCode.usage});
}

/** In an existing task, calls and approvals use the name of the claimant. */
function holderOf({runtime}: Host, {context}: CallSession): string | undefined {
  return runtime.listTasks({state: 'active'}).find(({task_id}) => task_id === context.task_id)?.run?.by;
}
