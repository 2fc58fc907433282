// A workspace folder with pins, packs beside it, and commands that run in it.
import {createHostPackSource} from '@lumenflow/host';
import type {Problem} from '@lumenflow/kernel';
import {packRequestOf, readWorkspace} from '@lumenflow/kernel/node';
import {spawnSync} from 'node:child_process';
import {mkdirSync, readFileSync, writeFileSync} from 'node:fs';
import {dirname, join} from 'node:path';
import {onTestFinished} from 'vitest';
import {parse} from 'yaml';
import {assertBuilt, makeFolder, runCommand, runCommandForJson, type Ran} from '../../support/lumenflow-program.ts';

export interface StageProblem {
  readonly code: string;
  readonly severity: 'error' | 'warning';
  readonly where: string;
  readonly message: string;
  readonly help: string;
}

export interface PackStage {
  /** Contains the workspace `ws` and other files of a test. */
  readonly root: string;
  readonly workspace: string;
  /** Files by their path relative to the root. */
  write(files: Readonly<Record<string, string>>): void;
  /** Writes workspace.yaml, a line for each pin; `security` is `security.packs`. */
  pin(pins: readonly object[], security?: object): void;
  run(...args: string[]): Promise<Ran>;
  json(...args: string[]): ReturnType<typeof runCommandForJson>;
  /** The errors that a command fails with. */
  problems(...args: string[]): Promise<readonly StageProblem[]>;
  /** What a host in this process finds wrong as it loads the packs. */
  loadProblems(): Promise<readonly Problem[]>;
  /** What `greet:hello` answers. */
  hello(): Promise<unknown>;
  lock(): {readonly packs: Readonly<Record<string, Record<string, unknown>>>};
}

export function makePackStage(env: Readonly<Record<string, string>> = {}): PackStage {
  assertBuilt();
  const folder = makeFolder();
  onTestFinished(() => folder.remove());
  const root = folder.path;
  const workspace = join(root, 'ws');
  const options = {cwd: workspace, env: {npm_config_cache: join(root, 'npm-cache'), ...env}};
  const stage: PackStage = {
    root,
    workspace,
    write: (files) => {
      for (const [path, text] of Object.entries(files)) {
        mkdirSync(dirname(join(root, path)), {recursive: true});
        writeFileSync(join(root, path), text);
      }
    },
    pin: (pins, security) => {
      const lines = pins.map((pin) => `  - ${JSON.stringify(pin)}\n`);
      const packs = security === undefined ? '' : `  packs: ${JSON.stringify(security)}\n`;
      stage.write({
        'ws/workspace.yaml': `id: demo\npacks:${lines.length === 0 ? ' []' : ''}\n${lines.join('')}lanes:\n  - {id: main, allowed_scopes: [${anything}]}\nsecurity:\n  allowed_scopes: [${anything}]\n${packs}policies: {default_decision: allow}\n`,
      });
    },
    run: async (...args) => await runCommand(args, options),
    json: async (...args) => await runCommandForJson(args, options),
    problems: async (...args) => {
      const {document} = await stage.json(...args);
      const {error} = document as {error?: {details?: {problems?: readonly StageProblem[]}}};
      return (error?.details?.problems ?? []).filter(({severity}) => severity === 'error');
    },
    loadProblems: async () => {
      const read = await readWorkspace({root: workspace, env: {}});
      if (!read.ok) return read.problem;
      const source = createHostPackSource({workspaceRoot: workspace});
      const {problems} = await source.load(packRequestOf(read.value));
      source.close();
      return problems.filter(({severity}) => severity === 'error');
    },
    hello: async () => {
      const {data, error} = (await stage.json('tools', 'call', 'greet:hello')).document;
      return data ?? error;
    },
    lock: () => parse(readFileSync(join(workspace, 'packs.lock'), 'utf8')) as ReturnType<PackStage['lock']>,
  };
  return stage;
}

const anything = '{type: path, pattern: "**", access: write}';

export interface GreeterWords {
  readonly version?: string;
  readonly description?: string;
  readonly word?: string;
  /** More of the tool, as YAML lines of its map. */
  readonly tool?: string;
  /** More tools, as YAML. */
  readonly tools?: string;
}

/** The files of a pack with the tool `greet:hello`, below a folder. */
export function greeter(folder: string, words: GreeterWords = {}): Readonly<Record<string, string>> {
  const {version = '1.0.0', description = 'Greets', word = 'hi', tool = '', tools = ''} = words;
  return {
    [`${folder}/manifest.yaml`]: `id: greeter
version: ${version}
manifest_version: 1
task_types: [greeting]
tools:
  - name: greet:hello
    description: ${description}
    handler_entry: greet.mjs#greet
    permission: read
${tool}${tools}`,
    [`${folder}/greet.mjs`]: `export const greet = () => ({greeting: '${word}'});\n`,
  };
}

/** Runs git as a user with a name does, and gives what it printed. Throws when it fails. */
export function git(cwd: string, ...args: string[]): string {
  const env = {...process.env, GIT_CONFIG_GLOBAL: '/dev/null', GIT_CONFIG_NOSYSTEM: '1'};
  const settings = ['-c', 'user.name=a', '-c', 'user.email=a@example.com', '-c', 'protocol.file.allow=always'];
  const {status, stdout, stderr} = spawnSync('git', [...settings, ...args], {cwd, env, encoding: 'utf8'});
  if (status !== 0) throw new Error(`git ${args.join(' ')}: ${stderr}`);
  return stdout.trim();
}

/** Commits everything below a folder, which becomes a repository. Gives the commit. */
export function commitAll(folder: string): string {
  git(folder, 'init', '--quiet', '-b', 'main');
  git(folder, 'add', '--all');
  git(folder, 'commit', '--quiet', '-m', 'change');
  return git(folder, 'rev-parse', 'HEAD');
}
