// Code that calls tools, in a session.
import type {CodeRequest} from '@lumenflow/schemas';
import {codeRequestShape} from '@lumenflow/schemas/shapes';
import {createCodeRunner, type CodeOptions} from '../../exec/index.ts';
import type {RouteOf} from '../route.ts';
import {answersOfCall} from './answers-of-call.ts';
import {inCallingSession, sessionFields, type SessionFields} from './calling-session.ts';
import {sessionRefusals} from './sessions.ts';

interface CodeBody extends SessionFields, CodeRequest, Pick<CodeOptions, 'runs_in'> {}

export function createCodeRoute(): RouteOf<unknown, CodeBody> {
  return {
    method: 'POST',
    path: '/v1/exec/code',
    summary: 'Runs code that calls tools',
    role: 'agent',
    body: {
      type: 'object',
      properties: {
        ...codeRequestShape.properties,
        runs_in: {type: 'string', enum: ['quickjs', 'sandbox']},
        ...sessionFields.properties,
      },
      required: [...codeRequestShape.required],
      ...sessionFields.rules,
      additionalProperties: false,
    },
    answers: answersOfCall('http_code_result'),
    refuses: [...sessionRefusals, 'SESSION_DENIED'],
    callsTool: true,
    handle: async (call) =>
      await inCallingSession(call, (session) => {
        const {language, code, allow, limits, runs_in} = call.body;
        const request = {language, code, ...(allow && {allow}), ...(limits && {limits})};
        return createCodeRunner(session)(request, {runs_in, signal: call.signal});
      }),
  };
}
