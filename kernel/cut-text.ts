// Cuts text of people for messages and records. Half of a surrogate pair is not a character: JSON Schema, databases and chats reject it.

/** At most `max` UTF-16 code units, never within a character. */
export function cutText(text: string, max: number): string {
  return text.slice(0, max).replace(/[\uD800-\uDBFF]$/u, '');
}
