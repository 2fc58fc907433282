// What a client can be asked: it says so once when it shakes hands, or with each request.
import {CLIENT_CAPABILITIES_META_KEY, type ClientCapabilities, type ServerContext} from '@modelcontextprotocol/server';

export function declaredCapabilities(
  {mcpReq}: ServerContext,
  handshaken: ClientCapabilities | undefined,
): ClientCapabilities {
  const envelope: Readonly<Record<string, unknown>> = mcpReq.envelope ?? {};
  return (envelope[CLIENT_CAPABILITIES_META_KEY] as ClientCapabilities | undefined) ?? handshaken ?? {};
}

/** Of elicitation only forms are asked for; a client that says no more than that it can means these. */
export function canAnswer(method: string, {elicitation, sampling, roots}: ClientCapabilities): boolean {
  if (method === 'elicitation/create') {
    return elicitation !== undefined && (elicitation.form !== undefined || elicitation.url === undefined);
  }
  return (method === 'sampling/createMessage' ? sampling : method === 'roots/list' ? roots : undefined) !== undefined;
}
