// One entry of a network allowlist: `host:port`, `*.host:port` (names below the host, at any depth), or an address
// range with an optional `:port`. Entries are parsed strictly and written in canonical form, because they reach firewalls and
// proxies: only letters, digits and `.:-*/[]` are allowed.
import {failed, ok, type Failed, type Outcome} from '../outcome.ts';
import {isHostOwnName, isHostOwnRange} from './host-own-addresses.ts';
import {containsRange, parseIpRange} from './ip-range.ts';
import type {IpRange} from './ip-range.ts';
import type {PatternProblem} from './parse-pattern.ts';

export type NetworkEntry =
  | {readonly kind: 'host'; readonly text: string; readonly host: string; readonly port: number}
  | {readonly kind: 'below'; readonly text: string; readonly host: string; readonly port: number}
  | {readonly kind: 'range'; readonly text: string; readonly range: IpRange; readonly port: number | undefined};

const examples =
  'write for example `api.example.com:443`, `*.example.com:443`, `10.0.0.0/8`, `10.0.0.0/8:443` or `[::1]:443`';

type RangeEntry = Extract<NetworkEntry, {kind: 'range'}>;

const forms: readonly RegExp[] = [
  /^\[(?<address>[^[\]/]*:[^[\]/]*)\](?:\/(?<prefix>[^:/]*))?(?::(?<port>.*))?$/, // [v6], [v6]/prefix
  /^(?<address>[^[\]/]+)\/(?<prefix>[^:/]*)(?::(?<port>.*))?$/, // v4/prefix, v6/prefix
  /^(?<address>[^[\]/]*:[^[\]/]*:[^[\]/]*)$/, // v6
  /^(?<address>[^[\]/:]+)(?::(?<port>.*))?$/, // host, v4
];

export function parseNetworkEntry(text: string): Outcome<NetworkEntry, PatternProblem> {
  const entry = entryInUrl(text);
  if (entry !== undefined)
    return refuse(0, 'a URL is not allowed', `write the host and the port only, such as \`${entry}\``);
  return parsePlainEntry(text);
}

/** What the author of a URL most likely means. */
function entryInUrl(text: string): string | undefined {
  const host = /^[A-Za-z][A-Za-z0-9+.-]*:\/\/(?<host>[^/]*)/.exec(text)?.groups?.['host'];
  if (host === '') return 'api.example.com:443';
  return host === undefined || host.includes(':') ? host : `${host}:443`;
}

function parsePlainEntry(text: string): ReturnType<typeof parseNetworkEntry> {
  const stranger = text.search(/[^A-Za-z0-9.:\-*/[\]]/);
  if (stranger >= 0) {
    return refuse(stranger, 'this character is not allowed', 'write names in ASCII, international ones as `xn--…`');
  }
  const parts = forms.map((form) => form.exec(text)?.groups).find((groups) => groups !== undefined);
  if (parts === undefined) return refuse(0, 'the entry is neither a host nor an address range', examples);
  const {address = '', prefix, port: writtenPort} = parts;
  if (writtenPort !== undefined && !isPort(writtenPort)) {
    const offset = text.length - writtenPort.length;
    return refuse(offset, 'the port is not valid', 'write a number from 1 to 65535 after the `:`');
  }
  const port = writtenPort === undefined ? undefined : Number(writtenPort);
  const range = parseIpRange(address, prefix);
  if (!range.ok) {
    const isHost = prefix === undefined && !address.includes(':');
    return isHost ? parseHost(address, port, text) : refuse(0, range.problem, examples);
  }
  if (prefix !== undefined || port !== undefined) return ok(rangeEntry(range.value, port));
  const everyPort = `add \`:port\`, or write \`${range.value.text}\` for every port`;
  return refuse(text.length, 'the port is missing', everyPort);
}

function parseHost(written: string, port: number | undefined, text: string): ReturnType<typeof parseNetworkEntry> {
  const below = written.startsWith('*.');
  const host = canonicalHost(below ? written.slice(2) : written);
  if (host === undefined) {
    return refuse(0, 'the host name is not valid', 'write `host:port`, or `*.host:port` for all names below a host');
  }
  if (port === undefined) return refuse(text.length, 'the port is missing', 'add it, for example `:443`');
  return ok({kind: below ? 'below' : 'host', text: `${below ? '*.' : ''}${host}:${port}`, host, port});
}

/** Lower case, without a trailing dot. Undefined when it is not a host name; what ends in a number is an address. */
export function canonicalHost(written: string): string | undefined {
  const host = written.toLowerCase().replace(/\.$/, '');
  const labels = host.split('.');
  const sound = labels.every((label) => /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/.test(label));
  if (!sound || host.length > 253 || /^(?:[0-9]+|0x[0-9a-f]*)$/.test(labels.at(-1) ?? '')) return undefined;
  return host;
}

/** Whether all that the entry names is the host's own. */
export function isHostOwn(entry: NetworkEntry): boolean {
  return entry.kind === 'range' ? isHostOwnRange(entry.range) : isHostOwnName(entry.host);
}

/**
 * The entry for exactly the intersection. Two entries never overlap in part, and an entry that is not entirely one of the host's own
 * addresses covers none of them.
 */
export function meetEntries(a: NetworkEntry, b: NetworkEntry): NetworkEntry | undefined {
  if (isHostOwn(a) !== isHostOwn(b)) return undefined;
  if (a.kind === 'range' || b.kind === 'range') {
    return a.kind === 'range' && b.kind === 'range' ? meetRanges(a, b) : undefined;
  }
  if (a.port !== b.port) return undefined;
  if (a.text === b.text) return a;
  if (a.kind === 'below' && b.host.endsWith(`.${a.host}`)) return b;
  return b.kind === 'below' && a.host.endsWith(`.${b.host}`) ? a : undefined;
}

function meetRanges(a: RangeEntry, b: RangeEntry): NetworkEntry | undefined {
  if (a.port !== undefined && b.port !== undefined && a.port !== b.port) return undefined;
  const inner = containsRange(a.range, b.range) ? b.range : containsRange(b.range, a.range) ? a.range : undefined;
  return inner === undefined ? undefined : rangeEntry(inner, a.port ?? b.port);
}

export function rangeEntry(range: IpRange, port: number | undefined): RangeEntry {
  if (port === undefined) return {kind: 'range', text: range.text, range, port};
  const address = range.text.slice(0, range.text.indexOf('/'));
  const bare = range.single ? (address.includes(':') ? `[${address}]` : address) : range.text;
  return {kind: 'range', text: `${bare}:${port}`, range, port};
}

function isPort(text: string): boolean {
  return /^[1-9][0-9]{0,4}$/.test(text) && Number(text) <= 65_535;
}

function refuse(offset: number, message: string, help: string): Failed<PatternProblem> {
  return failed({offset, message, help});
}
