// The first data that a client sends on a connection to a listed name, checked against that name. Many names may share one
// address, and only the listed one was granted. Protocols that name no host pass.
import {readClientHello} from './client-hello.ts';
import {readRequestHead, type RequestHead} from './request-head.ts';

export type Opening =
  /** Everything that follows may be forwarded. */
  | {readonly kind: 'pass'}
  /** A request for the name; others may follow it. */
  | {readonly kind: 'request'; readonly head: RequestHead}
  | {readonly kind: 'refuse'; readonly problem: string}
  /** More is needed; the first `harmless` bytes may be forwarded already. */
  | {readonly kind: 'more'; readonly harmless: number};

const tlsHandshake = 0x16;

/** `bytes`: everything the client has sent so far, at least one byte. */
export function inspectOpening(bytes: Buffer, name: string): Opening {
  return bytes[0] === tlsHandshake ? inspectTls(bytes, name) : inspectText(bytes, name);
}

function inspectTls(bytes: Buffer, name: string): Opening {
  const hello = readClientHello(bytes);
  if (hello.kind === 'incomplete') return {kind: 'more', harmless: 0};
  if (hello.kind === 'malformed') return {kind: 'refuse', problem: 'its TLS hello is malformed'};
  if (hello.isEncrypted) {
    return {kind: 'refuse', problem: 'its TLS hello hides the server name (Encrypted Client Hello)'};
  }
  if (hello.serverName === undefined) return {kind: 'refuse', problem: 'its TLS hello does not name a server'};
  return sameName(hello.serverName, name)
    ? {kind: 'pass'}
    : {kind: 'refuse', problem: `its TLS hello names \`${hello.serverName}\``};
}

function inspectText(bytes: Buffer, name: string): Opening {
  const reading = readRequestHead(bytes);
  switch (reading.kind) {
    case 'incomplete':
      return {kind: 'more', harmless: reading.harmless};
    case 'not_http':
      return {kind: 'pass'};
    case 'malformed':
      return {kind: 'refuse', problem: `its HTTP request cannot be checked: ${reading.problem}`};
    case 'read': {
      const {head} = reading;
      const other = head.hosts.find((host) => !sameName(host, name));
      return other === undefined
        ? {kind: 'request', head}
        : {kind: 'refuse', problem: `its HTTP request is for \`${other}\``};
    }
    default:
      return reading satisfies never;
  }
}

function sameName(said: string, name: string): boolean {
  return said.toLowerCase().replace(/\.$/, '') === name;
}
