// A page of a bucket's list (ListObjectsV2). Keys of an archive need no escapes in XML.

export interface KeyPage {
  readonly keys: readonly string[];
  /** The token of the next page. */
  readonly next?: string;
}

export function parseKeyPage(xml: string): KeyPage {
  const keys = [...xml.matchAll(/<Key>([^<]*)<\/Key>/gu)].map(([, key = '']) => unescapeXml(key));
  const next = /<NextContinuationToken>([^<]+)<\/NextContinuationToken>/u.exec(xml)?.[1];
  return {keys, ...(next !== undefined && {next: unescapeXml(next)})};
}

const escapes: Readonly<Record<string, string>> = {
  '&lt;': '<',
  '&gt;': '>',
  '&quot;': '"',
  '&apos;': "'",
  '&amp;': '&',
};

function unescapeXml(text: string): string {
  return text.replaceAll(/&(?:lt|gt|quot|apos|amp);/gu, (escape) => escapes[escape] ?? escape);
}
