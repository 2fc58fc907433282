// Reads the query and the body of a request to a route, in the shapes that the route declares.
import {failed, ok, type Failed, type Outcome} from '@lumenflow/kernel';
import {createSchemaCompiler} from '@lumenflow/kernel/node';
import type {IncomingMessage} from 'node:http';
import {refuse, type Reply} from './reply.ts';
import type {AnyRoute} from './route.ts';
import type {BodyReader} from './requests/read-json-body.ts';
import {readQuery} from './requests/read-query.ts';

export interface Fitting {
  readonly query: unknown;
  readonly body: unknown;
}
/** `url`: of the whole request. */
export type ShapeReader = (url: string, incoming: IncomingMessage) => Promise<Outcome<Fitting, Reply>>;

export function createShapeReader({query: querySchema, body: bodySchema}: AnyRoute, readBody: BodyReader): ShapeReader {
  const compiler = createSchemaCompiler();
  const noQuery = {type: 'object', properties: {}, additionalProperties: false} as const;
  const validateQuery = compiler.compileLater(querySchema ?? noQuery);
  const validateBody = bodySchema && compiler.compileLater(bodySchema);
  return async (url, incoming) => {
    const query = readQuery(new URL(url).searchParams, querySchema ?? noQuery);
    const wrongQuery = misshapen('query', validateQuery(query));
    if (wrongQuery || !validateBody) return wrongQuery ?? ok({query, body: undefined});
    const read = await readBody(incoming);
    if (!read.ok) return read;
    return misshapen('body', validateBody(read.value)) ?? ok({query, body: read.value});
  };
}

function misshapen(
  part: 'query' | 'body',
  issues: readonly {readonly pointer: string; readonly message: string}[],
): Failed<Reply> | undefined {
  const [first] = issues;
  if (!first) return undefined;
  const message = `the ${part} is invalid: ${[first.pointer, first.message].join(' ').trim()}`;
  return failed(refuse('INVALID_INPUT', message, {issues}));
}
