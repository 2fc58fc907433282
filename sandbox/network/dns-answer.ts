// Answers one DNS query from a book of addresses. Nothing is ever asked of anybody: a name that is not listed
// does not exist here, so a query carries nothing out.
import type {NameAddresses} from './address-book.ts';

export interface DnsAnswer {
  /** Undefined for what is no query. */
  readonly response: Buffer | undefined;
  /** The name that was asked for and is not listed. */
  readonly refused?: string;
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

export function answerDns(query: Buffer, addressesOf: (name: string) => NameAddresses | undefined): DnsAnswer {
  // Too short to answer, or an answer itself.
  if (query.length < headerBytes || query.readUInt8(2) >= 0x80) return {response: undefined};
  if ((query.readUInt8(2) & 0x78) !== 0) return {response: respond(query, codes.notImplemented)};
  const question = query.readUInt16BE(4) === 1 ? readQuestion(query) : undefined;
  if (question === undefined) return {response: respond(query, codes.formatError)};
  const addresses = question.isInternet ? addressesOf(question.name) : undefined;
  if (addresses === undefined)
    return {response: respond(query, codes.noSuchName, question.end), refused: question.name};
  return {response: respond(query, codes.ok, question.end, recordData(question.type, addresses))};
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

function recordData(type: number, {ipv4, ipv6}: NameAddresses): readonly [type: number, data: Buffer] | undefined {
  if (type === types.a) return [type, Buffer.from(ipv4.split('.').map(Number))];
  // Of the form that the book makes: `fd00:6c66::n`.
  if (type === types.aaaa && ipv6 !== '') return [type, ipv6Bytes(ipv6)];
  return undefined;
}

function ipv6Bytes(address: string): Buffer {
  const [head = '', tail = ''] = address.split('::').map((half) =>
    half
      .split(':')
      .map((group) => group.padStart(4, '0'))
      .join(''),
  );
  return Buffer.from(head + '0'.repeat(32 - head.length - tail.length) + tail, 'hex');
}

function respond(
  query: Buffer,
  code: number,
  questionEnd = headerBytes,
  record?: ReturnType<typeof recordData>,
): Buffer {
  const header = Buffer.alloc(headerBytes);
  query.copy(header, 0, 0, 2);
  // An answer to a recursive query, with the asker's opcode and wish for recursion.
  header.writeUInt8(0x80 | (query.readUInt8(2) & 0x79), 2);
  header.writeUInt8(0x80 | code, 3);
  header.writeUInt16BE(questionEnd > headerBytes ? 1 : 0, 4);
  header.writeUInt16BE(record === undefined ? 0 : 1, 6);
  const question = query.subarray(headerBytes, questionEnd);
  if (record === undefined) return Buffer.concat([header, question]);
  const [type, data] = record;
  const meta = Buffer.alloc(12);
  meta.writeUInt16BE(0xc000 | headerBytes, 0);
  meta.writeUInt16BE(type, 2);
  meta.writeUInt16BE(1, 4);
  meta.writeUInt32BE(ttlSeconds, 6);
  meta.writeUInt16BE(data.length, 10);
  return Buffer.concat([header, question, meta, data]);
}
