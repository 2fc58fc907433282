// `lumenflow mcp`: serves the workspace's tools to the MCP client that starts the program, over stdin and stdout.
import type {ToolFailure} from '@lumenflow/schemas';
import {serveMcpStdio, Unavailable, type OpenWorkspace} from '../../mcp/index.ts';
import type {Host} from '../../compose.ts';
import {version} from '../../version.ts';
import {openCallSession, sessionFailure, type CallSession} from '../call-commands/call-session.ts';
import type {CliContext, Command} from '../command.ts';
import {failureFromError} from '../failures/failure-from-error.ts';
import {renderReload} from '../rendering/render-reload.ts';
import {renderFailure} from '../rendering/render-failure.ts';
import {actingPerson, type Acting} from '../sign-in/acting-person.ts';
import {followSignIn} from '../sign-in/follow-sign-in.ts';
import {openHost} from '../with-host.ts';

interface Options {
  readonly lane?: string;
  readonly task?: string;
  readonly as?: string;
  readonly tools?: string;
  readonly watch?: boolean;
}

export const mcp: Command<Options> = async (context, _args, options) => {
  const onError = (error: unknown): void => context.notify(renderForUser(error, context));
  const client = createClientWorkspace(context, options, onError);
  try {
    await serveMcpStdio(client.open, {
      version,
      tools: options.tools,
      // The client uses the process's streams; the terminal's streams are for people.
      stdin: process.stdin,
      stdout: process.stdout,
      signal: AbortSignal.any([context.signal, client.signedOut]),
      onError,
      onMistake: (message) => context.notify(context.errorStyle.dim(message)),
    });
  } finally {
    await client.close();
  }
  return undefined;
};

interface ClientWorkspace {
  /** Aborts when the sign-in of the person ends for whom the client acts. */
  readonly signedOut: AbortSignal;
  open(): Promise<OpenWorkspace>;
  close(): Promise<void>;
}

/** The host and the session of the client. Opening can fail, and is then tried again from the start. */
function createClientWorkspace(
  context: CliContext,
  options: Options,
  onError: (error: unknown) => void,
): ClientWorkspace {
  const over = new AbortController();
  let close = async (): Promise<void> => undefined;
  let opening: Promise<unknown> = Promise.resolve();

  async function openNow(): Promise<OpenWorkspace> {
    try {
      const host = await openHost(context, {
        threads: 2,
        warmSandboxes: true,
        watch: options.watch === true,
        onReload: (reload) => context.notify(renderReload(reload, context.errorStyle)),
      });
      close = () => host.close();
      const acting = await actingPerson(context, host, options.as);
      const {by} = acting;
      const stop = followSignIn(context, host, acting, {onError, end: () => over.abort()});
      close = async () => {
        stop();
        await host.close();
      };
      const own = await openCallSession(host, {by, lane: options.lane, task: options.task, returning: true});
      close = async () => {
        stop();
        await own.end();
        await host.close();
      };
      const session = await host.openSession({...holderOf(host, own, acting), surface: 'mcp', ...own.context});
      if (!session.success) throw sessionFailure(session.error);
      return {runtime: host.runtime, session, workspaceRoot: host.workspaceRoot};
    } catch (error) {
      await close();
      close = async () => undefined;
      throw new Unavailable(failureOf(error), {cause: error});
    }
  }

  return {
    signedOut: over.signal,
    open() {
      const opened = openNow();
      opening = opened.catch(() => undefined);
      return opened;
    },
    async close() {
      await opening;
      await close();
    },
  };
}

/** In an existing task, calls and approvals use the name of the claimant. */
function holderOf({runtime}: Host, {context}: CallSession, acting: Acting): Acting {
  const by = runtime.listTasks({state: 'active'}).find(({task_id}) => task_id === context.task_id)?.run?.by;
  return by === undefined || by === acting.by ? acting : {by};
}

/** For the model, which can only ask the user. */
function failureOf(error: unknown): ToolFailure {
  if (error instanceof Unavailable) return error.failure;
  const {failure, fix} = describeFailure(error);
  const remedy = fix === undefined ? 'ask the user to fix it, then call again' : `ask the user to fix it: ${fix}`;
  return {...failure, details: {...failure.details, remedy}};
}

/** For the user, who started the program. */
function renderForUser(error: unknown, {errorStyle}: CliContext): string {
  const {failure, fix} = describeFailure(error instanceof Unavailable ? (error.cause ?? error) : error);
  return renderFailure(failure, {help: fix}, errorStyle);
}

function describeFailure(error: unknown): {readonly failure: ToolFailure; readonly fix: string | undefined} {
  const {failure, problems, help} = failureFromError(error);
  const errors = problems.filter(({severity}) => severity === 'error');
  const lines = errors.map(({where, message: problem}) => `${where}: ${problem}`);
  const message = lines.length === 0 ? failure.message : `${failure.message}: ${lines.join('; ')}`;
  const fix = help ?? errors.find((problem) => problem.help !== undefined)?.help;
  return {failure: {...failure, message}, fix};
}
