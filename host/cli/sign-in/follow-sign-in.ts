// Ends what a long command does for a person once the sign-in has ended, also if another host ended it.
import type {Host} from '../../compose.ts';
import {createCallerWatch} from '../../http/tokens/caller-watch.ts';
import type {CliContext} from '../command.ts';
import {signInOf, type Acting} from './acting-person.ts';
import {keptTokenOf} from './kept-token.ts';

export interface SignInEnd {
  readonly onError: (error: unknown) => void;
  end(): void;
}

/** Returns the function that ends the watch. */
export function followSignIn(context: CliContext, host: Host, {person}: Acting, {onError, end}: SignInEnd): () => void {
  const token = keptTokenOf(context.env, host.workspaceRoot).read();
  const service = signInOf(context, host, onError);
  if (!person || token === undefined || !service) return () => undefined;
  const watch = createCallerWatch({refresh: () => host.runtime.refresh(), onError});
  watch.follow({isOfPerson: true, isAllowed: () => service.personOf(token) !== undefined, end});
  return watch.close;
}
