import {describe, expect, it} from 'vitest';
import type {AgentEvent, AgentIssue, NewAgentIssue} from './agent-session.ts';
import {agentSlice, type AgentState} from './agent-slice.ts';
import {readerOf, runningOf, runningSession} from './find-agent.ts';
import {queryIssues} from './query-issues.ts';

const at = (minute: number): string => new Date(Date.UTC(2026, 0, 1, 0, minute)).toISOString();
const started = (id: string, agent: string, session = 's-1', minute = 0): AgentEvent => ({
  type: 'agent_session_started',
  at: at(minute),
  by: session,
  session: {id, agent, session_id: session},
});
const ended = (id: string, minute = 1): AgentEvent => ({
  type: 'agent_session_ended',
  at: at(minute),
  by: 's-1',
  id,
  outcome: 'completed',
});
const fold = (...events: AgentEvent[]): AgentState =>
  events.reduce((state, event) => agentSlice.evolve(state, event), structuredClone(agentSlice.initial));

describe('active agents', () => {
  it('are listed until they end', () => {
    const state = fold(started('a', 'ada'), {type: 'agent_session_seen', at: at(5), by: 's-1', id: 'a', wu_id: 'WU-1'});
    expect(state.sessions['a']).toMatchObject({started_at: at(0), last_seen_at: at(5), wu_id: 'WU-1'});
    expect(readerOf(state, {session_id: 's-1'})).toBe('ada');
    expect(readerOf(state, {session_id: 's-2'})).toBe('s-2');
    const over = agentSlice.evolve(state, ended('a', 6));
    expect(over.sessions['a']).toMatchObject({
      ended_at: at(6),
      last_seen_at: at(6),
      outcome: 'completed',
      wu_id: 'WU-1',
    });
    expect(readerOf(over, {session_id: 's-1'})).toBe('s-1');
  });

  it('are found by id or by the caller, the latest first', () => {
    const state = fold(
      started('a', 'ada'),
      started('b', 'bob'),
      started('c', 'cid', 's-2'),
      started('d', 'dan'),
      ended('d'),
    );
    expect(runningOf(state, 's-1')?.id).toBe('b');
    expect(runningSession(state, {id: 'c', sessionId: 's-1'}).agent).toBe('cid');
    expect(() => runningSession(state, {id: 'd', sessionId: 's-1'})).toThrow(
      expect.objectContaining({code: 'SESSION_ENDED'}),
    );
    for (const id of ['none', undefined]) {
      expect(() => runningSession(state, {id, sessionId: 's-9'})).toThrow(
        expect.objectContaining({code: 'SESSION_NOT_FOUND'}),
      );
    }
  });

  it('are kept while they run, and only the newest after they ended', () => {
    const events = Array.from({length: 3000}, (_, index) => [started(`e-${index}`, 'x'), ended(`e-${index}`)]).flat();
    const {sessions} = fold(started('running', 'ada'), ...events);
    const ids = Object.keys(sessions);
    expect(ids).toContain('running');
    expect(ids).toContain('e-2999');
    expect(ids.length).toBeGreaterThan(1000);
    expect(ids.length).toBeLessThan(1600);
  });
});

describe('issues', () => {
  const logged = (minute: number, changes: Partial<NewAgentIssue> = {}): AgentIssue => ({
    id: `issue-${minute}`,
    category: 'tooling',
    severity: 'minor',
    title: 'Slow tests',
    description: 'They take long.',
    agent: 'ada',
    files: [],
    tags: [],
    logged_at: at(minute),
    ...changes,
  });
  const all = [
    logged(0),
    logged(1, {title: ' slow TESTS ', severity: 'major', wu_id: 'WU-1'}),
    logged(2, {category: 'docs', tags: ['readme'], severity: 'info'}),
  ];

  it('are returned newest first, with counts', () => {
    const {issues, by_severity: counts} = queryIssues(all, {});
    expect(issues.map(({id}) => id)).toEqual(['issue-2', 'issue-1', 'issue-0']);
    expect(counts).toEqual({blocker: 0, major: 1, minor: 1, info: 1});
  });

  it.each([
    [{severity: 'major'}, ['issue-1']],
    [{category: 'docs'}, ['issue-2']],
    [{wu_id: 'WU-1'}, ['issue-1']],
    [{tag: 'readme'}, ['issue-2']],
    [{since: at(1)}, ['issue-2', 'issue-1']],
  ] as const)('can be queried by %j', (query, ids) => {
    expect(queryIssues(all, query).issues.map(({id}) => id)).toEqual(ids);
  });

  it('recur if category and title are the same', () => {
    expect(queryIssues(all, {}).recurring).toEqual([
      {category: 'tooling', title: ' slow TESTS ', count: 2, severity: 'major', last_at: at(1)},
    ]);
  });

  it('are kept in the slice, the newest only', () => {
    const events = Array.from({length: 12_000}, (_, index): AgentEvent => {
      const {logged_at: when, ...issue} = logged(index);
      return {type: 'agent_issue_logged', at: when, by: 's', issue};
    });
    const {issues} = fold(...events);
    expect(issues.at(-1)).toEqual(logged(11_999));
    expect(issues.length).toBeLessThan(10_600);
  });
});
