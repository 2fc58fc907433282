// The HTTP API: a server on a host, and the tokens of its callers.
export {startHttpServer, type HttpServer, type HttpServerOptions} from './start-http-server.ts';
export type {HttpHost} from './route.ts';
export {openTokenStore, type Principal, type TokenEntry, type TokenStore} from './tokens/token-store.ts';
export {TokenFileError, type Role} from './tokens/token-file.ts';
