// `lumenflow pack dev`: watches a pack, shows its tools and problems, and repeats a call when its result could change.
import {join} from 'node:path';
import {actorOf} from '../actor.ts';
import type {Command} from '../command.ts';
import {createDevHost} from '../dev/dev-host.ts';
import {createDevSession, failureOutcome} from '../dev/dev-session.ts';
import {openDevWorkspace} from '../dev/dev-workspace.ts';
import {packFolder} from '../lookup/pack-folder.ts';
import {watchUntilStopped} from '../watch-until-stopped.ts';

interface Options {
  readonly call?: string;
  readonly lane?: string;
}

export const packDev: Command<Options> = async (context, [name = '.'], {call, lane}) => {
  const folder = await packFolder(context, name);
  const by = actorOf(context, undefined);
  const workspace = await openDevWorkspace(context, folder);
  const host = createDevHost(folder, workspace, context.env);
  try {
    const session = createDevSession(context, {folder, workspace, host, by, lane});
    if (call !== undefined) session.setCall(call);
    const paths = [folder, join(workspace.root, 'workspace.yaml')];
    await watchUntilStopped(context, paths, session.turn, ({touch, stop}) =>
      context.onLine((line) => {
        const said = line.trim();
        if (said === 'q') return stop();
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
