// Counts recorded calls for /metrics and the dashboard's charts: by tool, decision and result, and by minute.
import type {Receipt} from '@lumenflow/kernel';
import type {PolicyOutcome} from '@lumenflow/schemas';
import {decisionOfCall} from '../../receipts/decision-of-call.ts';
import {noLatencies, withLatency, type LatencyHistogram} from './latency-histogram.ts';

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

export interface CallTally {
  /** Counts a call that has ended. */
  add(receipt: Receipt): void;
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
  return {
    add({started, finished}) {
      if (!finished) return;
      const decision = decisionOfCall(finished);
      const {result, duration_ms} = finished;
      const tool = finished.error_code === 'TOOL_NOT_FOUND' ? noTool : started.tool_name;
      const key = [tool, decision, result].join('\n');
      counts.set(key, {tool, decision, result, count: (counts.get(key)?.count ?? 0) + 1});
      if (decision === 'allow') latencies.set(tool, withLatency(latencies.get(tool) ?? noLatencies, duration_ms));
      minutes.add(`${started.timestamp.slice(0, 16)}Z`, (before) => ({
        ...before,
        calls: before.calls + 1,
        denied: before.denied + Number(decision === 'deny'),
        approval_required: before.approval_required + Number(decision === 'approval_required'),
        failed: before.failed + Number(decision === 'allow' && result !== 'success'),
        latencies: decision === 'allow' ? withLatency(before.latencies, duration_ms) : before.latencies,
      }));
    },
    counts: () => [...counts.values()],
    latencies: () => latencies,
    minutes: minutes.list,
  };
}

interface Minutes {
  add(minute: string, count: (before: MinuteCount) => MinuteCount): void;
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
    add(minute, count) {
      const before = kept.get(minute);
      if (!before && kept.size >= minutesKept && minute < oldest) return;
      kept.set(minute, count(before ?? emptyMinute(minute)));
      if (before) return;
      if (kept.size > minutesKept) kept.delete(oldest);
      oldest = list()[0]?.minute ?? '';
    },
  };
}

function emptyMinute(minute: string): MinuteCount {
  return {minute, calls: 0, denied: 0, approval_required: 0, failed: 0, latencies: noLatencies};
}
