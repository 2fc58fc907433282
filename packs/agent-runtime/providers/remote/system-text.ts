// For protocols that separate system messages from the conversation.
import type {Message} from '@lumenflow/pack-sdk/agent-session';

/** All system messages as one text under this key; empty if there are none. */
export function systemText(messages: readonly Message[], key: string): Readonly<Record<string, string>> {
  const texts = messages.filter(({role}) => role === 'system').map(({content}) => content);
  return texts.length === 0 ? {} : {[key]: texts.join('\n\n')};
}
