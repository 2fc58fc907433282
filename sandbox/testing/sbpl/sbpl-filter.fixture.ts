// The filters of the macOS sandbox profile language, each as a test of what a process asks for.
import type {Expression, Text} from './read-sbpl.fixture.ts';

/** What a process asks the kernel for. */
export interface Query {
  readonly operation: string;
  /** As the kernel writes it. */
  readonly path?: string;
  /** The other end of a connection. */
  readonly remote?: {readonly protocol: 'tcp' | 'udp'; readonly host: string; readonly port: number};
  /** A service, a kernel variable, a piece of shared memory. */
  readonly name?: string;
  readonly target?: 'self' | 'same-sandbox' | 'others';
}

export type Filter = (query: Query) => boolean;
export type Parameters = Readonly<Record<string, string>>;

export function sbplFilter(expression: Expression, parameters: Parameters): Filter {
  const [kind, ...args] = listOf(expression);
  switch (kind) {
    case 'require-all':
      return every(args.map((arg) => sbplFilter(arg, parameters)));
    case 'require-any':
      return some(args.map((arg) => sbplFilter(arg, parameters)));
    case 'require-not': {
      const [filter] = args.map((arg) => sbplFilter(arg, parameters));
      if (filter === undefined || args.length !== 1) throw new Error('require-not takes one filter');
      return (query) => !filter(query);
    }
    case 'target':
      return ({target}) => target === args[0] || (args[0] === 'same-sandbox' && target === 'self');
    case 'remote':
      return remoteFilter(args[0], textOf(args[1], parameters));
    default:
      return some(args.map((arg) => textFilter(JSON.stringify(kind), textOf(arg, parameters))));
  }
}

/** `kind`: as JSON. */
function textFilter(kind: string, text: string): Filter {
  switch (kind) {
    case '"literal"':
      return byPath((path) => path === text);
    case '"subpath"':
      return subpathFilter(text);
    case '"prefix"':
      return byPath((path) => path.startsWith(text));
    case '"regex"': {
      const pattern = regexOf(text);
      return byPath((path) => pattern.test(bytesOf(path)));
    }
    case '"global-name"':
    case '"sysctl-name"':
    case '"ipc-posix-name"':
      return ({name}) => name === text;
    case '"sysctl-name-prefix"':
      return ({name}) => name?.startsWith(text) === true;
    default:
      throw new Error(`unknown filter \`${kind}\``);
  }
}

function listOf(expression: Expression): readonly Expression[] {
  if (!Array.isArray(expression)) throw new Error(`\`${JSON.stringify(expression)}\` is no filter`);
  return expression as readonly Expression[];
}

/** A string, a parameter, or several joined. */
function textOf(expression: Expression | undefined, parameters: Parameters): string {
  if (Array.isArray(expression)) {
    const [kind, ...args] = expression as readonly Expression[];
    if (kind === 'string-append') return args.map((arg) => textOf(arg, parameters)).join('');
    const value = kind === 'param' ? parameters[textOf(args[0], parameters)] : undefined;
    if (value !== undefined) return value;
  }
  const text = (expression as Text | undefined)?.text;
  if (text === undefined) throw new Error(`\`${JSON.stringify(expression)}\` is no string`);
  return text;
}

function subpathFilter(base: string): Filter {
  if (!base.startsWith('/') || (base.endsWith('/') && base !== '/')) throw new Error(`subpath \`${base}\``);
  return byPath((path) => path === base || base === '/' || path.startsWith(`${base}/`));
}

function byPath(test: (path: string) => boolean): Filter {
  return ({path}) => path !== undefined && test(path);
}

function every(filters: readonly Filter[]): Filter {
  return (query) => filters.every((filter) => filter(query));
}

function some(filters: readonly Filter[]): Filter {
  return (query) => filters.some((filter) => filter(query));
}

/** Of hosts the language knows `*` and `localhost`, and refuses others. */
function remoteFilter(protocol: Expression | undefined, address: string): Filter {
  const parts = /^(\*|localhost):(\*|\d+)$/.exec(address);
  if (parts === null || typeof protocol !== 'string' || !['ip', 'tcp', 'udp'].includes(protocol)) {
    throw new Error(`unknown remote \`${address}\``);
  }
  const [, host, port] = parts;
  return ({remote}) =>
    remote !== undefined &&
    (protocol === 'ip' || protocol === remote.protocol) &&
    (host === '*' || isLoopback(remote.host)) &&
    (port === '*' || Number(port) === remote.port);
}

function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || /^127\.\d+\.\d+\.\d+$/.test(host);
}

/** Only what POSIX extended expressions share with JavaScript's; over bytes, since no more is promised. */
function regexOf(pattern: string): RegExp {
  const shared = /^(?:\\[^\w\s]|\[\^?[^\][\\]+\]|[$.|()^]|[^$^.|()[\]{}\\*+?]|(?<!^|[(|*+?])[*+?])*$/;
  if (!shared.test(pattern)) throw new Error(`the expression \`${pattern}\` is not in the language`);
  return new RegExp(bytesOf(pattern));
}

function bytesOf(text: string): string {
  return Buffer.from(text, 'utf8').toString('latin1');
}
