// What a client says first on a connection to a listed name, held against that name: many names may share one
// address, and only the listed one was granted. Protocols that name no host pass.
import {readClientHello} from './client-hello.ts';
import {readRequestHead} from './http-request-head.ts';

export type Opening =
  | {readonly kind: 'pass'}
  | {readonly kind: 'refuse'; readonly problem: string}
  /** More is needed; the first `harmless` bytes may go on already. */
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
  if (hello.serverName === undefined) return {kind: 'refuse', problem: 'its TLS hello names no server'};
  return sameName(hello.serverName, name)
    ? {kind: 'pass'}
    : {kind: 'refuse', problem: `its TLS hello names \`${hello.serverName}\``};
}

function inspectText(bytes: Buffer, name: string): Opening {
  const head = readRequestHead(bytes);
  switch (head.kind) {
    case 'incomplete':
      return {kind: 'more', harmless: head.harmless};
    case 'not_http':
      return {kind: 'pass'};
    case 'malformed':
      return {kind: 'refuse', problem: `its HTTP request cannot be checked: ${head.problem}`};
    case 'read': {
      const other = head.hosts.find((host) => !sameName(host, name));
      return other === undefined ? {kind: 'pass'} : {kind: 'refuse', problem: `its HTTP request is for \`${other}\``};
    }
    default:
      return head satisfies never;
  }
}

function sameName(said: string, name: string): boolean {
  return said.toLowerCase().replace(/\.$/, '') === name;
}
