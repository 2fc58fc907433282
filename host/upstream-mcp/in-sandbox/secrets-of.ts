// The credentials of a server, which it can repeat in what it returns.
import type {Secret} from '../../secrets/hide-secrets.ts';
import {headerVariables} from '../header-variables.ts';
import type {UpstreamServer} from '../upstream-server.ts';

/** The values of the variables in its headers. */
export function secretsOf(
  {headers}: Pick<UpstreamServer, 'headers'>,
  env: Readonly<Record<string, string>>,
): readonly Secret[] {
  return headerVariables(headers).map((name) => ({text: env[name] ?? '', shown: `[${name}]`}));
}
