// What the host and the thread of expressions exchange.

export interface ExpressionQuestion {
  readonly sources: readonly string[];
  /** Values by name, as JSON. */
  readonly values: Readonly<Record<string, unknown>>;
}

export interface ExpressionFault {
  readonly message: string;
  readonly source: string;
  /** In the source. */
  readonly offset?: number | undefined;
}

export type ExpressionAnswer =
  | {readonly ok: true; readonly value: readonly unknown[]}
  | {readonly ok: false; readonly problem: ExpressionFault};
