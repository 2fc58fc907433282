// A tool's context for tests: a temporary directory with real reads, writes and commands.
import {spawn} from 'node:child_process';
import {lstat, mkdir, mkdtemp, readdir, readFile, realpath, rm, rmdir, unlink, writeFile} from 'node:fs/promises';
import {tmpdir} from 'node:os';
import {dirname, join} from 'node:path';
import type {Readable} from 'node:stream';
import {ToolError, type ExecOptions, type ExecResult, type FileStat, type ToolContext} from '@lumenflow/pack-sdk';
import {onTestFinished} from 'vitest';
import {compileGlob} from './files/match-glob.ts';
import {createMemoryState} from './memory-state.fixture.ts';

export interface TestWorkspace {
  readonly root: string;
  readonly progress: readonly unknown[];
  /** Paths that match none of the globs are not granted. */
  context<Config>(config: Config, grant?: readonly string[]): ToolContext<Config>;
  put(path: string, content: string | Uint8Array): Promise<void>;
  text(path: string): Promise<string>;
  /** Runs git directly and returns its output. */
  git(...args: string[]): Promise<string>;
}

/** Removed when the test ends. */
export async function createTestWorkspace(): Promise<TestWorkspace> {
  const root = await realpath(await mkdtemp(join(tmpdir(), 'lumenflow-pack-')));
  onTestFinished(async () => {
    await rm(root, {recursive: true, force: true});
    await rm(homeOf(root), {recursive: true, force: true});
  });
  const progress: unknown[] = [];
  const memory = createMemoryState();
  const exec = (command: string, args: readonly string[], options: ExecOptions = {}): Promise<ExecResult> =>
    runCommand(root, command, args, options);
  const put = async (path: string, content: string | Uint8Array): Promise<void> => {
    await mkdir(dirname(join(root, path)), {recursive: true});
    await writeFile(join(root, path), content);
  };
  return {
    root,
    progress,
    put,
    text: (path) => readFile(join(root, path), 'utf8'),
    async git(...args) {
      const result = await exec('git', args, {env: {GIT_CONFIG_GLOBAL: '/dev/null', GIT_CONFIG_NOSYSTEM: '1'}});
      if (result.exit_code !== 0) throw new Error(`git ${args.join(' ')}: ${result.stderr}`);
      return result.stdout;
    },
    context: <Config>(config: Config, grant: readonly string[] = ['**']): ToolContext<Config> => ({
      task_id: 'task-1',
      run_id: 'run-1',
      session_id: 'session-1',
      receipt_id: 'rcp-1',
      lane_id: 'core',
      workspace_root: root,
      granted_scopes: {read: ['**'], write: ['**'], network: {posture: 'off', allowlist_entries: []}},
      config,
      env: {},
      signal: new AbortController().signal,
      progress: async (payload) => void progress.push(payload),
      log: {debug: () => {}, info: () => {}, warn: () => {}, error: () => {}},
      callTool: () => Promise.reject(new Error('no kernel in this test context')),
      fs: scopedFileSystem(root, grant, put),
      state: memory.state,
      stateNames: memory.stateNames,
      exec,
    }),
  };
}

function scopedFileSystem(root: string, grant: readonly string[], put: TestWorkspace['put']): ToolContext['fs'] {
  const globs = grant.map((glob) => compileGlob(`/${glob}`));
  const locate = (path: string): string => {
    if (path.split('/').includes('..') || !globs.some((matches) => matches(path))) {
      throw new ToolError('SCOPE_DENIED', `\`${path}\` is not granted`);
    }
    return join(root, path);
  };
  const stat = async (path: string): Promise<FileStat | undefined> => {
    const found = await lstat(locate(path)).catch(() => undefined);
    return found && {kind: kindOf(found), size: found.size, mtime_ms: found.mtimeMs};
  };
  const there = async (path: string): Promise<string> => {
    if ((await stat(path)) === undefined) throw new ToolError('NOT_FOUND', `\`${path}\` does not exist`);
    return join(root, path);
  };
  return {
    stat,
    read: async (path) => readFile(await there(path)),
    readText: async (path) => readFile(await there(path), 'utf8'),
    async write(path, content, options = {}) {
      locate(path);
      if (options.exclusive === true && (await stat(path)) !== undefined) throw new ToolError('EXISTS', path);
      await put(path, content);
    },
    async list(path) {
      const entries = await readdir(path === '.' ? root : await there(path), {withFileTypes: true});
      return entries
        .map((entry) => ({name: entry.name, kind: kindOf(entry)}))
        .toSorted((a, b) => (a.name < b.name ? -1 : 1));
    },
    async remove(path) {
      const kind = (await stat(path))?.kind;
      await (kind === 'directory' ? rmdir : unlink)(await there(path));
    },
  };
}

function kindOf(entry: {isFile(): boolean; isDirectory(): boolean; isSymbolicLink(): boolean}): FileStat['kind'] {
  if (entry.isFile()) return 'file';
  if (entry.isDirectory()) return 'directory';
  return entry.isSymbolicLink() ? 'symlink' : 'other';
}

/** Created on demand. */
function homeOf(root: string): string {
  return `${root}-home`;
}

/** Like a sandbox: a clean environment, limited output, and on timeout the whole process group is killed. */
function runCommand(root: string, command: string, args: readonly string[], options: ExecOptions): Promise<ExecResult> {
  const child = spawn(command, args, {
    cwd: join(root, options.cwd ?? '.'),
    env: {PATH: process.env['PATH'] ?? '', HOME: homeOf(root), ...options.env},
    detached: true,
  });
  child.stdin.on('error', () => {});
  child.stdin.end(options.stdin ?? '');
  const bytesMax = options.max_bytes ?? 1024 * 1024;
  const stdout = collect(child.stdout, bytesMax);
  const stderr = collect(child.stderr, bytesMax);
  let timedOut = false;
  const timer = setTimeout(() => {
    timedOut = true;
    if (child.pid !== undefined) process.kill(-child.pid, 'SIGKILL');
  }, options.timeout_ms ?? 60_000);
  return new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (code) => {
      clearTimeout(timer);
      resolve({
        stdout: stdout.bytes.toString('utf8'),
        stderr: stderr.bytes.toString('utf8'),
        exit_code: code ?? 137,
        truncated: stdout.truncated || stderr.truncated,
        timed_out: timedOut,
      });
    });
  });
}

interface Collected {
  bytes: Buffer;
  truncated: boolean;
}

function collect(stream: Readable, bytesMax: number): Collected {
  const kept: Collected = {bytes: Buffer.alloc(0), truncated: false};
  stream.on('data', (chunk: Buffer) => {
    kept.truncated ||= kept.bytes.length + chunk.length > bytesMax;
    kept.bytes = Buffer.concat([kept.bytes, chunk]).subarray(0, bytesMax);
  });
  return kept;
}
