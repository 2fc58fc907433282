// The actor of a command. In a workspace with `sign_in`, it is the person that signed in with `lumenflow login`.
import {failed, ok, type Outcome} from '@lumenflow/kernel';
import type {Person} from '@lumenflow/schemas';
import type {Host} from '../../compose.ts';
import {openTokenStore} from '../../http/tokens/token-store.ts';
import {createSignIn, type SignedInPerson, type SignInService} from '../../sign-in/create-sign-in.ts';
import type {CliContext} from '../command.ts';
import {CliError} from '../failures/cli-error.ts';
import {actorOf, givenActor} from './actor.ts';
import {keptTokenOf} from './kept-token.ts';

export interface Acting {
  readonly by: string;
  readonly person?: Person;
}

/** Undefined if workspace.yaml has no `sign_in`. */
export function signInOf(
  {env}: Pick<CliContext, 'env'>,
  {runtime, workspaceRoot}: Host,
  onError: (error: unknown) => void = () => undefined,
): SignInService | undefined {
  const settings = runtime.workspace.spec.sign_in;
  const tokens = openTokenStore(workspaceRoot);
  return (
    settings &&
    createSignIn({
      runtime,
      settings,
      env,
      isTokenName: (name) => tokens.list().some((token) => token.name.toLowerCase() === name.toLowerCase()),
      onError,
    })
  );
}

/** The person of a sign-in that has not ended. */
export async function signedInPerson(context: CliContext, host: Host): Promise<SignedInPerson | undefined> {
  const token = keptTokenOf(context.env, host.workspaceRoot).read();
  if (token === undefined) return undefined;
  await host.runtime.refresh();
  return signInOf(context, host)?.personOf(token);
}

/**
 * The signed-in person, unless `--as` or LUMENFLOW_ACTOR names a program. A person's name belongs to the sign-in of that person: throws
 * CliError SIGN_IN_REQUIRED for such a name without it.
 */
export async function actingPerson(context: CliContext, host: Host, as: string | undefined): Promise<Acting> {
  const acting = await supposedActor(context, host, as);
  const {people, workspace} = host.runtime;
  if (acting.person || workspace.spec.sign_in === undefined) return acting;
  const {by} = acting;
  if (!people.list().some(({name}) => name.toLowerCase() === by.toLowerCase())) return acting;
  const help = 'run `lumenflow login` as this person, or name a program with `--as`';
  throw new CliError('SIGN_IN_REQUIRED', `\`${by}\` is the name of a person that signs in`, {help});
}

/** For commands that only show what a call would do: a sign-in is not required. */
export async function supposedActor(context: CliContext, host: Host, as: string | undefined): Promise<Acting> {
  const given = givenActor(context, as);
  const signedIn = await signedInPerson(context, host);
  if (!signedIn || (given !== undefined && given !== signedIn.name)) return {by: actorOf(context, as)};
  return {by: signedIn.name, person: signedIn.person};
}

/** For a session of an agent: its name, and the name of the person that starts or resumes it. */
export async function agentAndPerson(
  context: CliContext,
  host: Host,
  agent: string,
): Promise<{readonly by: string; readonly person: string}> {
  const {by: person} = await actingPerson(context, host, undefined);
  const {by} = await actingPerson(context, host, agent);
  return {by, person};
}

/** For decisions of people. Throws CliError if `findDecidingPerson` fails. */
export async function decidingPerson(context: CliContext, host: Host, as: string | undefined): Promise<Acting> {
  const found = await findDecidingPerson(context, host, as);
  if (found.ok) return found.value;
  throw found.problem;
}

/** With `sign_in`, only a signed-in operator decides. */
export async function findDecidingPerson(
  context: CliContext,
  host: Host,
  as: string | undefined,
): Promise<Outcome<Acting, CliError>> {
  if (host.runtime.workspace.spec.sign_in === undefined) return ok({by: actorOf(context, as)});
  return deciding(await signedInPerson(context, host), as);
}

/** `signedIn`: the person that signed in to the workspace. */
export function deciding(signedIn: SignedInPerson | undefined, as: string | undefined): Outcome<Acting, CliError> {
  if (!signedIn) {
    const message = 'in this workspace, people sign in before they decide';
    return failed(new CliError('SIGN_IN_REQUIRED', message, {help: 'run `lumenflow login`'}));
  }
  const {name, role, person} = signedIn;
  if (as !== undefined && as !== name) {
    const help = 'omit `--as`, or run `lumenflow login` as the other person';
    return failed(new CliError('SIGN_IN_REQUIRED', `you are signed in as \`${name}\`, not as \`${as}\``, {help}));
  }
  if (role === 'agent') {
    return failed(new CliError('ROLE_DENIED', `this requires role \`operator\`; \`${name}\` has role \`agent\``));
  }
  return ok({by: name, person});
}
