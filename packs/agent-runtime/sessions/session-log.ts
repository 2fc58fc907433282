// The journals of sessions, one append-only log each. A change is decided on the state that was read, and decided again if
// another writer was faster.
import {isToolError, ToolError, type ToolContext} from '@lumenflow/pack-sdk';
import {foldSession, type Session, type SessionEvent} from './session.ts';

type States = Pick<ToolContext, 'state' | 'stateNames'>;

const folder = 'workflow/sessions/';
/** Few writers change one session, so more conflicts than this are a fault. */
const attemptsMax = 20;

async function readSession({state}: States, session_id: string): Promise<Session | undefined> {
  const {lines} = await state(folder + session_id).lines();
  return foldSession(session_id, lines.map(parse));
}

/** Throws ToolError SESSION_NOT_FOUND. */
export async function findSession(states: States, session_id: string): Promise<Session> {
  const session = await readSession(states, session_id);
  if (session !== undefined) return session;
  const message = `there is no session \`${session_id}\`: run \`agent-session:list\` to see all sessions`;
  throw new ToolError('SESSION_NOT_FOUND', message, {session_id});
}

/** Sorted by id. */
export async function listSessions(states: States): Promise<readonly Session[]> {
  const names = await states.stateNames(folder);
  const sessions = await Promise.all(names.map(async (name) => await readSession(states, name.slice(folder.length))));
  return sessions.filter((session) => session !== undefined);
}

/** `decide` returns the next event for the current session, or throws. Returns the session after that event. */
export async function changeSession(
  {state}: States,
  session_id: string,
  decide: (session: Session | undefined) => SessionEvent,
): Promise<Session> {
  const log = state(folder + session_id);
  for (let attempt = 1; ; attempt++) {
    const {lines, version} = await log.lines();
    const events = lines.map(parse);
    const event = decide(foldSession(session_id, events));
    try {
      await log.append([JSON.stringify(event)], {expect: version});
      const session = foldSession(session_id, [...events, event]);
      if (session !== undefined) return session;
    } catch (error) {
      if (!isToolError(error) || error.code !== 'CONFLICT' || attempt === attemptsMax) throw error;
    }
  }
}

/** Safe to cast: only these functions can write there. */
function parse(line: string): SessionEvent {
  return JSON.parse(line) as SessionEvent;
}
