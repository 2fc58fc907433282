// Why a call failed, as structured content: a model reads what to do about it, a program reads codes.
import type {ToolFailure, ToolOutput} from '@lumenflow/schemas';

export interface FailureContent {
  readonly [key: string]: unknown;
  readonly code: string;
  readonly message: string;
  readonly rule_id?: string;
  readonly layer?: string;
  /** `file:line:column` of what decided. */
  readonly where?: string;
  /** What would let the call through. */
  readonly remedy?: string;
  readonly receipt_id?: string;
  /** Whatever else is known. */
  readonly details?: Readonly<Record<string, unknown>>;
}

export const failureSchema: Readonly<Record<string, unknown>> = {
  type: 'object',
  required: ['code', 'message'],
  properties: {
    code: {type: 'string'},
    message: {type: 'string'},
    rule_id: {type: 'string'},
    layer: {type: 'string'},
    where: {type: 'string'},
    remedy: {type: 'string'},
    receipt_id: {type: 'string'},
    details: {type: 'object'},
  },
};

export function failureContent(
  {code, message, details = {}}: ToolFailure,
  {metadata}: ToolOutput,
  remedy: string | undefined,
): FailureContent {
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
