// A workspace and a dispatcher on the real sandbox, for tests of transactional calls.
import {
  chmodSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  writeFileSync,
} from 'node:fs';
import {randomUUID} from 'node:crypto';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {setTimeout as delay} from 'node:timers/promises';
import {fileURLToPath} from 'node:url';
import type {DispatchRequest, Grant, RegisteredTool} from '@lumenflow/kernel';
import {compileMatcher, normalizePath, parsePattern, type PathPattern} from '@lumenflow/kernel/adapters';
import {createProcessRegistry} from '@lumenflow/kernel/node';
import {createSandbox, type RecoveryNote, type SandboxOptions} from '@lumenflow/sandbox';
import type {ToolDeclaration} from '@lumenflow/schemas';
import {createPool} from '../pool/index.ts';
import {createDispatcher} from './create-dispatcher.ts';
import {removeTree} from './remove-tree.fixture.ts';
import {settleCall, type SettledCall, type SettleOptions} from './settle-call.fixture.ts';

const handlers = fileURLToPath(new URL('./fixtures/transactional-writes.mjs', import.meta.url));
const runnerPath = fileURLToPath(new URL('../../sandbox/dist/runner.cjs', import.meta.url));

export interface TransactionBench {
  readonly root: string;
  /** Runs a shell script as a transactional call that can write to the patterns, by default `**`. */
  call(script: string, ...patterns: readonly string[]): Promise<SettledCall>;
  run(request: CallOptions): Promise<SettledCall>;
  /** Every file below the root with its permissions and content, except the runtime's state. */
  tree(): Readonly<Record<string, string>>;
  /** Files that transactions have left behind, except those that conflicts keep. */
  leftovers(): readonly string[];
  /** The outcomes of interrupted calls. */
  readonly recovered: readonly RecoveryNote[];
  /** Fulfilled once the host has looked for interrupted calls. */
  readonly ready: Promise<void>;
  /** Waits until the spares for the last calls are started, and returns their number. */
  stocked(): Promise<number>;
  /** Closes the host and keeps the workspace. */
  endHost(): Promise<void>;
  /** Removes the workspace as well. */
  close(): Promise<void>;
}

/** Recreates the workspace with a few files. */
export function fillWorkspace({root}: TransactionBench): void {
  removeTree(root);
  mkdirSync(join(root, 'docs/deep/er'), {recursive: true});
  for (const [path, content] of Object.entries({
    'docs/a.md': 'a\r\n',
    'docs/b.md': 'b',
    'docs/deep/c.md': 'c',
    'docs/deep/er/d.md': 'd',
    'other.txt': 'other',
    '.npmrc': 'trusted',
  })) {
    writeFileSync(join(root, path), content);
  }
}

export interface CallOptions extends SettleOptions {
  readonly handler?: string;
  readonly input: unknown;
  readonly patterns?: readonly string[];
  /** Entries of an allowlist; without it the network is off. */
  readonly network?: readonly string[];
  readonly declared?: Partial<ToolDeclaration>;
  readonly writes?: 'direct' | 'transactional';
  readonly signal?: AbortSignal;
  readonly receiptId?: string;
  /** The caller's receipt, for a nested call. */
  readonly caller?: string;
  /** Whether the patterns grant read access only. */
  readonly readsOnly?: boolean;
  /** What others do while the handler waits for them: see `shellAmongOthers`. */
  readonly others?: (() => void | Promise<void>) | undefined;
}

interface BenchOptions extends Partial<Pick<SandboxOptions, 'backend' | 'warm' | 'searchPath'>> {
  readonly home?: string;
  readonly stateFolder?: string;
}

/** `root`: an existing workspace. Default: a new folder whose name contains characters that are special in mount options. */
export function openTransactionBench(
  root: string = join(realpathSync(mkdtempSync(join(tmpdir(), 'transactional-writes-'))), 'work space, é'),
  {
    home = '/nonexistent',
    stateFolder = join(root, '../state', String(process.getuid?.())),
    ...sandboxOptions
  }: BenchOptions = {},
): TransactionBench {
  mkdirSync(root, {recursive: true});
  const recovered: RecoveryNote[] = [];
  const sandbox = createSandbox({searchPath: '/usr/bin:/bin', runnerPath, ...sandboxOptions});
  const dispatcher = createDispatcher({
    pool: createPool({threadsMax: 1}),
    sandbox,
    workspaceRoot: root,
    env: {},
    home,
    stateFolder,
    onRecovered: (note) => recovered.push(note),
    processes: createProcessRegistry(),
    now: () => Date.now(),
  });
  const run = async (options: CallOptions): Promise<SettledCall> => {
    const request = requestFor(options);
    const outcome = await dispatcher.dispatch(request);
    try {
      return await settleCall(outcome, options, (changes) => dispatcher.parked?.apply(request.receipt_id, changes));
    } finally {
      outcome.afterCall?.();
      await dispatcher.cleared();
    }
  };
  return {
    root,
    run,
    recovered,
    ready: dispatcher.recovered,
    async stocked() {
      do await delay(20);
      while ((sandbox.warmPool()?.starting ?? 0) > 0);
      return sandbox.warmPool()?.spares ?? 0;
    },
    call: (script, ...patterns) => run({input: {script}, ...(patterns.length === 0 ? {} : {patterns})}),
    tree: () => treeOf(root, ''),
    leftovers: () => {
      try {
        return readdirSync(join(root, '.lumenflow/transactions')).filter((name) => name !== 'parked');
      } catch {
        // The file did not exist, or the last call removed it.
        return [];
      }
    },
    endHost: () => dispatcher.close(),
    async close() {
      await dispatcher.close();
      removeTree(join(root, '..'));
    },
  };
}

