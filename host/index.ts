// What an embedding program imports.
export {startHost, type Host, type HostOptions} from './compose.ts';
export {SessionError, type CallOptions, type Session, type SessionRequest} from './sessions/open-session.ts';
export {packIntegrity, type IntegrityRequest} from './packs/pack-integrity.ts';
export {version} from './version.ts';
export {verifyEvidence} from '@lumenflow/kernel/node';
