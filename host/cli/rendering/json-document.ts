// The JSON document that a command prints with --json: `{ok: true, …}` or `{ok: false, error: {code, message, details}, …}`.
import type {ToolFailure} from '@lumenflow/schemas';

export function jsonDocument(
  data: Readonly<Record<string, unknown>>,
  failure?: ToolFailure,
  layout: 'indented' | 'line' = 'indented',
): string {
  const document = failure
    ? {ok: false, error: {code: failure.code, message: failure.message, details: failure.details ?? {}}, ...data}
    : {ok: true, ...data};
  // JSON allows these characters unescaped, but terminals act on them.
  return JSON.stringify(document, null, layout === 'line' ? 0 : 2).replaceAll(
    /[\u007f-\u009f\u200e\u200f\u202a-\u202e\u2066-\u2069]/g,
    (character) => `\\u${(character.codePointAt(0) ?? 0).toString(16).padStart(4, '0')}`,
  );
}
