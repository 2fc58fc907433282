// The capabilities that a client declares once in the handshake, or with each request.
import {CLIENT_CAPABILITIES_META_KEY, type ClientCapabilities, type ServerContext} from '@modelcontextprotocol/server';

export function declaredCapabilities(
  {mcpReq}: ServerContext,
  handshaken: ClientCapabilities | undefined,
): ClientCapabilities {
  const envelope: Readonly<Record<string, unknown>> = mcpReq.envelope ?? {};
  return (envelope[CLIENT_CAPABILITIES_META_KEY] as ClientCapabilities | undefined) ?? handshaken ?? {};
}

/** Only form elicitation is used; a client that declares no mode supports forms. */
export function canAnswer(method: string, {elicitation, sampling, roots}: ClientCapabilities): boolean {
  if (method === 'elicitation/create') {
    return elicitation !== undefined && (elicitation.form !== undefined || elicitation.url === undefined);
  }
  return (method === 'sampling/createMessage' ? sampling : method === 'roots/list' ? roots : undefined) !== undefined;
}
