// A call's failure as structured content: a model reads the fix, a program reads the codes. Its texts are in the client's words.
import type {ToolFailure, ToolOutput} from '@lumenflow/schemas';
import {clientTexts, type ToolNames} from './client-text.ts';

export interface GovernedFailure {
  readonly error: ToolFailure;
  readonly output: ToolOutput;
  /** What would allow the call, if the caller has more details than the failure itself. Names tools as its reader does. */
  readonly remedy?: string | undefined;
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

/** `names`: of the tools that the failure can mention. */
export function failureContent({error, output, remedy}: GovernedFailure, names: ToolNames): FailureContent {
  const {code, message, details = {}} = error;
  const {rule_id, layer, where, remedy: known, ...rest} = details;
  return {
    code,
    message: clientTexts(message, names),
    ...text('rule_id', rule_id),
    ...text('layer', layer),
    ...text('where', where),
    ...text('remedy', remedy ?? clientTexts(known, names)),
    ...text('receipt_id', output.metadata?.receipt_id),
    ...(Object.keys(rest).length > 0 && {details: clientTexts(rest, names)}),
  };
}

function text(key: string, value: unknown): Readonly<Record<string, string>> {
  return typeof value === 'string' ? {[key]: value} : {};
}
