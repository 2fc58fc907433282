// Whose request it is: a token of `lumenflow token create`, or the token of a person who signed in.
import type {KernelRuntime} from '@lumenflow/kernel';
import {isPersonToken, type SignInService} from '../../sign-in/create-sign-in.ts';
import {bearerToken} from '../requests/guard-request.ts';
import type {Principal, TokenStore} from './token-store.ts';

export interface Authenticator {
  /** Reads first which sign-ins other hosts have ended. */
  callerOf(headers: Headers): Promise<Principal | undefined>;
  /** Whether the token still has this owner and role, as of the last refresh. Returns false if this cannot be found out. */
  isStillAllowed(headers: Headers, caller: Principal): boolean;
}

export interface AuthenticatorOptions {
  readonly runtime: Pick<KernelRuntime, 'refresh'>;
  readonly tokens: TokenStore;
  /** Absent: people cannot sign in. */
  readonly signIn: SignInService | undefined;
  onError(error: unknown): void;
}

export function createAuthenticator({runtime, tokens, signIn, onError}: AuthenticatorOptions): Authenticator {
  const ownerOf = (token: string): Principal | undefined =>
    isPersonToken(token) ? signIn?.personOf(token) : tokens.authenticate(token);
  return {
    async callerOf(headers) {
      const token = bearerToken(headers) ?? '';
      if (isPersonToken(token)) await runtime.refresh();
      return ownerOf(token);
    },
    isStillAllowed(headers, caller) {
      try {
        const now = ownerOf(bearerToken(headers) ?? '');
        return now?.name === caller.name && now.role === caller.role;
      } catch (error) {
        onError(error);
        return false;
      }
    },
  };
}
