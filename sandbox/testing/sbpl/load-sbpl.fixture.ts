// Judges a process's operations by the text of a macOS sandbox profile, as the language is documented: the last matching rule
// decides, otherwise the default. It is independent of the code that builds such texts.
import {readSbpl, type Expression} from './read-sbpl.fixture.ts';
import {sbplFilter, type Filter, type Parameters, type Query} from './sbpl-filter.fixture.ts';

export type Verdict = 'allow' | 'deny';

interface LoadedRule {
  readonly verdict: Verdict;
  readonly operations: readonly string[];
  readonly filters: readonly Filter[];
}

/** Those without a star are what the kernel asks; one with a star covers all that start like it. */
const operations: ReadonlySet<string> = new Set([
  'file-clone',
  'file-ioctl',
  'file-link',
  'file-map-executable',
  'file-read-data',
  'file-read-metadata',
  'file-read-xattr',
  'file-write-create',
  'file-write-data',
  'file-write-flags',
  'file-write-mode',
  'file-write-owner',
  'file-write-times',
  'file-write-unlink',
  'file-write-xattr',
  'iokit-open',
  'ipc-posix-sem',
  'ipc-posix-shm-read-data',
  'ipc-posix-shm-write-data',
  'mach-lookup',
  'mach-register',
  'network-bind',
  'network-inbound',
  'network-outbound',
  'process-exec',
  'process-exec-interpreter',
  'process-fork',
  'process-info-pidinfo',
  'pseudo-tty',
  'signal',
  'sysctl-read',
  'sysctl-write',
]);

/** Throws for anything that is not in the language, as sandbox-exec refuses to start with it. */
export function loadSbpl(text: string, parameters: Parameters = {}): (query: Query) => Verdict {
  const [version, ...forms] = readSbpl(text);
  if (JSON.stringify(version) !== '["version","1"]') throw new Error('a profile begins with (version 1)');
  let fallback: Verdict = 'allow';
  const rules: LoadedRule[] = [];
  for (const form of forms) {
    const [action, ...rest] = Array.isArray(form) ? (form as readonly Expression[]) : [form];
    if (action !== 'allow' && action !== 'deny') throw new Error(`unknown form \`${JSON.stringify(form)}\``);
    if (rest.length === 1 && rest[0] === 'default') fallback = action;
    else rules.push(ruleOf(action, rest, parameters));
  }
  return (query) => {
    if (!operations.has(query.operation)) throw new Error(`unknown operation \`${query.operation}\``);
    return rules.findLast((rule) => ruleMatches(rule, query))?.verdict ?? fallback;
  };
}

function ruleOf(verdict: Verdict, rest: readonly Expression[], parameters: Parameters): LoadedRule {
  const names = rest.filter((item) => typeof item === 'string');
  const unknown = names.find((name) => ![...operations].some((operation) => covers(name, operation)));
  if (unknown !== undefined || names.length === 0) throw new Error(`unknown operation \`${unknown}\``);
  const filters = rest.filter((item) => typeof item !== 'string').map((item) => sbplFilter(item, parameters));
  return {verdict, operations: names, filters};
}

function ruleMatches(rule: LoadedRule, query: Query): boolean {
  return (
    rule.operations.some((name) => covers(name, query.operation)) &&
    (rule.filters.length === 0 || rule.filters.some((filter) => filter(query)))
  );
}

function covers(name: string, operation: string): boolean {
  return name.endsWith('*') ? operation.startsWith(name.slice(0, -1)) : name === operation;
}
