// A delivery log as years of work leave it: most work units done, some in progress, the rest ready, chained by threes; two
// nodes of memory for each that was begun.
import {mkdirSync, writeFileSync} from 'node:fs';
import {dirname} from 'node:path';

export interface DeliveryLogSize {
  readonly units: number;
  /** Of all of them; at least seven for each. */
  readonly events: number;
}

export const benchLanes: readonly string[] = Array.from({length: 10}, (_, index) => `lane-${index}`);

const beginMs = Date.UTC(2024, 0, 1);
const hash = 'a'.repeat(64);

/** `file` is of the pack's own state. */
export function writeDeliveryLog(file: string, {units, events}: DeliveryLogSize): void {
  const renewals = Math.max(0, Math.round(events / units) - 7);
  const inProgressFrom = Math.floor(units * 0.9);
  const readyFrom = inProgressFrom + Math.min(30, Math.floor(units / 20));
  const lines = Array.from({length: units}, (_, index) => {
    const all = eventsOf(index + 1, renewals);
    if (index >= readyFrom) return all.slice(0, 1);
    return index >= inProgressFrom ? all.slice(0, -1) : all;
  }).flat();
  mkdirSync(dirname(file), {recursive: true});
  writeFileSync(file, lines.map((event) => `${JSON.stringify(event)}\n`).join(''));
}

function eventsOf(number: number, renewals: number): readonly object[] {
  const id = `WU-${number}`;
  let moment = beginMs + number * 60_000;
  const stamp = (): object => ({at: new Date((moment += 1_000)).toISOString(), by: `session-${number % 40}`, id});
  const lane = benchLanes[number % benchLanes.length] ?? '';
  const expires_at = new Date(moment + 3_600_000).toISOString();
  const place = {branch: `lane/${lane}/wu-${number}`, worktree: `worktrees/wu-${number}`};
  return [
    {type: 'wu_created', ...stamp(), spec: specOf(number, lane), spec_hash: hash},
    {type: 'wu_claimed', ...stamp(), token: number, expires_at, ...place},
    {type: 'wu_started', ...stamp(), token: number, base: hash.slice(0, 40)},
    {type: 'wu_briefed', ...stamp(), spec_hash: hash, prompt_hash: hash},
    ...Array.from({length: renewals}, () => ({type: 'wu_renewed', ...stamp(), token: number, expires_at})),
    {type: 'memory_created', ...stamp(), node: nodeOf(number, 'discovery')},
    {type: 'memory_created', ...stamp(), node: nodeOf(number, 'note')},
    {type: 'wu_completed', ...stamp(), token: number, commit: hash.slice(0, 40)},
  ];
}

/** Spread over the shards of memory as the ids of many work units are. */
function nodeOf(number: number, type: 'discovery' | 'note'): object {
  const digits = `${type === 'note' ? 1 : 0}${number}`.padStart(31, '0');
  return {
    id: `mem-${(number % 16).toString(16)}${digits}`,
    type,
    lifecycle: 'wu',
    content: `What was learned about part-${number}, as people write it down when they have just found it. `.repeat(3),
    wu_id: `WU-${number}`,
    session_id: `session-${number % 40}`,
    priority: `P${number % 4}`,
    tags: ['bench'],
    metadata: {},
  };
}

function specOf(number: number, lane: string): object {
  return {
    id: `WU-${number}`,
    title: `Work unit number ${number}, with a title as people write them`,
    lane,
    type: number % 3 === 0 ? 'bug' : 'feature',
    priority: `P${number % 4}`,
    description: 'Why it is there, what is to be done about it, and how it is known to be done. '.repeat(4),
    acceptance: ['what was asked for is there', 'what was there is as it was'],
    code_paths: [`packages/part-${number}/**`, `docs/part-${number}.md`],
    ...(number % 3 === 0 && {depends_on: [`WU-${number - 1}`, `WU-${number - 2}`]}),
    labels: ['bench'],
  };
}
