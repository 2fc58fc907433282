// For whom a command acts. In a workspace with `sign_in`, the person who signed in with `lumenflow login`.
import {failed, ok, type Outcome} from '@lumenflow/kernel';
import type {Person} from '@lumenflow/schemas';
import type {Host} from '../../compose.ts';
import {openTokenStore} from '../../http/index.ts';
import {createSignIn, type SignedInPerson, type SignInService} from '../../sign-in/create-sign-in.ts';
import {actorOf} from '../actor.ts';
import type {CliContext} from '../command.ts';
import {CliError} from '../failures/cli-error.ts';
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

/** Who signed in, if the sign-in has not ended. */
export async function signedInPerson(context: CliContext, host: Host): Promise<SignedInPerson | undefined> {
  const token = keptTokenOf(context.env, host.workspaceRoot).read();
  if (token === undefined) return undefined;
  await host.runtime.refresh();
  return signInOf(context, host)?.personOf(token);
}

/** The signed-in person, unless `--as` names another actor. */
export async function actingPerson(context: CliContext, host: Host, as: string | undefined): Promise<Acting> {
  const signedIn = await signedInPerson(context, host);
  const given = as ?? (context.env['LUMENFLOW_ACTOR'] || undefined);
  if (!signedIn || (given !== undefined && given !== signedIn.name)) return {by: actorOf(context, as)};
  return {by: signedIn.name, person: signedIn.person};
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
  const signedIn = await signedInPerson(context, host);
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
