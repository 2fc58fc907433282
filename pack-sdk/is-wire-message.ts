// A light check of a message's shape. Ajv would cost a sandbox its start-up time, so here is checked
// what a receiver relies on before it looks at the values themselves.
import type {WireMessage} from '@lumenflow/schemas';
import {isRecord} from './is-record.ts';

type Check = (message: Record<string, unknown>) => boolean;

const checks: Readonly<Record<WireMessage['type'], Check>> = {
  invoke: (message) => isRecord(message['invocation']) && isInvocation(message['invocation']),
  result: (message) => isRecord(message['output']) && typeof message['output']['success'] === 'boolean',
  progress: (message) => 'payload' in message,
  log: (message) =>
    ['debug', 'info', 'warn', 'error'].includes(message['level'] as string) &&
    typeof message['message'] === 'string' &&
    (message['fields'] === undefined || isRecord(message['fields'])),
  // The method may be unknown here: that is answered, not dropped.
  request: (message) => isId(message['id']) && typeof message['method'] === 'string' && isRecord(message['params']),
  response: (message) => isId(message['id']) && (message['error'] === undefined || isFailure(message['error'])),
  cancel: (message) => typeof message['reason'] === 'string',
  ready: () => true,
  loaded: () => true,
};

export function isWireMessage(value: unknown): value is WireMessage {
  if (!isRecord(value)) return false;
  const type = value['type'];
  return typeof type === 'string' && Object.hasOwn(checks, type) && checks[type as WireMessage['type']](value);
}

function isId(value: unknown): boolean {
  return Number.isSafeInteger(value) && (value as number) >= 1;
}

function isFailure(value: unknown): boolean {
  return isRecord(value) && typeof value['code'] === 'string' && typeof value['message'] === 'string';
}

const invocationStrings = [
  'tool_name',
  'handler_entry',
  'receipt_id',
  'task_id',
  'run_id',
  'session_id',
  'lane_id',
  'workspace_root',
];

function isInvocation(value: Record<string, unknown>): boolean {
  return (
    value['protocol'] === 1 &&
    invocationStrings.every((key) => typeof value[key] === 'string') &&
    'input' in value &&
    'config' in value &&
    isRecord(value['scope_enforced']) &&
    isRecord(value['env']) &&
    (value['principal'] === undefined || isRecord(value['principal']))
  );
}
