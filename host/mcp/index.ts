export {createMcpServer, type McpServer} from './create-mcp-server.ts';
export {parseToolFilter} from './tool-filter.ts';
export {serveMcpStdio, type OpenWorkspace} from './serve-mcp-stdio.ts';
export {Unavailable} from './unavailable.ts';
export {openConversation, type Conversation, type Conversations} from './conversation.ts';
export {reportResourceUpdates} from './resources/resource-updates.ts';
export {createRequestStateSeal, type Seal} from './request-state.ts';
export {createTaskStore} from './task-store.ts';
