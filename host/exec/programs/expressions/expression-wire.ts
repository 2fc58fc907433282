// What the host and the process of expressions exchange, as JSON.

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

/** `bytes`: of the values as JSON. Beyond the limit of one answer, the values themselves are not sent. */
export type ExpressionAnswer =
  | {readonly ok: true; readonly value: readonly unknown[]; readonly bytes: number}
  | {readonly ok: false; readonly problem: ExpressionFault | {readonly bytes: number}};
