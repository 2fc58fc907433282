// A call's failure as an error of the protocol, for requests whose result cannot report one.
import {ProtocolError, ProtocolErrorCode} from '@modelcontextprotocol/server';
import type {FailureContent} from './failure-content.ts';

const ofTheHandler: ReadonlySet<string> = new Set([
  'INVALID_OUTPUT',
  'TOOL_EXECUTION_FAILED',
  'TOOL_CRASHED',
  'TOOL_TIMEOUT',
]);

export function protocolFailure(failure: FailureContent): ProtocolError {
  const {code, message, remedy} = failure;
  const number = ofTheHandler.has(code) ? ProtocolErrorCode.InternalError : ProtocolErrorCode.InvalidParams;
  const text = [`${code}: ${message}`, ...(remedy === undefined ? [] : [remedy])];
  return new ProtocolError(number, text.join('\n'), failure);
}
