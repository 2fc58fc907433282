// The programs of the system that an allowlist needs.
import type {SandboxProblem} from '../backends/sandbox-backend.ts';
import {findProgram} from '../commands/find-program.ts';

export interface NetworkPrograms {
  readonly unshare: string;
  readonly nsenter: string;
  readonly ip: string;
  readonly sh: string;
}

export function findNetworkPrograms(
  find: (name: string) => string | undefined = findProgram,
): NetworkPrograms | SandboxProblem {
  const [unshare, nsenter, ip, sh] = ['unshare', 'nsenter', 'ip', 'sh'].map((name) => find(name));
  if (unshare === undefined || nsenter === undefined || sh === undefined) {
    return {
      message: 'a network allowlist needs `unshare` and `nsenter`',
      help: 'install them with `apt-get install util-linux`',
    };
  }
  if (ip === undefined) {
    return {message: 'a network allowlist needs `ip`', help: 'install it with `apt-get install iproute2`'};
  }
  return {unshare, nsenter, ip, sh};
}
