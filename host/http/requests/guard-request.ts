// Checks that Host and Origin name this server. A web page on another site can make a browser send requests to loopback. With DNS
// rebinding it could even read the answers.
import {refuse, type Reply} from '../reply.ts';

const loopbackName = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])$/;

/** `hostsAllowed` are names besides loopback, as in a URL, without port. `target`: of the request line, a path or an address. */
export function refuseForeign(headers: Headers, hostsAllowed: readonly string[], target: string): Reply | undefined {
  const host = (headers.get('host') ?? '').toLowerCase();
  const name = nameOf(`http://${host}`);
  if (!target.startsWith('/') && !target.toLowerCase().startsWith(`http://${host}/`)) {
    return refuse('HOST_DENIED', 'the address of the request names another server than its `Host` header');
  }
  if (name === undefined || !(loopbackName.test(name) || hostsAllowed.includes(name))) {
    return refuse(
      'HOST_DENIED',
      'the `Host` header names another server: use the address that `lumenflow serve` prints',
    );
  }
  const origin = headers.get('origin');
  if (origin === null || origin === `http://${host}` || origin === `https://${host}`) return undefined;
  return refuse(
    'ORIGIN_DENIED',
    'the `Origin` header names another site: only its own pages and programs can use this API',
  );
}

function nameOf(url: string): string | undefined {
  if (!URL.canParse(url)) return undefined;
  const {hostname, username, password, pathname, search, hash} = new URL(url);
  return username === '' && password === '' && pathname === '/' && search === '' && hash === '' ? hostname : undefined;
}

/** The token of `Authorization: Bearer …`. A token in the address is ignored, because logs record addresses. */
export function bearerToken(headers: Headers): string | undefined {
  return /^Bearer +([\w-]{1,256})$/i.exec(headers.get('authorization') ?? '')?.[1];
}
