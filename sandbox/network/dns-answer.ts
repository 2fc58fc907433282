// Answers one DNS query as the policy of a network decides. Only the name of the query is passed on.
import {ipv6Bytes} from './ip-address.ts';
import type {NameLookup, NetworkPolicy} from './network-policy.ts';

export interface DnsAnswer {
  /** Undefined if it is not a query. */
  readonly response: Buffer | undefined;
  /** What the policy refused. */
  readonly refused?: {readonly name: string; readonly problem: string};
}

interface Question {
  readonly name: string;
  readonly type: number;
  readonly isInternet: boolean;
  readonly end: number;
}

const headerBytes = 12;
const types = {a: 1, aaaa: 28} as const;
const codes = {ok: 0, formatError: 1, noSuchName: 3, notImplemented: 4, refused: 5} as const;
const ttlSeconds = 60;
/** The number of answers that fits into the 512 bytes that every client accepts, with the longest name. */
const recordsMax = 8;

export async function answerDns(query: Buffer, lookUp: NetworkPolicy['lookUp']): Promise<DnsAnswer> {
  // Too short for a query, or itself an answer.
  if (query.length < headerBytes || query.readUInt8(2) >= 0x80) return {response: undefined};
  if ((query.readUInt8(2) & 0x78) !== 0) return {response: respond(query, codes.notImplemented)};
  const question = query.readUInt16BE(4) === 1 ? readQuestion(query) : undefined;
  if (question === undefined) return {response: respond(query, codes.formatError)};
  const {name, type, end} = question;
  const found: NameLookup = question.isInternet ? await lookUp(name) : {kind: 'unknown'};
  if (found.kind === 'found') return {response: respond(query, codes.ok, {end, type, data: recordData(type, found)})};
  const response = respond(query, codes.noSuchName, {end, type, data: []});
  return found.kind === 'unknown' ? {response} : {response, refused: {name, problem: found.problem}};
}

export function refuseDns(query: Buffer): Buffer | undefined {
  return query.length < headerBytes ? undefined : respond(query, codes.refused);
}

function readQuestion(query: Buffer): Question | undefined {
  const labels: string[] = [];
  let at = headerBytes;
  for (;;) {
    const length = query[at];
    // Compression has nothing to point back to in a question.
    if (length === undefined || length > 63 || at + length + 5 > query.length) return undefined;
    at += 1;
    if (length === 0) break;
    labels.push(query.toString('latin1', at, at + length));
    at += length;
  }
  const isInternet = query.readUInt16BE(at + 2) === 1;
  return {name: labels.join('.').toLowerCase(), type: query.readUInt16BE(at), isInternet, end: at + 4};
}

function recordData(type: number, {ipv4, ipv6}: Extract<NameLookup, {kind: 'found'}>): readonly Buffer[] {
  if (type === types.a) return ipv4.slice(0, recordsMax).map((address) => Buffer.from(address.split('.').map(Number)));
  return type === types.aaaa ? ipv6.slice(0, recordsMax).map(ipv6Bytes) : [];
}

interface Answered {
  /** Where the question ends. */
  readonly end: number;
  readonly type: number;
  readonly data: readonly Buffer[];
}

function respond(query: Buffer, code: number, answered?: Answered): Buffer {
  const {end, type, data} = answered ?? {end: headerBytes, type: 0, data: []};
  const header = Buffer.alloc(headerBytes);
  query.copy(header, 0, 0, 2);
  // An answer to a recursive query, with the opcode and the recursion flag of the query.
  header.writeUInt8(0x80 | (query.readUInt8(2) & 0x79), 2);
  header.writeUInt8(0x80 | code, 3);
  header.writeUInt16BE(answered === undefined ? 0 : 1, 4);
  header.writeUInt16BE(data.length, 6);
  const records = data.flatMap((bytes) => [recordHead(type, bytes.length), bytes]);
  return Buffer.concat([header, query.subarray(headerBytes, end), ...records]);
}

function recordHead(type: number, dataBytes: number): Buffer {
  const head = Buffer.alloc(12);
  // The name is that of the question.
  head.writeUInt16BE(0xc000 | headerBytes, 0);
  head.writeUInt16BE(type, 2);
  head.writeUInt16BE(1, 4);
  head.writeUInt32BE(ttlSeconds, 6);
  head.writeUInt16BE(dataBytes, 10);
  return head;
}
