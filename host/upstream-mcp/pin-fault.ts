// Why a server cannot be used as its pin says, before it is asked for its tools.
import type {PackPin} from '@lumenflow/schemas';
import {isDeepStrictEqual} from 'node:util';
import {isSentInClear} from '../secrets/is-sent-in-clear.ts';
import type {UpstreamProblem} from './upstream-problem.ts';
import {headerVariables} from './header-variables.ts';
import {pinnedGrants} from './pinned-grants.ts';

export function pinFault(pin: PackPin): UpstreamProblem | undefined {
  return (pin.url === undefined ? undefined : addressFault(pin, pin.url)) ?? lifetimeFault(pin);
}

function addressFault(pin: PackPin, url: string): UpstreamProblem | undefined {
  const {id, headers} = pin;
  const address = URL.canParse(url) ? new URL(url) : undefined;
  const isHttp = address?.protocol === 'http:' || address?.protocol === 'https:';
  if (address === undefined || !isHttp || address.username !== '' || address.password !== '') {
    return {
      message: `the \`url\` of the pack \`${id}\` is not an http or https address without a user name`,
      help: 'write it as https://host/path, and credentials as `headers`',
    };
  }
  if (isSentInClear(url) && headerVariables(headers).length > 0) {
    return {
      message: `the pack \`${id}\` would send credentials over http without encryption`,
      help: 'use https, or an address of this machine such as 127.0.0.1',
    };
  }
  const scoped = pinnedGrants(pin).find(([, {required_scopes}]) => required_scopes !== undefined);
  return (
    scoped && {
      message: `\`${scoped[0]}\` of the pack \`${id}\` has \`required_scopes\`, but a server at a \`url\` runs elsewhere`,
      help: 'remove them: each tool reaches the host and port of the `url`, and nothing else here',
    }
  );
}

/** What all tools of a sandbox that serves several calls have in common. */
const shared = ['required_scopes', 'required_env', 'limits'] as const;

function lifetimeFault(pin: PackPin): UpstreamProblem | undefined {
  const {id, lifetime = 'call'} = pin;
  if (lifetime === 'call') return undefined;
  const grants = pinnedGrants(pin);
  const [first, ...others] = grants;
  const writing = grants.find(([, {required_scopes}]) =>
    required_scopes?.some((scope) => scope.type === 'path' && scope.access === 'write'),
  );
  if (writing !== undefined) {
    return {
      message: `\`${writing[0]}\` of the pack \`${id}\` writes to the workspace, but \`lifetime: ${lifetime}\` keeps its server running between calls`,
      help: 'set `lifetime: call`, or keep the files of the server in /tmp, which lasts as long as the server',
    };
  }
  for (const [name, grant] of others) {
    const part = shared.find((key) => !isDeepStrictEqual(grant[key] ?? [], first?.[1]?.[key] ?? []));
    if (part === undefined) continue;
    return {
      message: `\`${first?.[0] ?? ''}\` and \`${name}\` of the pack \`${id}\` have different \`${part}\`, but with \`lifetime: ${lifetime}\` they share a sandbox`,
      help: `give everything in the pin the same \`${part}\`, or make two pins`,
    };
  }
  return undefined;
}
