// The best work unit to start now, and what blocks the other ready ones. Order: priority, assigned to the caller, number of work
// units that wait for it, age.
import {isHeldBy} from '../claims/lease.ts';
import {obstacleFinder, type Obstacle} from '../claims/check-start.ts';
import {dependencyGraph, followersOf} from '../dependencies/dependency-graph.ts';
import type {WorkUnit} from '../work-units/work-unit.ts';
import type {WorkUnits} from '../work-units/work-unit-slice.ts';
import {wuNumber} from '../work-units/wu-id.ts';
import type {WuPriority} from '../work-units/wu-spec.ts';

export interface NextQuestion {
  /** The calling session. */
  readonly by: string;
  /** ISO 8601. */
  readonly at: string;
  /** The person or program that calls, if known. Work units that are assigned to others count as blocked. */
  readonly actor?: string;
  /** Default: all lanes. */
  readonly lane?: string | undefined;
  /** By lane; undefined if the lane has none. */
  readonly wip_limits: ReadonlyMap<string, number | undefined>;
  /** Maximum number of blocked work units and alternatives in the result. */
  readonly limit: number;
}

export interface Candidate {
  readonly id: string;
  readonly title: string;
  readonly lane: string;
  readonly priority: WuPriority;
  readonly created_at: string;
  /** Number of unfinished work units that wait for it, directly or not. */
  readonly dependents: number;
  readonly assignee?: string;
}

export interface NextUnit {
  readonly next?: Candidate;
  /** Why this one, as a sentence. */
  readonly why: string;
  /** Work units of this session that are not finished. */
  readonly held: readonly string[];
  /** Claimable too, in order. */
  readonly alternatives: readonly Candidate[];
  readonly blocked: readonly BlockedCandidate[];
  /** Ready work units that are neither listed nor described. */
  readonly omitted: number;
}

export interface BlockedCandidate extends Pick<Candidate, 'id' | 'title' | 'lane' | 'priority'> {
  readonly obstacles: readonly Pick<Obstacle, 'code' | 'message'>[];
}

export function nextUnit(state: WorkUnits, question: NextQuestion): NextUnit {
  const {lane, by, limit} = question;
  const ofLane = Object.values(state.units).filter(({spec}) => lane === undefined || spec.lane === lane);
  const ranked = rank(
    state,
    ofLane.filter(({status}) => status === 'ready'),
  );
  const free: Candidate[] = [];
  const blocked: BlockedCandidate[] = [];
  const obstaclesOf = obstacleFinder(state);
  for (const {unit, candidate} of ranked) {
    if (free.length > limit && blocked.length >= limit) break;
    const wip_limit = question.wip_limits.get(unit.spec.lane);
    const obstacles = [
      ...assignedElsewhere(unit, question),
      ...inReview(unit),
      ...obstaclesOf(unit, {...question, wip_limit}),
    ];
    if (obstacles.length === 0) free.push(candidate);
    else blocked.push(blockedOf(candidate, obstacles));
  }
  const [next] = free;
  const alternatives = free.slice(1, limit + 1);
  const shown = blocked.slice(0, limit);
  const listed = Math.min(free.length, 1) + alternatives.length + shown.length;
  return {
    ...(next && {next}),
    why: next === undefined ? whyNone(ranked.length, lane) : whyThis(next, free[1]),
    held: ofLane.filter(({lease}) => isHeldBy(lease, by)).map(({spec}) => spec.id),
    alternatives,
    blocked: shown,
    omitted: ranked.length - listed,
  };
}

function assignedElsewhere({spec: {id}, assignee}: WorkUnit, {actor}: NextQuestion): readonly Obstacle[] {
  if (assignee === undefined || assignee === actor) return [];
  return [{code: 'ASSIGNED', message: `\`${id}\` is assigned to ${assignee}`, details: {id, assignee}}];
}

/** A claim could continue it, but it waits for people. */
function inReview({spec: {id}, review}: WorkUnit): readonly Obstacle[] {
  if (review === undefined) return [];
  return [
    {code: 'IN_REVIEW', message: `\`${id}\` waits for the review of \`${review.branch}\``, details: {id, review}},
  ];
}

interface Ranked {
  readonly unit: WorkUnit;
  readonly candidate: Candidate;
}

function rank({units}: WorkUnits, ready: readonly WorkUnit[]): readonly Ranked[] {
  const open = Object.values(units).flatMap(({status, spec}) => (status === 'done' ? [] : [spec]));
  const followers = followersOf(dependencyGraph(open));
  const forward = new Map([...followers].filter(([, ids]) => ids.length > 0));
  return ready
    .map((unit) => ({unit, candidate: candidateOf(unit, reachFrom(forward, unit.spec.id))}))
    .toSorted(({candidate: a}, {candidate: b}) => compare(a, b));
}

function reachFrom(followers: ReadonlyMap<string, readonly string[]>, start: string): number {
  const reached = new Set([start]);
  // A set also yields elements that are added during its iteration.
  for (const id of reached) for (const next of followers.get(id) ?? []) reached.add(next);
  return reached.size - 1;
}

function candidateOf({spec, created_at, assignee}: WorkUnit, dependents: number): Candidate {
  const {id, title, lane, priority} = spec;
  return {id, title, lane, priority, created_at, dependents, ...(assignee !== undefined && {assignee})};
}

function compare(a: Candidate, b: Candidate): number {
  return (
    a.priority.localeCompare(b.priority) ||
    // Only work units of the caller and of nobody can be claimed.
    Number(b.assignee !== undefined) - Number(a.assignee !== undefined) ||
    b.dependents - a.dependents ||
    Date.parse(a.created_at) - Date.parse(b.created_at) ||
    wuNumber(a.id) - wuNumber(b.id)
  );
}

function blockedOf({id, title, lane, priority}: Candidate, obstacles: readonly Obstacle[]): BlockedCandidate {
  return {id, title, lane, priority, obstacles: obstacles.map(({code, message}) => ({code, message}))};
}

/** Names the first criterion that distinguishes it from the second. */
function whyThis({id, priority, dependents, created_at, assignee}: Candidate, second: Candidate | undefined): string {
  if (second === undefined) return `\`${id}\` is the only ready work unit that can be claimed now`;
  if (priority !== second.priority) return `\`${id}\` has the highest priority (${priority}) that can be claimed now`;
  if (assignee !== second.assignee) return `\`${id}\` has priority ${priority}, and is assigned to you`;
  if (dependents !== second.dependents) {
    return `\`${id}\` has priority ${priority}, and the most work units wait for it (${dependents})`;
  }
  return `\`${id}\` has priority ${priority}, and is the oldest of equal rank (created ${created_at})`;
}

function whyNone(ready: number, lane: string | undefined): string {
  const where = lane === undefined ? '' : ` in lane \`${lane}\``;
  if (ready === 0) return `no work unit is ready${where}`;
  return `no ready work unit${where} can be claimed now: \`blocked\` lists the reasons`;
}
