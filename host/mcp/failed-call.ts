// A failed call as the result of tools/call: a text that a model reads, and structured content.
import type {CallToolResult, ContentBlock} from '@modelcontextprotocol/server';
import {lastLines} from '../text/last-lines.ts';
import type {FailureContent} from './failure-content.ts';
import {approvalUri} from './resource-uri.ts';

export function failedCall(failure: FailureContent): CallToolResult {
  const {code, message, remedy, details} = failure;
  const {stderr} = details ?? {};
  // Some clients show a model only the text.
  const printed = typeof stderr === 'string' ? lastLines(stderr) : undefined;
  const text = [`${code}: ${message}`, printed, remedy].filter((part) => part !== undefined && part !== '');
  const requestId = details?.['request_id'];
  return {
    content: [{type: 'text', text: text.join('\n')}, ...(typeof requestId === 'string' ? [linkTo(requestId)] : [])],
    structuredContent: failure,
    isError: true,
  };
}

function linkTo(requestId: string): ContentBlock {
  return {
    type: 'resource_link',
    uri: approvalUri(requestId),
    name: `request ${requestId}`,
    mimeType: 'application/json',
  };
}
