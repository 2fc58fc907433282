// The HTTP request of a call: what the plan says, filled with the input. Input never changes which operation is requested.
import {failed, ok, type Outcome} from '@lumenflow/kernel';
import {isJson} from '../document/media-type.ts';
import type {OperationPlan, PlannedBody, PlannedParameter} from '../document/operation-plan.ts';
import {multipartBody, urlEncodedBody, type EncodedBody} from './form-body.ts';
import {headerFault} from './header-fault.ts';
import {plainText} from './plain-text.ts';
import {headerText, pathText, queryPairs} from './serialize-parameter.ts';

export interface HttpRequest {
  readonly method: string;
  readonly url: URL;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: Buffer;
}

/** The problem says which input cannot be sent. */
export function buildRequest(
  plan: OperationPlan,
  server: string,
  input: Readonly<Record<string, unknown>>,
): Outcome<HttpRequest, string> {
  const given = plan.parameters.filter(({property}) => input[property] !== undefined);
  const of = (place: PlannedParameter['in']): readonly PlannedParameter[] => given.filter((one) => one.in === place);
  const path = fillPath(plan, input);
  if (!path.ok) return path;
  const url = new URL(server);
  url.pathname = `${url.pathname.replace(/\/+$/u, '')}${path.value}`;
  url.search = of('query')
    .flatMap((parameter) => queryPairs(parameter, input[parameter.property]))
    .join('&');
  const headers: Record<string, string> = {accept: 'application/json, text/*;q=0.9, */*;q=0.8'};
  for (const parameter of of('header'))
    headers[parameter.name.toLowerCase()] = headerText(parameter, input[parameter.property]);
  const cookies = of('cookie').flatMap((parameter) => queryPairs(parameter, input[parameter.property]));
  if (cookies.length > 0) headers['cookie'] = cookies.join('; ');
  const fault = headerFault(headers);
  if (fault !== undefined) return failed(fault);
  const encoded = plan.body && input['body'] !== undefined ? encodeBody(plan.body, input['body']) : undefined;
  if (encoded) headers['content-type'] = encoded.media_type;
  return ok({method: plan.method, url, headers, ...(encoded && {body: encoded.content})});
}

function fillPath(
  {path, parameters}: OperationPlan,
  input: Readonly<Record<string, unknown>>,
): Outcome<string, string> {
  const filled = path.replaceAll(/\{([^}]+)\}/gu, (whole, name: string) => {
    const parameter = parameters.find((one) => one.in === 'path' && one.name === name);
    return parameter === undefined ? whole : pathText(parameter, input[parameter.property]);
  });
  // Such a segment would lead to another operation: services and proxies normalise paths.
  const segments = filled.split('/').map((segment) => segment.replaceAll(/%2e/giu, '.'));
  const written = path.split('/');
  const moved = segments.findIndex((segment, index) => segment !== written[index] && leadsElsewhere(segment));
  if (moved < 0) return ok(filled);
  return failed(
    `\`${written[moved]}\` of the path \`${path}\` cannot be empty, \`.\` or \`..\`, and cannot contain \`../\``,
  );
}

/** Some servers decode separators before they normalise a path. */
function leadsElsewhere(segment: string): boolean {
  return segment === '' || segment.split(/%2f|%5c/iu).some((part) => part === '.' || part === '..');
}

function encodeBody({media_type, files}: PlannedBody, body: unknown): EncodedBody {
  if (isJson(media_type)) return {content: Buffer.from(JSON.stringify(body)), media_type};
  const isRecord = typeof body === 'object' && body !== null;
  if (media_type === 'application/x-www-form-urlencoded' && isRecord) return urlEncodedBody(body);
  if (media_type === 'multipart/form-data' && isRecord) return multipartBody(body, files);
  if (media_type.startsWith('text/')) return {content: Buffer.from(plainText(body)), media_type};
  return {content: Buffer.from(plainText(body), 'base64'), media_type};
}
