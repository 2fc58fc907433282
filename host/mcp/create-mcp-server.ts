// One MCP server for one client: every handler asks the runtime, nothing is remembered between requests.
import {Server} from '@modelcontextprotocol/server';
import {callGovernedTool} from './call-governed-tool.ts';
import type {Conversation} from './conversation.ts';
import {describeTool} from './describe-tool.ts';
import {page} from './page.ts';
import {completeArgument} from './resources/complete-argument.ts';
import {listResources, listTemplates} from './resources/list-resources.ts';
import {readResource} from './resources/read-resource.ts';

const instructions =
  'Every call is held to scopes and policy, and recorded. A refused call says in `remedy` what would let it through. ' +
  'One that waits for a person is to be made again, unchanged, once `approvals://session` shows it approved.';

export function createMcpServer(conversation: Conversation, version: string): Server {
  const server = new Server(
    {name: 'lumenflow', title: 'LumenFlow', version},
    {
      capabilities: {tools: {listChanged: true}, resources: {}, completions: {}},
      instructions,
      requestState: {verify: conversation.consents.verify},
    },
  );
  server.setRequestHandler('tools/list', async ({params}) => {
    const governed = await conversation.session.tools();
    const {entries, ...next} = page(governed, ({tool}) => tool.name, params?.cursor);
    return {tools: entries.map(describeTool), ...next};
  });
  server.setRequestHandler('tools/call', (request, context) =>
    callGovernedTool(conversation, {request, context, capabilities: server.getClientCapabilities()}),
  );
  server.setRequestHandler('resources/list', ({params}) => {
    const {entries, ...next} = page(listResources(conversation), ({uri}) => uri, params?.cursor);
    return {resources: [...entries], ...next};
  });
  server.setRequestHandler('resources/templates/list', () => ({resourceTemplates: listTemplates()}));
  server.setRequestHandler('resources/read', ({params}) => readResource(conversation, params.uri));
  server.setRequestHandler('completion/complete', ({params}) => completeArgument(conversation, params));
  return server;
}
