export {createMcpServer} from './create-mcp-server.ts';
export {serveMcpStdio, type McpStdioOptions} from './serve-mcp-stdio.ts';
export {openConversation, type Conversation} from './conversation.ts';
