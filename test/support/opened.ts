// A session that the test needs to be open.
import type {Session, SessionResult} from '@lumenflow/host';

/** Throws the failure if the session was not opened. */
export function opened(session: SessionResult): Session {
  if (!session.success) throw new Error(`no session was opened: ${JSON.stringify(session.error)}`);
  return session;
}
