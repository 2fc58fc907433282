// Bodies that are forms: URL-encoded ones, and multipart ones with files.
import {randomBytes} from 'node:crypto';
import {plainText} from './plain-text.ts';

export interface EncodedBody {
  readonly content: Buffer;
  readonly media_type: string;
}

export function urlEncodedBody(fields: object): EncodedBody {
  const pairs = new URLSearchParams(
    Object.entries(fields).flatMap(([name, value]: [string, unknown]) =>
      (Array.isArray(value) ? value : [value]).map((item): [string, string] => [name, plainText(item)]),
    ),
  );
  return {content: Buffer.from(pairs.toString()), media_type: 'application/x-www-form-urlencoded'};
}

/** `files`: names of fields whose values are base64. */
export function multipartBody(fields: object, files: readonly string[]): EncodedBody {
  const boundary = `lumenflow-${randomBytes(12).toString('hex')}`;
  const parts = Object.entries(fields).flatMap(([name, value]: [string, unknown]) => {
    const isFile = files.includes(name);
    return (Array.isArray(value) ? value : [value]).flatMap((item) => {
      const shown = name.replaceAll('"', '%22').replaceAll(/[\r\n]/gu, ' ');
      const kind = isFile ? `; filename="${shown}"\r\ncontent-type: application/octet-stream` : '';
      const content = isFile ? Buffer.from(plainText(item), 'base64') : Buffer.from(plainText(item));
      return [
        Buffer.from(`--${boundary}\r\ncontent-disposition: form-data; name="${shown}"${kind}\r\n\r\n`),
        content,
        Buffer.from('\r\n'),
      ];
    });
  });
  const content = Buffer.concat([...parts, Buffer.from(`--${boundary}--\r\n`)]);
  return {content, media_type: `multipart/form-data; boundary=${boundary}`};
}
