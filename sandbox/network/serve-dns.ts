// Serves the DNS of one namespace, at a bounded rate.
import type {Socket} from 'node:dgram';
import type {AddressBook} from './address-book.ts';
import {answerDns, refuseDns} from './dns-answer.ts';
import type {NetworkAudit} from './network-audit.ts';

export interface DnsService {
  readonly socket: Socket;
  readonly book: AddressBook;
  readonly audit: NetworkAudit;
  readonly hasIpv6: boolean;
}

const burst = 1000;
const queriesPerSecond = 500;

export function serveDns({socket, book, audit, hasIpv6}: DnsService): void {
  const admit = createRateLimit();
  socket.on('message', (query, {address, port}) => {
    const {response, refused} = admit()
      ? answerDns(query, (name) => withFamilies(book.addressesOf(name), hasIpv6))
      : {response: refuseDns(query)};
    if (refused !== undefined) audit.deny({destination: refused, rule: undefined}, 'no entry lists the name');
    // Whoever asked may be gone by now.
    if (response !== undefined) socket.send(response, port, address, () => undefined);
  });
  // A datagram that could not be delivered comes back as an error.
  socket.on('error', () => undefined);
}

function withFamilies(found: ReturnType<AddressBook['addressesOf']>, hasIpv6: boolean): typeof found {
  return found === undefined || hasIpv6 ? found : {...found, ipv6: ''};
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
