// Finds work that could continue but does not, weighted by its age and its number of dependents.
import {dependencyGraph, followersOf, type DependencyGraph} from '../dependencies/dependency-graph.ts';
import {compareIds} from '../work-units/compare-ids.ts';
import {hoursOf} from './percentiles.ts';
import type {Timeline} from './timeline.ts';
import {dayMs} from './window.ts';

export interface Bottleneck {
  readonly wu: string;
  readonly lane: string;
  readonly status: 'ready' | 'in_progress' | 'blocked';
  /** Hours in the current status. */
  readonly age_hours: number;
  /** Unfinished work units that depend on it, directly or indirectly. */
  readonly holds_up: readonly string[];
  /** Days of age * (1 + number of dependents). */
  readonly score: number;
}

export interface LaneQueue {
  readonly lane: string;
  readonly in_progress: number;
  readonly blocked: number;
  /** Ready work units whose dependencies are done. */
  readonly waiting: number;
}

export interface Bottlenecks {
  /** Highest score first. */
  readonly wus: readonly Bottleneck[];
  /** Most waiting units per active unit first. */
  readonly lanes: readonly LaneQueue[];
}

/**
 * For the chosen work units, with their dependents in any lane. A unit that waits for an unfinished one is not a bottleneck
 * itself.
 */
export function findBottlenecks(
  wus: readonly (readonly [string, Timeline])[],
  now: number,
  isChosen: (wu: string) => boolean = () => true,
): Bottlenecks {
  const timelines = new Map(wus.filter(([, {status}]) => status !== 'done'));
  const graph = dependencyGraph(
    [...timelines].map(([id, {depends_on = [], blocks = []}]) => ({id, depends_on, blocks})),
  );
  const followers = followersOf(graph);
  const standing = [...timelines].filter(
    ([id, {status}]) =>
      isChosen(id) && (status !== 'ready' || !(graph.get(id) ?? []).some((dependency) => timelines.has(dependency))),
  );
  return {
    wus: standing
      .map(([wu, timeline]) => weigh(wu, timeline, {delayed: reachable(wu, followers), now}))
      .toSorted((a, b) => b.score - a.score || compareIds(a.wu, b.wu)),
    lanes: queues(standing.map(([, timeline]) => timeline)),
  };
}

function weigh(
  wu: string,
  {lane, status, since}: Timeline,
  {delayed, now}: {readonly delayed: readonly string[]; readonly now: number},
): Bottleneck {
  const ageMs = Math.max(0, now - since);
  return {
    wu,
    lane,
    status: status as Bottleneck['status'],
    age_hours: hoursOf(ageMs),
    holds_up: delayed,
    score: Math.round((ageMs / dayMs) * (1 + delayed.length) * 100) / 100,
  };
}

/** All direct and indirect dependents. The unit itself is excluded, even in a cycle. */
function reachable(start: string, followers: DependencyGraph): readonly string[] {
  const reached = new Set([start]);
  for (const id of reached) for (const next of followers.get(id) ?? []) reached.add(next);
  reached.delete(start);
  return [...reached];
}

function queues(timelines: readonly Timeline[]): readonly LaneQueue[] {
  const lanes = new Map<string, {in_progress: number; blocked: number; waiting: number}>();
  for (const {lane, status} of timelines) {
    const queue = lanes.get(lane) ?? {in_progress: 0, blocked: 0, waiting: 0};
    queue[status === 'ready' ? 'waiting' : (status as 'in_progress' | 'blocked')] += 1;
    lanes.set(lane, queue);
  }
  const pressure = ({waiting, in_progress: active}: LaneQueue): number => waiting / Math.max(1, active);
  return [...lanes]
    .map(([lane, queue]) => ({lane, ...queue}))
    .toSorted((a, b) => pressure(b) - pressure(a) || a.lane.localeCompare(b.lane));
}
