// A call's failure as structured content: a model reads the fix, a program reads the codes.
import {ProtocolError, ProtocolErrorCode} from '@modelcontextprotocol/server';
import type {ToolFailure, ToolOutput} from '@lumenflow/schemas';

export interface GovernedFailure {
  readonly error: ToolFailure;
  readonly output: ToolOutput;
  /** What would allow the call, if the caller has more details than the failure itself. */
  readonly remedy?: string;
}

export interface FailureContent {
  readonly [key: string]: unknown;
  readonly code: string;
  readonly message: string;
  readonly rule_id?: string;
  readonly layer?: string;
  /** `file:line:column` of the rule that decided. */
  readonly where?: string;
  /** What would allow the call. */
  readonly remedy?: string;
  readonly receipt_id?: string;
  /** Further details. */
  readonly details?: Readonly<Record<string, unknown>>;
}

export function failureContent({error, output: {metadata}, remedy}: GovernedFailure): FailureContent {
  const {code, message, details = {}} = error;
  const {rule_id, layer, where, remedy: known, ...rest} = details;
  const fix = text('remedy', remedy ?? known);
  return {
    code,
    message,
    ...text('rule_id', rule_id),
    ...text('layer', layer),
    ...text('where', where),
    ...fix,
    ...text('receipt_id', metadata?.receipt_id),
    ...(Object.keys(rest).length > 0 && {details: rest}),
  };
}

function text(key: string, value: unknown): Readonly<Record<string, string>> {
  return typeof value === 'string' ? {[key]: value} : {};
}

/** For requests whose result cannot report a failure. */
export function protocolError(failure: GovernedFailure): ProtocolError {
  const {error, remedy} = failure;
  const isOfTheHandler = ['INVALID_OUTPUT', 'TOOL_EXECUTION_FAILED', 'TOOL_CRASHED', 'TOOL_TIMEOUT'].includes(
    error.code,
  );
  const code = isOfTheHandler ? ProtocolErrorCode.InternalError : ProtocolErrorCode.InvalidParams;
  const text = [`${error.code}: ${error.message}`, ...(remedy === undefined ? [] : [remedy])];
  return new ProtocolError(code, text.join('\n'), failureContent(failure));
}
