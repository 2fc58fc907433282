// What the code in the sandbox knows of a server: its pin, without what the host decides.
import type {PackPin} from '@lumenflow/schemas';

export interface UpstreamServer {
  /** The id of its pin. */
  readonly pack: string;
  /** What starts it; undefined for one that is reached at `url`. */
  readonly command?: readonly string[];
  readonly url?: string;
  /** `${NAME}` is replaced by a variable of the call's environment. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Serves more than one call. */
  readonly isLasting: boolean;
}

export function upstreamServer({id, command, url, headers, lifetime = 'call'}: PackPin): UpstreamServer {
  return {
    pack: id,
    ...(command && {command}),
    ...(url !== undefined && {url}),
    ...(headers && {headers: headers as Record<string, string>}),
    isLasting: lifetime !== 'call',
  };
}
