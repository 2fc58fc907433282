// `lumenflow pack dev`: watches a pack, shows its tools and problems, and repeats a call when its result could change.
import {join} from 'node:path';
import type {Command} from '../command.ts';
import {createDevHost} from '../dev/dev-host.ts';
import {createDevSession, failureOutcome} from '../dev/dev-session.ts';
import {openDevWorkspace} from '../dev/dev-workspace.ts';
import {CliError} from '../failures/cli-error.ts';
import {exitCode} from '../failures/exit-code.ts';
import {portOf} from '../lookup/port-of.ts';
import {packFolder} from '../lookup/pack-folder.ts';
import {watchUntilStopped} from '../watch-until-stopped.ts';
import {actorOf} from '../sign-in/actor.ts';

interface Options {
  readonly call?: string;
  readonly lane?: string;
  /** True without a port. */
  readonly inspect?: string | true;
}

/** Node's own default. */
const usualInspectPort = '9229';

export const packDev: Command<Options> = async (context, [name = '.'], {call, lane, inspect}) => {
  const folder = await packFolder(context, name);
  const by = actorOf(context, undefined);
  const workspace = await openDevWorkspace(context, folder);
  const inspectPort = inspect === undefined ? undefined : debuggerPort(inspect === true ? usualInspectPort : inspect);
  const host = createDevHost({folder, workspace, env: context.env, inspectPort});
  try {
    const quit = new AbortController();
    const signal = AbortSignal.any([context.signal, quit.signal]);
    const session = createDevSession({...context, signal}, {folder, workspace, host, by, lane, inspectPort});
    if (call !== undefined) session.setCall(call);
    const paths = [folder, join(workspace.root, 'workspace.yaml')];
    await watchUntilStopped(context, paths, session.turn, ({touch, stop}) =>
      context.onLine((line) => {
        const said = line.trim();
        if (said === 'q') {
          // A call can wait for a debugger.
          quit.abort();
          return stop();
        }
        try {
          if (said === 'c') session.askCall();
          else if (said !== '') session.setCall(said);
        } catch (error) {
          return context.announce(failureOutcome(context, error));
        }
        touch();
      }),
    );
  } finally {
    await host.close();
    await workspace.remove();
  }
  return undefined;
};

/** The author enters it in a debugger, so it is not chosen by the system. */
function debuggerPort(text: string): number {
  const port = portOf(text);
  if (port > 0) return port;
  throw new CliError('INVALID_ARGUMENT', 'a debugger needs a port that is known in advance', {
    help: `use for example --inspect ${usualInspectPort}`,
    exitCode: exitCode.usage,
  });
}
