// Counts recorded calls for /metrics and the dashboard's charts: by tool, decision and result, and by minute.
import type {Receipt} from '@lumenflow/kernel';
import type {PolicyOutcome} from '@lumenflow/schemas';
import {decisionOfCall} from '../../receipts/decision-of-call.ts';
import {noLatencies, sumOfLatencies, withLatency, type LatencyHistogram} from './latency-histogram.ts';

export interface CallCount {
  readonly tool: string;
  readonly decision: PolicyOutcome;
  readonly result: string;
  readonly count: number;
}

export interface MinuteCount {
  /** Start of the minute, such as `2026-01-31T12:05Z`. */
  readonly minute: string;
  readonly calls: number;
  readonly denied: number;
  readonly approval_required: number;
  readonly failed: number;
  readonly latencies: LatencyHistogram;
}

/** Everything that was counted. */
export interface CountedCalls {
  readonly counts: readonly CallCount[];
  readonly latencies: readonly (readonly [tool: string, LatencyHistogram])[];
  readonly minutes: readonly MinuteCount[];
}

export interface CallTally {
  /** Counts a call that has ended. */
  add(receipt: Receipt): void;
  /** Adds calls that were counted before. */
  addCounted(counted: CountedCalls): void;
  counted(): CountedCalls;
  counts(): readonly CallCount[];
  /** Of allowed calls. */
  latencies(): ReadonlyMap<string, LatencyHistogram>;
  /** The newest minutes with calls, oldest first. */
  minutes(): readonly MinuteCount[];
}

const minutesKept = 180;
/**
 * The name of an unknown tool is caller input. All unknown names share one label, so that callers cannot grow the metrics without
 * limit.
 */
const noTool = 'unknown';

export function createCallTally(): CallTally {
  const counts = new Map<string, CallCount>();
  const latencies = new Map<string, LatencyHistogram>();
  const minutes = createMinutes();
  function count(call: CallCount): void {
    const key = [call.tool, call.decision, call.result].join('\n');
    counts.set(key, {...call, count: (counts.get(key)?.count ?? 0) + call.count});
  }
  return {
    add({started, finished}) {
      if (!finished) return;
      const decision = decisionOfCall(finished);
      const {result, duration_ms} = finished;
      const tool = finished.error_code === 'TOOL_NOT_FOUND' ? noTool : started.tool_name;
      count({tool, decision, result, count: 1});
      if (decision === 'allow') latencies.set(tool, withLatency(latencies.get(tool) ?? noLatencies, duration_ms));
      minutes.add({
        minute: `${started.timestamp.slice(0, 16)}Z`,
        calls: 1,
        denied: Number(decision === 'deny'),
        approval_required: Number(decision === 'approval_required'),
        failed: Number(decision === 'allow' && result !== 'success'),
        latencies: decision === 'allow' ? withLatency(noLatencies, duration_ms) : noLatencies,
      });
    },
    addCounted(counted) {
      for (const each of counted.counts) count(each);
      for (const [tool, histogram] of counted.latencies)
        latencies.set(tool, sumOfLatencies(latencies.get(tool) ?? noLatencies, histogram));
      for (const minute of counted.minutes) minutes.add(minute);
    },
    counted: () => ({counts: [...counts.values()], latencies: [...latencies], minutes: minutes.list()}),
    counts: () => [...counts.values()],
    latencies: () => latencies,
    minutes: minutes.list,
  };
}

interface Minutes {
  add(counted: MinuteCount): void;
  list(): readonly MinuteCount[];
}

/** Keeps a fixed number of minutes. A minute older than all of them is ignored. */
function createMinutes(): Minutes {
  const kept = new Map<string, MinuteCount>();
  const list = (): readonly MinuteCount[] =>
    [...kept.values()].toSorted((left, right) => (left.minute < right.minute ? -1 : 1));
  let oldest = '';
  return {
    list,
    add(counted) {
      const {minute} = counted;
      const before = kept.get(minute);
      if (!before && kept.size >= minutesKept && minute < oldest) return;
      kept.set(minute, before ? sumOf(before, counted) : counted);
      if (before) return;
      if (kept.size > minutesKept) kept.delete(oldest);
      oldest = list()[0]?.minute ?? '';
    },
  };
}

function sumOf(one: MinuteCount, other: MinuteCount): MinuteCount {
  return {
    minute: one.minute,
    calls: one.calls + other.calls,
    denied: one.denied + other.denied,
    approval_required: one.approval_required + other.approval_required,
    failed: one.failed + other.failed,
    latencies: sumOfLatencies(one.latencies, other.latencies),
  };
}
