// Checks that a handler which declares a result in the protocol's own shape returned one.
import type {McpOffer} from '@lumenflow/schemas';
import {
  isSpecType,
  type CallToolResult,
  type GetPromptResult,
  type ReadResourceResult,
} from '@modelcontextprotocol/server';
import type {FailureContent} from './failure-content.ts';

// The SDK treats a result without content as empty, but a handler must return content explicitly.
export function isToolResult(data: unknown): data is CallToolResult {
  return has(data, 'content') && isSpecType.CallToolResult(data);
}

export function isPromptResult(data: unknown): data is GetPromptResult {
  return has(data, 'messages') && isSpecType.GetPromptResult(data);
}

export function isResourceResult(data: unknown): data is ReadResourceResult {
  return has(data, 'contents') && isSpecType.ReadResourceResult(data);
}

function has(data: unknown, list: string): data is object {
  return typeof data === 'object' && data !== null && list in data;
}

const shapes: Readonly<Record<McpOffer['kind'], string>> = {
  tool: '{content: […]}',
  prompt: '{messages: […]}',
  resource: '{contents: […]}',
};

/** `name`: of the tool, as the client writes it. */
export function misshapen(name: string, kind: McpOffer['kind']): FailureContent {
  const message = `the output of \`${name}\` is not a valid MCP ${kind} result: \`mcp: {kind: ${kind}}\` requires ${shapes[kind]}`;
  return {code: 'INVALID_OUTPUT', message};
}
