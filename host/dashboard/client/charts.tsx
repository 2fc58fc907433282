// Small charts of calls, denials and latency for the newest minutes. The figures beside each chart serve people who cannot see
// it.
import type {HttpMinute, HttpMinutes} from '@lumenflow/schemas';
import type {JSX} from 'preact';

const minutesShown = 60;

export function Charts({of: {minutes, open, evidence_records}}: {readonly of: HttpMinutes}): JSX.Element {
  const recent = fill(minutes);
  const sum = (key: 'calls' | 'denied' | 'approval_required' | 'failed'): number =>
    recent.reduce((total, minute) => total + minute[key], 0);
  const slowest = recent.findLast((minute) => minute.p95_ms !== undefined);
  return (
    <div class="charts">
      <Chart title="Calls, last hour" figure={sum('calls')} values={recent.map(({calls}) => calls)} tone="plain">
        {open} running, {evidence_records.toLocaleString('en')} records
      </Chart>
      <Chart title="Denied, last hour" figure={sum('denied')} values={recent.map(({denied}) => denied)} tone="bad">
        {sum('approval_required')} asked a person, {sum('failed')} failed
      </Chart>
      <Chart
        title="Latency, newest minute"
        figure={slowest?.p95_ms === undefined ? '–' : `≤ ${slowest.p95_ms} ms`}
        unit="p95"
        values={recent.map(({p95_ms}) => p95_ms ?? 0)}
        tone="wait"
      >
        p50 {slowest?.p50_ms === undefined ? '–' : `≤ ${slowest.p50_ms} ms`}
      </Chart>
    </div>
  );
}

interface ChartProps {
  readonly title: string;
  readonly figure: number | string;
  /** What the figure measures. */
  readonly unit?: string;
  readonly values: readonly number[];
  readonly tone: string;
  readonly children: JSX.Element | (JSX.Element | string | number)[];
}

function Chart({title, figure, unit, values, tone, children}: ChartProps): JSX.Element {
  const most = Math.max(1, ...values);
  return (
    <section class="card chart">
      <h2>{title}</h2>
      <p class="figure">
        {unit !== undefined && <small>{unit}</small>} {figure}
      </p>
      <svg viewBox={`0 0 ${minutesShown} 16`} preserveAspectRatio="none" aria-hidden="true" class={tone}>
        {values.map((value, index) => {
          const height = (value / most) * 16;
          return <rect key={index} x={index + 0.1} width={0.8} y={16 - height} height={height} />;
        })}
      </svg>
      <p class="quiet">{children}</p>
    </section>
  );
}

/** One entry per minute of the last hour, including minutes without calls. */
function fill(minutes: readonly HttpMinute[]): readonly HttpMinute[] {
  const known = new Map(minutes.map((minute) => [minute.minute, minute]));
  return Array.from({length: minutesShown}, (_, index) => {
    const at = new Date(Date.now() - (minutesShown - 1 - index) * 60_000);
    const minute = `${at.toISOString().slice(0, 16)}Z`;
    return known.get(minute) ?? {minute, calls: 0, denied: 0, approval_required: 0, failed: 0};
  });
}
