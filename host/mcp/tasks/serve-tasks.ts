// The requests about tasks of the protocol version 2025-11-25. The newer version has an extension instead, which the SDK does
// not serve.
import {
  ProtocolError,
  ProtocolErrorCode,
  RELATED_TASK_META_KEY,
  type Server,
  type StandardSchemaV1,
} from '@modelcontextprotocol/server';
import type {Conversations} from '../conversation.ts';
import {page} from '../page.ts';
import {isRedacted} from './is-redacted.ts';

export const tasksCapability = {list: {}, cancel: {}, requests: {tools: {call: {}}}};

export function serveTasks(server: Server, {tasks, during}: Conversations): void {
  server.setRequestHandler('tasks/get', {params: ofTask}, ({taskId}) => ({...tasks.get(taskId)}));
  server.setRequestHandler('tasks/cancel', {params: ofTask}, ({taskId}) => ({...tasks.cancel(taskId)}));
  server.setRequestHandler('tasks/result', {params: ofTask}, async ({taskId}) => {
    const {_meta: meta, ...result} = await tasks.result(taskId);
    if (await during(({runtime}) => isRedacted(runtime, tasks.get(taskId)))) throw redacted(taskId);
    return {...result, _meta: {...meta, [RELATED_TASK_META_KEY]: {taskId}}};
  });
  server.setRequestHandler('tasks/list', {params: ofList}, ({cursor}) => {
    const sorted = [...tasks.list()].toSorted((left, right) => (left.taskId < right.taskId ? -1 : 1));
    const {entries, ...next} = page(sorted, ({taskId}) => taskId, cursor);
    return {tasks: [...entries], ...next};
  });
}

function redacted(taskId: string): ProtocolError {
  const message = `an output of task \`${taskId}\` was redacted: its result is not available any more`;
  return new ProtocolError(ProtocolErrorCode.InvalidParams, message);
}

const ofTask = paramsSchema<{readonly taskId: string}>((params) =>
  typeof params['taskId'] === 'string' ? undefined : '`taskId` must be a string',
);
const ofList = paramsSchema<{readonly cursor?: string}>((params) =>
  ['string', 'undefined'].includes(typeof params['cursor']) ? undefined : '`cursor` must be a string',
);

function paramsSchema<T>(
  problemIn: (params: Readonly<Record<string, unknown>>) => string | undefined,
): StandardSchemaV1<T> {
  return {
    '~standard': {
      version: 1,
      vendor: 'lumenflow',
      validate(value) {
        const problem = problemIn(value as Readonly<Record<string, unknown>>);
        return problem === undefined ? {value: value as T} : {issues: [{message: problem}]};
      },
    },
  };
}
