// Makes the requests of operations: one request a call, one more after a redirect on the same server, or with a new token.
import type {ServiceCall, ServiceClient, ServiceReply} from '@lumenflow/kernel/adapters';
import {hideSecrets, redacted} from '../../secrets/hide-secrets.ts';
import type {OperationPlan} from '../document/operation-plan.ts';
import {addCredentials} from './add-credentials.ts';
import {buildRequest, type HttpRequest} from './build-request.ts';
import {headerFault} from './header-fault.ts';
import {createHttpTransport, TransportFault, type HttpResponse} from './http-transport.ts';
import {createOauthTokens} from './oauth-tokens.ts';
import {readResponse} from './read-response.ts';

const redirectsMax = 3;
const remedy = 'check the `credentials` of the pin, and the variables that they name';

export function createOpenapiClient(now: () => number = Date.now): ServiceClient {
  const transport = createHttpTransport();
  const tokens = createOauthTokens(transport, () => performance.now());

  async function follow(request: HttpRequest, {network, signal}: ServiceCall): Promise<HttpResponse> {
    let current = request;
    for (let count = 0; ; count++) {
      const response = await transport.send(current, network, signal);
      const next = count < redirectsMax ? redirectOf(current, response) : undefined;
      if (next === undefined) return response;
      current = {...current, url: next};
    }
  }

  async function attempt(plan: OperationPlan, call: ServiceCall): Promise<ServiceReply> {
    const shown = `${plan.method} ${plan.path}`;
    const built = buildRequest(plan, call.server, call.input as Readonly<Record<string, unknown>>);
    if (!built.ok) return failure('INVALID_INPUT', built.problem);
    for (let isRepeated = false; ; isRepeated = true) {
      const filled = await addCredentials(built.value, plan.credentials, call, tokens);
      if (!filled.ok) return failure('UPSTREAM_FAILED', `there is no access token for ${shown}: ${filled.problem}`);
      const {request, secrets} = filled.value;
      const fault = headerFault(request.headers);
      if (fault !== undefined) return failure('UPSTREAM_FAILED', `${shown} cannot be sent: ${fault}`, {remedy});
      const response = await follow(request, call);
      const isExpired = response.status === 401 && plan.credentials.some(({kind}) => kind === 'oauth2');
      if (isExpired) for (const secret of secrets) tokens.forget(secret);
      if (isExpired && !isRepeated) continue;
      const hidden = redacted([...Object.values(call.env), ...secrets]);
      const hide = (text: string): string => hideSecrets(text, hidden);
      return {...readResponse(response, {request: shown, now: now(), hide}), secrets};
    }
  }

  return {
    async call(call) {
      try {
        return await attempt(call.plan as OperationPlan, call);
      } catch (error) {
        if (!(error instanceof TransportFault)) throw error;
        const {message, isUnsent} = error;
        return {ok: false, isUnavailable: true, isUnsent, failure: {code: 'UPSTREAM_UNAVAILABLE', message}};
      }
    },
    close: () => transport.close(),
  };
}

/** The next address, if the same request can be repeated there with the same credentials. */
function redirectOf({method, url}: HttpRequest, {status, headers}: HttpResponse): URL | undefined {
  const isSame =
    status === 307 || status === 308 || ((status === 301 || status === 302) && /^(?:GET|HEAD)$/u.test(method));
  const {location} = headers;
  if (!isSame || location === undefined || !URL.canParse(location, url.href)) return undefined;
  const next = new URL(location, url);
  return next.origin === url.origin ? next : undefined;
}

function failure(code: string, message: string, details?: {readonly remedy: string}): ServiceReply {
  return {ok: false, isUnavailable: false, failure: {code, message, ...(details && {details})}};
}
