// The addresses of a `servers` list, with the defaults of their variables. A relative one belongs to the address of the document.
import {listOf, nodeOf, textOf} from './openapi-document.ts';

/** Without those that are not complete HTTP addresses. `document`: a URL, or a file's path. */
export function serverAddresses(servers: unknown, document: string): readonly string[] {
  return listOf(servers).flatMap((entry) => {
    const {url, variables} = nodeOf(entry);
    const filled = textOf(url).replaceAll(/\{([^}]+)\}/gu, (_whole, name: string) =>
      textOf(nodeOf(nodeOf(variables)[name])['default']),
    );
    const base = URL.canParse(document) ? document : undefined;
    if (!URL.canParse(filled, base)) return [];
    const {protocol, origin, pathname} = new URL(filled, base);
    return protocol === 'http:' || protocol === 'https:' ? [`${origin}${pathname.replace(/\/+$/u, '')}`] : [];
  });
}
