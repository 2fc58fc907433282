// The journals of sessions, one append-only log each. A change is decided on what was read, and decided anew when
// somebody was faster.
import {isToolError, ToolError, type ToolContext} from '@lumenflow/pack-sdk';
import {foldSession, type Session, type SessionEvent} from './session.ts';

type States = Pick<ToolContext, 'state' | 'stateNames'>;

const folder = 'workflow/sessions/';
/** Journals of one session are changed by few: more than this is no bad luck. */
const attemptsMax = 20;

async function readSession({state}: States, session_id: string): Promise<Session | undefined> {
  const {lines} = await state(folder + session_id).lines();
  return foldSession(session_id, lines.map(parse));
}

/** Throws ToolError SESSION_NOT_FOUND. */
export async function findSession(states: States, session_id: string): Promise<Session> {
  const session = await readSession(states, session_id);
  if (session !== undefined) return session;
  const message = `there is no session \`${session_id}\`: \`agent-session:list\` shows those there are`;
  throw new ToolError('SESSION_NOT_FOUND', message, {session_id});
}

/** In order of id. */
export async function listSessions(states: States): Promise<readonly Session[]> {
  const names = await states.stateNames(folder);
  const sessions = await Promise.all(names.map(async (name) => await readSession(states, name.slice(folder.length))));
  return sessions.filter((session) => session !== undefined);
}

/** `decide` gives the event that follows from the session as it stands, or throws. Gives the session with it. */
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

/** Nothing but these functions can write there. */
function parse(line: string): SessionEvent {
  return JSON.parse(line) as SessionEvent;
}
