// Several contents in one request: each with its length, in four bytes, before it.

const headerBytes = 4;
/** A larger content travels alone. */
export const contentsBytes: number = 8 * 1024 ** 2;
/** Of one content: a request is whole before it is verified. */
export const contentBytesMax: number = 128 * 1024 ** 2;

export function packContents(contents: readonly Buffer[]): Buffer {
  return Buffer.concat(
    contents.flatMap((content) => {
      const header = Buffer.alloc(headerBytes);
      header.writeUInt32BE(content.length);
      return [header, content];
    }),
  );
}

/** Undefined if the last one is incomplete. */
export function unpackContents(body: Buffer): readonly Buffer[] | undefined {
  const contents: Buffer[] = [];
  for (let at = 0; at < body.length;) {
    if (at + headerBytes > body.length) return undefined;
    const end = at + headerBytes + body.readUInt32BE(at);
    if (end > body.length) return undefined;
    contents.push(body.subarray(at + headerBytes, end));
    at = end;
  }
  return contents;
}
