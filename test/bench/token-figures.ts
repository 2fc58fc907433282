// What tools cost a model: tokens of `tools/list` and of three jobs, with all tools listed and with the facade, which finds them.
// The figures are the same on every machine.
import type {ToolDeclaration} from '@lumenflow/schemas';
import type {Client} from '@modelcontextprotocol/client';
import {countTokens} from 'gpt-tokenizer/encoding/o200k_base';
import {execFileSync} from 'node:child_process';
import {isDeepStrictEqual} from 'node:util';
import {connectDesk, createClient} from '../support/mcp-desk.ts';
import {makeHostWorkspace, type HostWorkspace} from '../support/host-workspace.ts';
import {labelledTools} from '../search/measure-recall.ts';
import type {Effort} from './effort.ts';
import type {Figure} from './figure.ts';

interface Step {
  /** What a model searches for. */
  readonly query: string;
  readonly tool: string;
  readonly args: Readonly<Record<string, unknown>>;
}

const jobs: Readonly<Record<string, readonly Step[]>> = {
  'find a text and read its file': [
    {query: 'search for a text in files', tool: 'file_search', args: {pattern: 'needle'}},
    {query: 'read a file', tool: 'file_read', args: {path: 'docs/b.md'}},
  ],
  'change a file and look at the difference': [
    {
      query: 'replace a text in a file',
      tool: 'file_edit',
      args: {path: 'docs/a.md', old_text: 'one', new_text: 'two'},
    },
    {query: 'read a file', tool: 'file_read', args: {path: 'docs/a.md'}},
  ],
  'list files and commits': [
    {query: 'list files', tool: 'file_list', args: {path: 'docs'}},
    {query: 'git log', tool: 'git_log', args: {}},
  ],
};

/** A busy machine starts the first sandbox slowly. */
const timeout = 600_000;

/** Tools that are listed: those of our packs, and copies of others. */
const sizes = [124, 1_000];
const goal = {of: 'ratio', limit: 0.03} as const;

export async function* tokenFigures(effort: Effort): AsyncGenerator<Figure> {
  for (const size of sizes) {
    const direct = await measured(size, 'direct');
    const facade = await measured(size, 'search');
    if (!isDeepStrictEqual(direct.results, facade.results)) throw new Error('the results of the jobs differ');
    for (const [title, cost] of Object.entries(facade.costs)) {
      const other = direct.costs[title];
      if (other === undefined) throw new Error(`\`${title}\` was not measured`);
      effort.report(`${title}: ${cost.bytes} instead of ${other.bytes} bytes`);
      yield {
        id: `tokens.${title.replaceAll(/\W+/gu, '_')}_${size}`,
        title: `tokens, ${size.toLocaleString('en')} tools: ${title}`,
        unit: 'count',
        runs: 1,
        p50: cost.tokens,
        baseline: {title: 'all tools listed', p50: other.tokens},
        ratio: cost.tokens / other.tokens,
        ...(size === 1_000 && {goal}),
      };
    }
  }
}

interface Cost {
  readonly bytes: number;
  readonly tokens: number;
}

interface Measurement {
  readonly costs: Readonly<Record<string, Cost>>;
  readonly results: readonly unknown[];
}

async function measured(size: number, mode: 'direct' | 'search'): Promise<Measurement> {
  const workspace = await makeCatalogue(size);
  const {client} = await connectDesk(workspace.root, createClient('modern'), ['--as', 'bench', '--tools', mode]);
  try {
    const list = costOf(await listed(client));
    const costs: Record<string, Cost> = {'tools/list': list};
    const results: unknown[] = [];
    for (const [title, steps] of Object.entries(jobs)) {
      let cost = list;
      for (const step of steps) {
        const said = mode === 'direct' ? await callDirectly(client, step) : await callThroughFacade(client, step);
        results.push(said.at(-1));
        cost = added(cost, costOf(said));
      }
      costs[`list and ${title}`] = cost;
    }
    return {costs, results};
  } finally {
    await client.close();
    await workspace.remove();
  }
}

/** What a client passes on to its model. */
async function listed(client: Client): Promise<unknown> {
  const tools: unknown[] = [];
  let cursor: string | undefined;
  do {
    const page = await client.listTools(cursor === undefined ? {} : {cursor}, {timeout});
    tools.push(...page.tools.map(({name, description, inputSchema}) => ({name, description, inputSchema})));
    cursor = page.nextCursor;
  } while (cursor !== undefined);
  return tools;
}

/** The model's call and its result, in order. */
async function called(
  client: Client,
  name: string,
  args: Readonly<Record<string, unknown>>,
): Promise<readonly unknown[]> {
  const {content, isError} = await client.callTool({name, arguments: args}, {timeout});
  if (isError === true) throw new Error(`\`${name}\` failed: ${JSON.stringify(content)}`);
  return [{name, arguments: args}, content];
}