function requestFor(options: CallOptions): DispatchRequest {
  const grant = grantOf(options.patterns ?? ['**'], options);
  return {
    receipt_id: options.receiptId ?? `rcp-${randomUUID()}`,
    ...(options.caller !== undefined && {caller_receipt_id: options.caller}),
    depth: 0,
    tool: toolFor(options),
    input: options.input,
    task_id: 'task-1',
    run_id: 'run-1',
    session_id: 'ses-1',
    lane_id: 'lane-1',
    grant,
    scope_enforced: grant.toGrantedScopes(),
    writes: options.writes ?? 'transactional',
    ...(options.signal && {signal: options.signal}),
    onProgress: () => {},
    onLog: () => {},
    callTool: async (_name, input) => {
      await options.others?.();
      return {success: true, data: input};
    },
  };
}

function toolFor({handler = 'shell', declared, validateOutput}: CallOptions): RegisteredTool {
  const name = `demo:${handler.toLowerCase()}`;
  return {
    name,
    module_path: handlers,
    export_name: handler,
    where: 'manifest.yaml:1:1',
    declaration: {
      name,
      description: name,
      handler_entry: `transactional-writes.mjs#${handler}`,
      permission: 'write',
      ...declared,
    },
    validateInput: () => [],
    validateOutput: validateOutput ?? (() => []),
    pack: {
      pin: {id: 'demo', version: '1.0.0', integrity: 'dev', source: 'local'},
      integrity: 'sha256:0',
    },
  } as unknown as RegisteredTool;
}

function grantOf(
  texts: readonly string[],
  {network: allowlist, readsOnly = false}: Pick<CallOptions, 'network' | 'readsOnly'>,
): Grant {
  const read = texts.flatMap(patternsOf);
  const write = readsOnly ? [] : read;
  const hole = patternsOf('.lumenflow/**');
  const cut = patternsOf('cut/**');
  const inHole = compileMatcher([...hole, ...cut]);
  const matches = compileMatcher(read);
  const posture = allowlist === undefined ? ('off' as const) : ('allowlist' as const);
  const network = {posture, allowlist_entries: [...(allowlist ?? [])]};
  return {
    read,
    write,
    network: network as unknown as Grant['network'],
    holes: {
      list: [...hole, ...cut].map((pattern) => ({pattern, where: undefined})),
      cuts: inHole,
    } as unknown as Grant['holes'],
    allows(path, access) {
      const normalized = normalizePath(path);
      if (readsOnly && access === 'write') return false;
      return normalized !== undefined && matches(normalized) && !inHole(normalized);
    },
    whyNot: (path, access) =>
      matches(path) && !inHole(path)
        ? undefined
        : {
            path,
            access,
            layer: 'lane',
            where: 'workspace.yaml:9:5',
            message: `the lane does not allow writing \`${path}\``,
            help: 'add it',
          },
    toGrantedScopes: () => ({read: readsOnly ? [...texts] : [], write: write.map(({text}) => text), network}),
  };
}

function patternsOf(text: string): readonly PathPattern[] {
  const parsed = parsePattern(text);
  if (!parsed.ok) throw new Error(parsed.problem.message);
  return parsed.value;
}

function treeOf(root: string, below: string): Record<string, string> {
  const tree: Record<string, string> = {};
  for (const name of readdirSync(join(root, below))) {
    const path = join(below, name);
    if (path === '.lumenflow') continue;
    const place = join(root, path);
    const stat = lstatSync(place);
    const mode = (stat.mode & 0o7777).toString(8);
    if (stat.isSymbolicLink()) tree[path] = `-> ${readlinkSync(place)}`;
    else if (stat.isDirectory()) Object.assign(tree, {[`${path}/`]: mode}, treeOf(root, path));
    else tree[path] = `${mode} ${contentOf(place)}`;
  }
  return tree;
}

function contentOf(place: string): string {
  try {
    return readFileSync(place, 'utf8');
  } catch {
    chmodSync(place, 0o600);
    return readFileSync(place, 'utf8');
  }
}
