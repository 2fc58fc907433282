export {createMcpServer} from './create-mcp-server.ts';
export {serveMcpStdio} from './serve-mcp-stdio.ts';
export {openConversation} from './conversation.ts';
