// One metric with all its samples. /metrics and OTLP render the same families.

export type Labels = Readonly<Record<string, string>>;

export interface Sample {
  readonly labels: Labels;
  readonly value: number;
}

export interface Distribution {
  readonly labels: Labels;
  /** Cumulative: how many observations each bound includes. Bounds are in seconds and ascend. */
  readonly buckets: readonly {readonly bound: number; readonly count: number}[];
  readonly sum: number;
  readonly count: number;
}

interface Described {
  readonly name: string;
  readonly help: string;
}

export type MetricFamily =
  | (Described & {readonly type: 'counter' | 'gauge'; readonly samples: readonly Sample[]})
  | (Described & {readonly type: 'histogram'; readonly distributions: readonly Distribution[]});

/** A counter or gauge without labels. */
export function single(type: 'counter' | 'gauge', name: string, help: string, value: number): MetricFamily {
  return {type, name, help, samples: [{labels: {}, value}]};
}
