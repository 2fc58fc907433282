// What a server must not ask its client: for a model's answer (sampling), for directories (roots), and anything else.
import {ProtocolError, ProtocolErrorCode} from '@modelcontextprotocol/client';

const reasons: Readonly<Record<string, string>> = {
  'sampling/createMessage': 'a server gets no access to a model',
  'roots/list': 'the files that a server sees are those that its pin grants',
};

export async function refuseRequest({method}: {readonly method: string}): Promise<never> {
  const reason = reasons[method] ?? 'only elicitation is, for a server that lasts longer than one call';
  throw new ProtocolError(ProtocolErrorCode.MethodNotFound, `\`${method}\` is not supported by LumenFlow: ${reason}`);
}