const callDirectly = async (client: Client, {tool, args}: Step): Promise<readonly unknown[]> =>
  await called(client, tool, args);

async function callThroughFacade(client: Client, {query, tool, args}: Step): Promise<readonly unknown[]> {
  const found = await called(client, 'search_tools', {query, limit: 3});
  if (!JSON.stringify(found.at(-1)).includes(tool)) throw new Error(`\`${query}\` does not find \`${tool}\``);
  const doc = await called(client, 'get_tool_doc', {tool});
  return [...found, ...doc, ...(await called(client, 'run_tool', {tool, args}))];
}

function costOf(value: unknown): Cost {
  const text = JSON.stringify(value);
  return {bytes: Buffer.byteLength(text), tokens: countTokens(text)};
}

function added(a: Cost, b: Cost): Cost {
  return {bytes: a.bytes + b.bytes, tokens: a.tokens + b.tokens};
}

/** A workspace that lists exactly so many tools. */
async function makeCatalogue(size: number): Promise<HostWorkspace> {
  const own = makeWorkspace([]);
  const host = await own.start();
  const session = await host.openSession({by: 'bench'});
  if (!session.success) throw new Error(session.error.message);
  const count = (await session.tools()).filter(({tool}) => tool.declaration.internal_only !== true).length;
  await own.remove();
  const some = labelledTools().filter(isCopyable);
  const copies = Array.from({length: size - count}, (_, index): ToolDeclaration => {
    const tool = some[index % some.length];
    if (tool === undefined) throw new Error('no tool is listed');
    const {description, input_schema} = tool;
    return {
      name: `catalogue-${index}:${verbOf(tool.name)}`.slice(0, 64),
      description,
      handler_entry: 'run.js#run',
      permission: 'read',
      ...(input_schema && {input_schema: asRoot(input_schema, index)}),
    };
  });
  return makeWorkspace(copies);
}

/** Schemas of our packs can refer to their files. The tools that the jobs use must not have doubles. */
function isCopyable({name, internal_only, input_schema = {}}: ReturnType<typeof labelledTools>[number]): boolean {
  const hasFiles = JSON.stringify(input_schema).includes('.schema.json');
  const isUsed = /^(?:file|filesystem|git|github|wu|worktree|lane):/u.test(name);
  return internal_only !== true && verbOf(name) !== undefined && !hasFiles && !isUsed;
}

/** Undefined for a name that tools cannot have. */
function verbOf(name: string): string | undefined {
  return /^[a-z0-9-]+:([a-z][a-z0-9-]{0,40})$/u.exec(name)?.[1];
}

/** References within a schema require it to be a root schema. */
function asRoot(schema: Readonly<Record<string, unknown>>, index: number): Record<string, unknown> {
  return JSON.stringify(schema).includes('"$ref":"#') ? {$id: `urn:catalogue:${index}`, ...schema} : {...schema};
}

const perFile = 100;

function makeWorkspace(copies: readonly ToolDeclaration[]): HostWorkspace {
  const parts = Array.from({length: Math.ceil(copies.length / perFile)}, (_, index) => [
    `packs/catalogue/tools-${index}.yaml`,
    JSON.stringify({tools: copies.slice(index * perFile, (index + 1) * perFile)}),
  ]);
  const manifest = {
    id: 'catalogue',
    version: '0.1.0',
    manifest_version: 1,
    task_types: ['catalogue'],
    tools: [],
    tool_files: parts.map((_, index) => `tools-${index}.yaml`),
  };
  const workspace = makeHostWorkspace({
    firstParty: ['software-delivery', 'agent-runtime'],
    files: {
      'docs/a.md': 'one\n',
      'docs/b.md': 'a needle\n',
      'packs/catalogue/run.js': 'export const run = {run: () => ({})};\n',
      'packs/catalogue/manifest.yaml': JSON.stringify(manifest),
      ...Object.fromEntries(parts),
    },
    yaml: 'software_delivery: {tools: [all]}\n',
  });
  if (copies.length > 0) pinCatalogue(workspace);
  for (const args of [
    ['init', '-q'],
    ['add', 'docs'],
    ['-c', 'user.name=a', '-c', 'user.email=a@example.com', 'commit', '-qm', 'First'],
  ]) {
    execFileSync('git', args, {cwd: workspace.root, env: {PATH: process.env['PATH'], HOME: workspace.root, ...dates}});
  }
  return workspace;
}

/** The same commit in each workspace. */
const dates = {GIT_AUTHOR_DATE: '2026-01-02T03:04:05Z', GIT_COMMITTER_DATE: '2026-01-02T03:04:05Z'};

function pinCatalogue({spec, write}: HostWorkspace): void {
  const pin = {id: 'catalogue', version: '0.1.0', integrity: 'dev', source: 'local', path: 'packs/catalogue'};
  const whole = {...spec, packs: [...spec.packs, pin], software_delivery: {tools: ['all']}};
  write({'workspace.yaml': JSON.stringify(whole)});
}
