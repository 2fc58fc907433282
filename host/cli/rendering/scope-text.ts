// Formats a scope in a few words for lists of tools and packs.
import type {Scope} from '@lumenflow/schemas';
import {cleanText} from './clean-text.ts';

export function scopeText(scope: Scope): string {
  if (scope.type === 'path') return `${scope.access} ${cleanText(scope.pattern)}`;
  const entries = (scope.allowlist_entries ?? []).map(cleanText).join(', ');
  return `network ${scope.posture}${entries === '' ? '' : `: ${entries}`}`;
}
