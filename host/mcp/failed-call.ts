// A failed call as the result of tools/call: a text that a model reads, and structured content.
import type {CallToolResult, ContentBlock} from '@modelcontextprotocol/server';
import {failureContent, type GovernedFailure} from './failure-content.ts';
import {approvalUri} from './resource-uri.ts';

export function failedCall(failure: GovernedFailure): CallToolResult {
  const {error} = failure;
  const structuredContent = failureContent(failure);
  const text = [
    `${error.code}: ${error.message}`,
    ...(structuredContent.remedy === undefined ? [] : [structuredContent.remedy]),
  ];
  const {request_id} = error.details ?? {};
  return {
    content: [{type: 'text', text: text.join('\n')}, ...(typeof request_id === 'string' ? [linkTo(request_id)] : [])],
    structuredContent,
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
