// The system programs that create a sandbox's network.
import {failed, ok, type Outcome} from '../outcome.ts';
import {findProgram} from '../commands/find-program.ts';

export interface NetworkPrograms {
  readonly unshare: string;
  readonly nsenter: string;
  readonly ip: string;
  /**
   * Undefined if it is not installed. Then ranges are limited to common ports, and attempts without a listener are not recorded.
   */
  readonly nft: string | undefined;
  readonly sh: string;
}

export function findNetworkPrograms(
  find: (name: string) => string | undefined = findProgram,
): Outcome<NetworkPrograms> {
  const [unshare, nsenter, ip, sh, nft] = ['unshare', 'nsenter', 'ip', 'sh', 'nft'].map((name) => find(name));
  if (unshare === undefined || nsenter === undefined || sh === undefined) {
    return failed({
      message: 'sandboxes with network access need `unshare` and `nsenter`',
      help: 'install them with `apt-get install util-linux`',
    });
  }
  if (ip === undefined) {
    return failed({
      message: 'sandboxes with network access need `ip`',
      help: 'install it with `apt-get install iproute2`',
    });
  }
  return ok({unshare, nsenter, ip, sh, nft});
}
