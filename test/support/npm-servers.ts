// MCP servers from npm that work without a network and an account, with a call of each that changes nothing.
import type {PackPin} from '@lumenflow/schemas';
import {execFileSync} from 'node:child_process';
import {existsSync} from 'node:fs';
import {join, relative} from 'node:path';
import {within} from './upstream-workspace.ts';

export interface NpmServer {
  readonly id: string;
  readonly spec: `${string}@${string}`;
  /** As the server reports it. */
  readonly version: string;
  /** Its program in the package. */
  readonly file: string;
  readonly args?: readonly string[];
  /** For its environment. */
  readonly env?: Readonly<Record<string, string>>;
  /** The server's own name of the tool. */
  readonly tool: string;
  readonly input: Readonly<Record<string, unknown>>;
  /** What its tools read. */
  readonly reads?: string;
  /** A program of the system without which it cannot run. */
  readonly needs?: string;
}

const chromium = '/usr/lib/chromium/chromium-headless-shell';
const thought = {thought: 'one step', nextThoughtNeeded: true, thoughtNumber: 1, totalThoughts: 2};

export const npmServers: readonly NpmServer[] = [
  {
    id: 'everything',
    version: '2.0.0',
    spec: '@modelcontextprotocol/server-everything@2026.8.31',
    file: 'dist/index.js',
    tool: 'get-sum',
    input: {a: 1, b: 2},
  },
  {
    id: 'filesystem',
    version: '0.2.0',
    spec: '@modelcontextprotocol/server-filesystem@2026.8.31',
    file: 'dist/index.js',
    args: ['.'],
    tool: 'read_text_file',
    input: {path: 'docs/a.md'},
    reads: 'docs',
  },
  {
    id: 'memory',
    version: '0.6.3',
    spec: '@modelcontextprotocol/server-memory@2026.8.31',
    file: 'dist/index.js',
    env: {MEMORY_FILE_PATH: '/tmp/graph.jsonl'},
    tool: 'read_graph',
    input: {},
  },
  {
    id: 'thinking',
    version: '2026.8.31',
    spec: '@modelcontextprotocol/server-sequential-thinking@2026.8.31',
    file: 'dist/index.js',
    env: {DISABLE_THOUGHT_LOGGING: 'true'},
    tool: 'sequentialthinking',
    input: thought,
  },
  {
    id: 'playwright',
    version: '0.0.64',
    spec: '@playwright/mcp@0.0.64',
    file: 'cli.js',
    args: ['--headless', '--isolated', '--no-sandbox', '--executable-path', chromium, '--output-dir', '/tmp/output'],
    tool: 'browser_tabs',
    input: {action: 'list'},
    needs: chromium,
  },
  {
    id: 'time',
    version: '1.0.6',
    spec: 'time-mcp@1.0.6',
    file: 'dist/index.js',
    tool: 'days_in_month',
    input: {date: '2026-02-01'},
  },
  {
    id: 'graph',
    version: '1.0.7',
    spec: '@itseasy21/mcp-knowledge-graph@1.0.7',
    file: 'dist/index.js',
    args: ['--memory-path', '/tmp/graph.jsonl'],
    tool: 'read_graph',
    input: {},
  },
  {
    id: 'commands',
    version: '1.2.18',
    spec: '@agent-infra/mcp-server-commands@1.2.18',
    file: 'dist/index.cjs',
    tool: 'run_command',
    input: {command: 'echo hello'},
  },
  {
    id: 'accesslint',
    version: '0.11.1',
    spec: '@accesslint/mcp@0.11.1',
    file: 'bin/accesslint-mcp.js',
    tool: 'explain_rule',
    input: {id: 'text-alternatives/img-alt'},
  },
  {
    id: 'bank',
    version: '1.0.0',
    spec: '@allpepper/memory-bank-mcp@0.2.2',
    file: 'dist/main/index.js',
    env: {MEMORY_BANK_ROOT: '/tmp'},
    tool: 'list_projects',
    input: {},
  },
];

/** Why the server cannot run here; undefined if it can. */
export function npmServerObstacle({needs}: NpmServer): string | undefined {
  return needs === undefined || existsSync(needs)
    ? undefined
    : `${needs} is missing: \`apt-get install chromium-headless-shell\``;
}

export function npmServer(id: string): NpmServer {
  const found = npmServers.find((server) => server.id === id);
  if (found === undefined) throw new Error(`no server of the list is named \`${id}\``);
  return found;
}

/** What starts a server, which is installed if it is missing, and the folder of its program. */
export function npmServerProgram({spec, file, args = [], env = {}}: NpmServer): {command: string[]; folder: string} {
  const installer = join(import.meta.dirname, '../../scripts/npm-program.mjs');
  const program = execFileSync(process.execPath, [installer, spec, file], {encoding: 'utf8', stdio: [0, 'pipe', 2]});
  const inPackage = join('node_modules', spec.slice(0, spec.lastIndexOf('@')), file);
  const variables = Object.entries(env).map(([name, value]) => `${name}=${value}`);
  return {
    command: ['env', ...variables, 'node', program, ...args],
    folder: join(program.slice(0, -inPackage.length), 'node_modules'),
  };
}

/** `root`: of the workspace. `tools`: the server's own names; default the one of the list. */
export function pinNpmServer(server: NpmServer, root: string, tools: readonly string[] = [server.tool]): PackPin {
  const {id, version, reads} = server;
  const {command, folder} = npmServerProgram(server);
  const scopes = reads === undefined ? {} : {required_scopes: within(reads, 'read')};
  return {
    id,
    version,
    integrity: 'dev',
    source: 'mcp',
    command: command as [string, ...string[]],
    path: relative(root, folder),
    lifetime: 'session',
    tools: Object.fromEntries(tools.map((name) => [name, {permission: 'read' as const, ...scopes}])),
  };
}
