// A client of a server, for one call or for all calls that the sandbox serves.
import {
  Client,
  ProtocolError,
  ProtocolErrorCode,
  SdkError,
  SdkErrorCode,
  type LoggingLevel,
  type ResourceTemplateType as Template,
  type Tool,
} from '@modelcontextprotocol/client';
import {ToolError, type ToolContext} from '@lumenflow/pack-sdk';
import {hideSecrets, type Secret} from '../../secrets/hide-secrets.ts';
import type {UpstreamServer} from '../upstream-server.ts';
import {secretsOf} from './secrets-of.ts';
import {openTransport, type OpenTransport} from './open-transport.ts';
import {listedPrompts, type PromptList} from './listed-prompts.ts';
import {listedResources, type ResourceList} from './listed-resources.ts';
import {refuseRequest} from './refuse-request.ts';
import {patienceMs} from './patience-ms.ts';
import {UpstreamCall} from './upstream-call.ts';

/** For the reply to a ping, after a call that the server did not finish. */
const pingMs = 2_000;

const levels: Readonly<Record<LoggingLevel, keyof ToolContext['log']>> = {
  debug: 'debug',
  info: 'info',
  notice: 'info',
  warning: 'warn',
  error: 'error',
  critical: 'error',
  alert: 'error',
  emergency: 'error',
};

const methodNotFound: number = ProtocolErrorCode.MethodNotFound;

export interface Answers {
  /** Of the call that asked. */
  readonly id: string;
  readonly answers: Readonly<Record<string, unknown>>;
}

export class Connection {
  readonly client: Client;
  readonly #open: OpenTransport;
  readonly #secrets: readonly Secret[];
  #tools: readonly Tool[] | undefined;
  #prompts: PromptList | undefined;
  #resources: ResourceList | undefined;
  #call: UpstreamCall | undefined;
  #context: ToolContext | undefined;
  #isClosed = false;
  #isDoubtful = false;

  private constructor(server: UpstreamServer, context: ToolContext) {
    this.#open = openTransport(server, context);
    this.#secrets = secretsOf(server, context.env);
    // A server that ends with its call could not be answered.
    const capabilities = server.isLasting ? {elicitation: {form: {}, url: {}}} : {};
    this.client = new Client({name: 'lumenflow', version: '1'}, {capabilities});
    Object.assign(this.client, {onclose: () => this.#onClose(server)});
    this.client.setNotificationHandler('notifications/tools/list_changed', () => this.#onListChanged('tools'));
    this.client.setNotificationHandler('notifications/prompts/list_changed', () => this.#onListChanged('prompts'));
    this.client.setNotificationHandler('notifications/resources/list_changed', () => this.#onListChanged('resources'));
    this.client.fallbackRequestHandler = refuseRequest;
    this.client.setNotificationHandler('notifications/message', ({params: {level, data}}) => this.#onLog(level, data));
    if (server.isLasting)
      this.client.setRequestHandler('elicitation/create', async (request) => await this.#ask(request));
  }

  static async open(server: UpstreamServer, context: ToolContext): Promise<Connection> {
    const connection = new Connection(server, context);
    connection.#context = context;
    try {
      await connection.client.connect(connection.#open.transport, {signal: context.signal, timeout: patienceMs});
    } catch (error) {
      await connection.end();
      throw error;
    }
    return connection;
  }

  get isClosed(): boolean {
    return this.#isClosed;
  }

  /** A call begins; undefined: it is over. */
  serve(context: ToolContext | undefined): void {
    this.#context = context;
  }

  /** The server did not finish a call. It may hang, and then it would keep every later call waiting. */
  doubt(): void {
    this.#isDoubtful = true;
  }

  /** Throws if the server is doubtful and does not reply to a ping: its sandbox ends then. An error is a reply. */
  async check(signal: AbortSignal): Promise<void> {
    if (!this.#isDoubtful) return;
    try {
      await this.client.ping({signal, timeout: pingMs});
    } catch (error) {
      if (SdkError.isInstance(error) && error.code === SdkErrorCode.RequestTimeout) {
        this.#isClosed = true;
        throw new Error('it has not replied since a call that it did not finish', {cause: error});
      }
    }
    this.#isDoubtful = false;
  }

  /** As the server describes them now. A server announces changes. */
  async tools(signal: AbortSignal): Promise<readonly Tool[]> {
    const known = this.#tools;
    if (known !== undefined) return known;
    const {tools} = await this.client.listTools(undefined, {signal, timeout: patienceMs});
    return (this.#tools = tools);
  }

  async prompts(signal: AbortSignal): Promise<PromptList> {
    if (this.client.getServerCapabilities()?.prompts === undefined) return listedPrompts([]);
    const known = this.#prompts;
    if (known !== undefined) return known;
    const {prompts} = await this.client.listPrompts(undefined, {signal, timeout: patienceMs});
    return (this.#prompts = listedPrompts(prompts));
  }

  async resources(signal: AbortSignal): Promise<ResourceList> {
    if (this.client.getServerCapabilities()?.resources === undefined) return listedResources([], []);
    const known = this.#resources;
    if (known !== undefined) return known;
    const options = {signal, timeout: patienceMs};
    const {resources} = await this.client.listResources(undefined, options);
    return (this.#resources = listedResources(resources, await this.#templates(options)));
  }

  /** A server with resources need not know templates. */
  async #templates(options: {readonly signal: AbortSignal; readonly timeout: number}): Promise<readonly Template[]> {
    try {
      return (await this.client.listResourceTemplates(undefined, options)).resourceTemplates;
    } catch (error) {
      if (ProtocolError.isInstance(error) && error.code === methodNotFound) return [];
      throw error;
    }
  }

  /** Cancels a call that still waits for answers. */
  begin(name: string, input: object, context: ToolContext): UpstreamCall {
    this.#call?.cancel('another call began before the questions were answered');
    return (this.#call = new UpstreamCall(this.client, {name, arguments: input, secrets: this.#secrets}, context));
  }

  /** Throws ToolError if no call of this tool with this id waits. */
  continue(name: string, {id, answers}: Answers, context: ToolContext): UpstreamCall {
    const call = this.#call;
    if (call?.isContinuedBy(id, name, context) !== true) {
      throw new ToolError(
        'INVALID_INPUT',
        'the call that asked does not wait for answers any more: call the tool again',
      );
    }
    call.answer(answers);
    return call;
  }

  async end(): Promise<void> {
    this.#isClosed = true;
    await this.#open.end();
    await this.client.close();
  }

  /** A server that ends between two calls ends its sandbox: the next call starts both again. */
  #onClose({isLasting}: UpstreamServer): void {
    this.#isClosed = true;
    if (isLasting && this.#context === undefined) process.exit(1);
  }

  #onListChanged(kind: 'tools' | 'prompts' | 'resources'): void {
    if (kind === 'tools') this.#tools = undefined;
    else if (kind === 'prompts') this.#prompts = undefined;
    else this.#resources = undefined;
    this.#context?.log.info(`the server announced that its list of ${kind} has changed`);
  }

  #onLog(level: LoggingLevel, data: unknown): void {
    const message = hideSecrets(typeof data === 'string' ? data : JSON.stringify(data), this.#secrets);
    this.#context?.log[levels[level]](message);
  }

  async #ask(request: Parameters<UpstreamCall['ask']>[0]): ReturnType<UpstreamCall['ask']> {
    if (this.#call === undefined || this.#context === undefined)
      throw new ProtocolError(ProtocolErrorCode.InvalidRequest, 'a server can ask only during a call');
    return await this.#call.ask({method: request.method, params: request.params});
  }
}
