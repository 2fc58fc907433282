// Logged issues: filtered, and grouped by recurrence.
import {issueSeverities, type AgentIssue, type IssueSeverity} from './agent-session.ts';

export interface IssueQuery {
  readonly severity?: IssueSeverity;
  readonly category?: string;
  readonly wu_id?: string;
  readonly tag?: string;
  /** ISO 8601: logged at or after this time. */
  readonly since?: string;
}

export interface RecurringIssue {
  readonly category: string;
  /** The title of the latest one. */
  readonly title: string;
  readonly count: number;
  readonly severity: IssueSeverity;
  /** ISO 8601, UTC. */
  readonly last_at: string;
}

export interface IssueReport {
  /** Newest first. */
  readonly issues: readonly AgentIssue[];
  readonly by_severity: Readonly<Record<IssueSeverity, number>>;
  /** Issues logged more than once under the same category and title, most frequent first. */
  readonly recurring: readonly RecurringIssue[];
}

export function queryIssues(all: readonly AgentIssue[], query: IssueQuery): IssueReport {
  const issues = all.filter((issue) => matches(issue, query)).toReversed();
  const count = (severity: IssueSeverity): number => issues.filter((issue) => issue.severity === severity).length;
  return {
    issues,
    by_severity: {blocker: count('blocker'), major: count('major'), minor: count('minor'), info: count('info')},
    recurring: recurring(issues),
  };
}

function matches(issue: AgentIssue, {severity, category, wu_id: wuId, tag, since}: IssueQuery): boolean {
  return (
    (severity === undefined || issue.severity === severity) &&
    (category === undefined || issue.category === category) &&
    (wuId === undefined || issue.wu_id === wuId) &&
    (tag === undefined || issue.tags.includes(tag)) &&
    (since === undefined || Date.parse(issue.logged_at) >= Date.parse(since))
  );
}

/** `issues` are sorted newest first. */
function recurring(issues: readonly AgentIssue[]): readonly RecurringIssue[] {
  const groups = new Map<string, AgentIssue[]>();
  for (const issue of issues) {
    const key = `${issue.category}\n${issue.title.trim().toLowerCase()}`;
    groups.set(key, [...(groups.get(key) ?? []), issue]);
  }
  return [...groups.values()]
    .flatMap((group): RecurringIssue[] => {
      const [newest] = group;
      if (newest === undefined || group.length < 2) return [];
      const {category, title, logged_at: lastAt} = newest;
      return [{category, title, count: group.length, severity: worst(group), last_at: lastAt}];
    })
    .toSorted((a, b) => b.count - a.count);
}

function worst(issues: readonly AgentIssue[]): IssueSeverity {
  return issueSeverities.find((severity) => issues.some((issue) => issue.severity === severity)) ?? 'info';
}
