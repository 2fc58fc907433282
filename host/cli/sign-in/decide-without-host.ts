// The person that decides about a workspace without a host, because its packs cannot be loaded yet.
import {createSystemClock, readWorkspace} from '@lumenflow/kernel/node';
import {hash} from 'node:crypto';
import {signedInPersonOf} from '../../sign-in/create-sign-in.ts';
import {actorOf} from './actor.ts';
import type {CliContext} from '../command.ts';
import {stateOf} from '../state/state-of.ts';
import {deciding, type Acting} from './acting-person.ts';
import {keptTokenOf} from './kept-token.ts';
import {peopleOfState} from './people-of-state.ts';

/** Like `decidingPerson`. Throws CliError. */
export async function decideWithoutHost(context: CliContext, as: string | undefined): Promise<Acting> {
  const found = await stateOf(context);
  const {workspaceRoot} = found;
  const read = await readWorkspace({root: workspaceRoot, env: context.env});
  const settings = read.ok ? read.value.spec.sign_in : undefined;
  if (settings === undefined) return {by: actorOf(context, as)};
  const token = keptTokenOf(context.env, workspaceRoot).read();
  const people = await peopleOfState(context, found);
  const now = createSystemClock().timestamp();
  const signIn = token === undefined ? undefined : people.signInOf(hash('sha256', token), now);
  const decided = deciding(signIn && signedInPersonOf(signIn, settings, people.groupsOf), as);
  if (decided.ok) return decided.value;
  throw decided.problem;
}
