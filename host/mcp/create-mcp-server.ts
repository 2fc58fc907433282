// One MCP server for one client. Every handler queries the runtime; between requests the server keeps only the client's
// subscriptions.
import {
  type CallToolRequest,
  type CallToolResult,
  type InputRequiredResult,
  type ProtocolEra,
  type Server,
  type ServerContext,
} from '@modelcontextprotocol/server';
import {CheckedServer} from './checked-server.ts';
import {createFacadeCall} from './facade/create-facade-call.ts';
import {handleToolsCall} from './handle-tools-call.ts';
import {completeArgument} from './complete-argument.ts';
import type {Conversations} from './conversation.ts';
import {listTools} from './list-tools.ts';
import {page} from './page.ts';
import {hasFacade} from './tool-filter.ts';
import {getPrompt, listPrompts} from './prompts/prompts.ts';
import {listResources, listTemplates} from './resources/list-resources.ts';
import {readPackResource} from './resources/pack-resources.ts';
import {readResource} from './resources/read-resource.ts';
import {runAsTask} from './tasks/run-as-task.ts';
import {serveTasks, tasksCapability} from './tasks/serve-tasks.ts';
import {availableCall, orUnavailable, statusName, statusTool, unavailableCall} from './unavailable.ts';

const instructions =
  'LumenFlow checks every call against scopes and policy, and records it. If it rejects a call, `remedy` says what would allow it. ' +
  'If a call needs approval, repeat it unchanged once `kernel_show_request` or `approvals://session` shows it as approved.';

const capabilities = {
  tools: {listChanged: true},
  prompts: {listChanged: true},
  resources: {listChanged: true, subscribe: true},
  completions: {},
  logging: {},
};

export interface McpServer {
  readonly server: Server;
  /** Notifies the client of changes; rejects when the client is gone. */
  notifyChanges(): Promise<void>;
  reportUpdate(uri: string): Promise<void>;
}

export interface McpServerOptions {
  readonly conversations: Conversations;
  readonly version: string;
  readonly era: ProtocolEra;
  /** The tools that the client wants to list, as `--tools` of `lumenflow mcp`; default all. */
  readonly tools?: string | undefined;
}

export function createMcpServer(options: McpServerOptions): McpServer {
  const {conversations, version, era, tools} = options;
  const server = new CheckedServer(
    {name: 'lumenflow', title: 'LumenFlow', version},
    {
      capabilities: era === 'legacy' ? {...capabilities, tasks: tasksCapability} : capabilities,
      instructions,
      requestState: {verify: conversations.seal.verify},
    },
  );
  serveTools(server, conversations, tools);
  serveResources(server, conversations);
  servePrompts(server, conversations);
  if (era === 'legacy') serveTasks(server, conversations);
  const subscribed = era === 'legacy' ? serveSubscriptions(server) : undefined;
  return {
    server,
    async notifyChanges() {
      await server.sendToolListChanged();
      await server.sendPromptListChanged();
      await server.sendResourceListChanged();
    },
    async reportUpdate(uri) {
      if (subscribed === undefined || subscribed.has(uri)) await server.sendResourceUpdated({uri});
    },
  };
}

function serveTools(server: Server, conversations: Conversations, tools: string | undefined): void {
  const {during} = conversations;
  const call = hasFacade(tools) ? createFacadeCall() : handleToolsCall;
  server.setRequestHandler('tools/list', async ({params}) =>
    orUnavailable(
      async () => {
        const listed = await during((conversation) => listTools(conversation, tools));
        const {entries, ...next} = page(listed, ({name}) => name, params?.cursor);
        return {tools: entries.map((tool) => ({...tool, execution})), ...next};
      },
      (reason) => ({tools: [statusTool(reason)]}),
    ),
  );
  server.setRequestHandler('tools/call', async (request, context) => {
    const {name, task} = request.params;
    if (name === statusName) {
      return await orUnavailable(
        async () => availableCall(await during((conversation) => listTools(conversation, tools))),
        unavailableCall,
      );
    }
    if (task !== undefined) return startTask(conversations, {request, context, call, ttlMs: task.ttl});
    return await orUnavailable<CallToolResult | InputRequiredResult>(
      async () =>
        await during((conversation) =>
          call(conversation, request, {context, capabilities: server.getClientCapabilities()}),
        ),
      unavailableCall,
    );
  });
}

/** The newer protocol has no such mark, and the SDK omits it there. */
const execution = {taskSupport: 'optional' as const};

interface TaskRequest {
  readonly request: CallToolRequest;
  readonly context: ServerContext;
  readonly call: typeof handleToolsCall;
  readonly ttlMs: number | undefined;
}

/** The session stays open while the task runs. The SDK requires `content`, beside what the protocol returns here. */
function startTask({tasks, during}: Conversations, {request, context, call, ttlMs}: TaskRequest): CallToolResult {
  const task = tasks.start(ttlMs, (work) =>
    orUnavailable(
      async () => await during((conversation) => runAsTask(conversation, {request, context, call}, work)),
      unavailableCall,
    ),
  );
  return {content: [], task};
}

function serveResources(server: Server, {during}: Conversations): void {
  server.setRequestHandler('resources/list', async ({params}) => {
    const known = await orUnavailable(
      async () => await during(listResources),
      () => [],
    );
    const {entries, ...next} = page(known, ({uri}) => uri, params?.cursor);
    return {resources: [...entries], ...next};
  });
  server.setRequestHandler('resources/templates/list', async () => ({
    resourceTemplates: await orUnavailable(
      async () => await during(listTemplates),
      () => [],
    ),
  }));
  server.setRequestHandler('resources/read', ({params: {uri}}, context) =>
    during(async (conversation) => {
      const from = {context, capabilities: server.getClientCapabilities()};
      return (await readPackResource(conversation, uri, from)) ?? (await readResource(conversation, uri));
    }),
  );
  server.setRequestHandler('completion/complete', ({params}) =>
    during((conversation) => completeArgument(conversation, params)),
  );
}

function servePrompts(server: Server, {during}: Conversations): void {
  server.setRequestHandler('prompts/list', async ({params}) => {
    const offered = await orUnavailable(
      async () => await during(listPrompts),
      () => [],
    );
    const {entries, ...next} = page(offered, ({name}) => name, params?.cursor);
    return {prompts: [...entries], ...next};
  });
  server.setRequestHandler('prompts/get', (request, context) =>
    during((conversation) => getPrompt(conversation, request, {context, capabilities: server.getClientCapabilities()})),
  );
}

/** Far more subscriptions than a client needs. */
const subscriptionsMax = 1_000;

/** The newer protocol uses listening requests instead, which the SDK serves. */
function serveSubscriptions(server: Server): ReadonlySet<string> {
  const subscribed = new Set<string>();
  server.setRequestHandler('resources/subscribe', ({params}) => {
    if (subscribed.size < subscriptionsMax) subscribed.add(params.uri);
    return {};
  });
  server.setRequestHandler('resources/unsubscribe', ({params}) => {
    subscribed.delete(params.uri);
    return {};
  });
  return subscribed;
}
