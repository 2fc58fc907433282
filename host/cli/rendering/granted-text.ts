// Renders the granted scopes of a call: one line each for reads, writes and the network.
import type {GrantedScopes} from '@lumenflow/schemas';
import {cleanText} from './clean-text.ts';

export function grantedText({read, write, network}: GrantedScopes): string {
  const entries = network.allowlist_entries.length === 0 ? '' : `: ${network.allowlist_entries.join(', ')}`;
  return cleanText(
    [
      `read     ${read.join(', ') || 'nothing'}`,
      `write    ${write.join(', ') || 'nothing'}`,
      `network  ${network.posture}${entries}`,
    ].join('\n'),
  );
}
