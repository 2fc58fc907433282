// Why headers cannot be sent: Node would throw. Parts of them come from the document, from the input and from credentials.

/** Values do not appear in it: they can be secrets. */
export function headerFault(headers: Readonly<Record<string, string>>): string | undefined {
  for (const [name, text] of Object.entries(headers)) {
    if (!/^[!#$%&'*+.^_`|~\da-z-]+$/iu.test(name)) return `${JSON.stringify(name)} is not a valid name of a header`;
    if (/[^\t\x20-\x7e\x80-\xff]/u.test(text)) {
      return `the header \`${name}\` contains a character that headers cannot contain, such as a line break`;
    }
  }
  return undefined;
}
