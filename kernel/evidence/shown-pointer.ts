// A JSON pointer as messages show it. A value can be nested deeply, or have long names, and its pointer is then as long as the value.
const charsMax = 200;
const endChars = 95;

/** The whole pointer, or its two ends. */
export function shownPointer(pointer: string): string {
  const chars = pointer.length <= charsMax ? [] : Array.from(pointer);
  if (chars.length <= charsMax) return pointer;
  return `${chars.slice(0, endChars).join('')} … ${chars.slice(-endChars).join('')}`;
}
