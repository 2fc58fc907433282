// Serves the DNS of one namespace, at a bounded rate.
import type {Socket} from 'node:dgram';
import {answerDns, refuseDns} from './dns-answer.ts';
import type {NetworkAudit} from './network-audit.ts';
import type {NameLookup, NetworkPolicy} from './network-policy.ts';

export interface DnsService {
  readonly socket: Socket;
  readonly policy: NetworkPolicy;
  readonly audit: NetworkAudit;
  readonly hasIpv6: boolean;
  /** Whether queries are answered: none is before the call has arrived. */
  mayAsk(): boolean;
}

const burst = 1000;
const queriesPerSecond = 500;

export function serveDns({socket, policy, audit, hasIpv6, mayAsk}: DnsService): void {
  const admit = createRateLimit();
  const lookUp = async (name: string): Promise<NameLookup> => withFamilies(await policy.lookUp(name), hasIpv6);
  socket.on('message', (query, {address, port}) => {
    if (!mayAsk()) return;
    void (async () => {
      const {response, refused} = admit() ? await answerDns(query, lookUp) : {response: refuseDns(query)};
      if (refused !== undefined) audit.deny({destination: refused.name, rule: undefined}, refused.problem);
      // The client or the socket may be gone by now.
      if (response !== undefined && !isClosed) socket.send(response, port, address, () => undefined);
    })();
  });
  let isClosed = false;
  socket.once('close', () => (isClosed = true));
  // A datagram that could not be delivered is reported as an error.
  socket.on('error', () => undefined);
}

function withFamilies(found: NameLookup, hasIpv6: boolean): NameLookup {
  return found.kind !== 'found' || hasIpv6 ? found : {...found, ipv6: []};
}

function createRateLimit(): () => boolean {
  let left = burst;
  let at = performance.now();
  return () => {
    const now = performance.now();
    left = Math.min(burst, left + ((now - at) / 1000) * queriesPerSecond);
    at = now;
    if (left < 1) return false;
    left -= 1;
    return true;
  };
}
