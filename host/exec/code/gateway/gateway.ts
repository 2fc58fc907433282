// The one way by which code reaches tools. The list of allowed tools and the budget are here, on the host's side: the code can only
// send requests.
import {failed, ok, type Outcome, type ToolReach} from '@lumenflow/kernel';
import type {ChainLimits, ChainStep, CodeCall, ToolFailure, ToolOutput, ToolRun} from '@lumenflow/schemas';
import {createChainRunner} from '../../chain/create-chain-runner.ts';
import {createDiscovery, type Discovery, type DocOptions, type SearchOptions} from '../../create-discovery.ts';
import {runTool} from '../../run-tool.ts';
import type {ToolCatalogue} from '../../tool-catalogue.ts';
import {namespaceOf} from '../../namespace-of.ts';
import {codePackId} from '../pack/code-tools.ts';
import type {IsAllowed} from './allow-list.ts';
import {toolByPath} from './tool-by-path.ts';

export interface GatewayParts {
  readonly reach: ToolReach;
  /** Makes a call that is nested in the run. */
  callTool(name: string, input: unknown): Promise<ToolOutput>;
  readonly catalogue: ToolCatalogue;
  readonly isAllowed: IsAllowed;
  readonly toolCallsMax: number;
}

/** Requests of one run: a search costs time too. */
const requestsMax = 10_000;
const openMax = 256;
/** Of the calls in the report. */
const listedMax = 1_000;

type Answer = Outcome<unknown, ToolFailure>;
type Steps = readonly ChainStep[];
/** A signal or a listener cannot be sent by the code. */
interface Limited {
  readonly limits?: ChainLimits;
}
type Operation = (...args: readonly unknown[]) => Promise<Answer>;

export class Gateway {
  readonly #parts: GatewayParts;
  readonly #discovery: Discovery;
  readonly #operations: ReadonlyMap<string, Operation>;
  readonly #calls: CodeCall[] = [];
  readonly #open = new Set<Promise<Answer>>();
  #made = 0;
  #requests = 0;
  #isClosed = false;

