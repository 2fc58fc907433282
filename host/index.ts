// What an embedding program imports.
export {startHost, type Host, type HostOptions} from './compose.ts';
export {SessionError, type CallOptions, type Session, type SessionRequest} from './sessions/open-session.ts';
export {version} from './version.ts';
