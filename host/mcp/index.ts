export {createMcpServer, type McpServer} from './create-mcp-server.ts';
export {parseToolFilter, type ToolFilter} from './tool-filter.ts';
export {serveMcpStdio} from './serve-mcp-stdio.ts';
export {openConversation, type Conversation, type Conversations} from './conversation.ts';
export {reportResourceUpdates} from './resources/resource-updates.ts';
export {createRequestStateSeal, type Seal} from './request-state.ts';