  constructor(parts: GatewayParts) {
    const {reach, catalogue, isAllowed} = parts;
    this.#parts = parts;
    const names = (): readonly string[] => [...reach.tools.keys()].toSorted();
    this.#discovery = createDiscovery(catalogue, (among = names()) => reach.govern(among.filter(isAllowed)));
    const runChain = createChainRunner((id, args) => this.#run(id, args), this.#discovery, {
      workspace: {tools: reach.tools, renamed: new Map()},
    });
    this.#operations = new Map<string, Operation>([
      ['search_tools', async (query, options) => ok(await this.#discovery.searchTools(text(query), given(options)))],
      ['list_namespaces', async () => ok(await this.#discovery.listNamespaces())],
      ['describe_tool', async (id, options) => await this.#discovery.getToolDoc(text(id), given(options))],
      ['list_tool_examples', async (id) => await this.#examplesOf(text(id))],
      ['run_tool', async (id, args) => ok(await this.#run(text(id), args))],
      ['run_chain', async (steps, options) => ok(await runChain(steps as Steps, {limits: given(options).limits}))],
      ['call', async (path, args) => await this.#call(path, args)],
    ]);
  }

  /** How many calls the code made or tried to make. */
  get made(): number {
    return this.#made;
  }

  /** In the order in which they began. */
  get calls(): readonly CodeCall[] {
    return this.#calls;
  }

  /** Serves one request of the code. Never rejects. */
  async serve(operation: string, args: unknown): Promise<Answer> {
    const run = this.#operations.get(operation);
    this.#requests += 1;
    if (this.#isClosed) return failed(closed);
    if (this.#open.size >= openMax) return failed(beyond('requests that are open at the same time', openMax));
    if (this.#requests > requestsMax) return failed(beyond('requests', requestsMax));
    if (run === undefined) return failed({code: 'INVALID_INPUT', message: `the gateway has no \`${operation}\``});
    if (!Array.isArray(args)) return failed({code: 'INVALID_INPUT', message: 'the arguments are not a list'});
    const answering = run(...(args as readonly unknown[])).catch((error: unknown) => failed(unexpected(error)));
    this.#open.add(answering);
    const answer = await answering;
    this.#open.delete(answering);
    return answer;
  }

  /** Rejects later requests. Resolves when those that are open have ended, at the latest after this time. */
  async close(withinMs: number): Promise<void> {
    this.#isClosed = true;
    if (this.#open.size === 0) return;
    let timer: NodeJS.Timeout | undefined;
    const over = new Promise<void>((resolve) => (timer = setTimeout(resolve, Math.max(0, withinMs))));
    await Promise.race([Promise.all(this.#open), over]);
    clearTimeout(timer);
  }

  async #examplesOf(id: string): Promise<Answer> {
    const doc = await this.#discovery.getToolDoc(id, {level: 'full', max_examples: 20});
    return doc.ok ? ok(doc.value.examples ?? []) : doc;
  }

  /** `tools.NAMESPACE.VERB(args)`: the value, or the failure. */
  async #call(path: unknown, args: unknown): Promise<Answer> {
    const found = toolByPath(this.#parts.reach.tools, Array.isArray(path) ? path.map(String) : [String(path)]);
    if (!found.ok) return found;
    const {value, error, receipt_id} = await this.#run(found.value, args);
    if (error === undefined) return ok(value);
    return failed({...error, details: {...error.details, tool_id: found.value, ...(receipt_id && {receipt_id})}});
  }

  async #run(id: string, args: unknown): Promise<ToolRun> {
    const {reach, callTool, isAllowed, toolCallsMax} = this.#parts;
    const [name = ''] = id.split('@', 1);
    const entry: CodeCall = {tool_id: name, status: 'running'};
    if (this.#calls.length < listedMax) this.#calls.push(entry);
    this.#made += 1;
    const refusal = this.#isClosed
      ? closed
      : this.#made > toolCallsMax
        ? beyond('tool_calls', toolCallsMax)
        : isAllowed(name)
          ? undefined
          : notAllowed(name);
    const run: ToolRun = refusal
      ? {value: null, tool_id: name, duration_ms: 0, error: refusal}
      : await runTool({workspace: reach, session: {call: callTool}}, id, args);
    const {receipt_id, error, duration_ms} = run;
    Object.assign(entry, {status: error ? 'failed' : 'succeeded', duration_ms});
    if (receipt_id !== undefined) entry.receipt_id = receipt_id;
    if (error) entry.error = {code: error.code, message: error.message};
    return run;
  }
}

const closed: ToolFailure = {code: 'TOOL_CANCELLED', message: 'the code has ended: await every call before it returns'};

function notAllowed(name: string): ToolFailure {
  if (namespaceOf(name) === codePackId) return {code: 'TOOL_NOT_ALLOWED', message: codeInCode};
  const message = `\`${name}\` is not in the list of allowed tools of this run: add it to \`allow\``;
  return {code: 'TOOL_NOT_ALLOWED', message};
}

const codeInCode = 'code cannot run code: run it within this code, or after it';

function beyond(limit: string, most: number): ToolFailure {
  return {code: 'LIMIT_EXCEEDED', message: `the code reached its limit of ${most} ${limit}`, details: {limit}};
}

/** Of a request in a form that the gateway does not expect: the code made it by hand. */
function unexpected(error: unknown): ToolFailure {
  return {code: 'INVALID_INPUT', message: error instanceof Error ? error.message : String(error)};
}

function text(value: unknown): string {
  if (typeof value === 'string') return value;
  throw new Error('the first argument must be a string');
}

/** Their values are checked where they are used. */
function given(options: unknown): SearchOptions & DocOptions & Limited {
  if (options === undefined || options === null) return {};
  if (typeof options === 'object' && !Array.isArray(options)) return options;
  throw new Error('the options must be an object');
}
