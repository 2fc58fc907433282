// Every bound of the kernel in one place, with its reason.

/** A handler that calls tools that call tools: deeper than this is a loop, not a design. */
export const callDepthMax: number = 8;

/**
 * Of one input: values, containers included, and names of properties. Each costs time on the host's event loop before any rule is asked, and a name
 * as much as ten values, in every pass over the input.
 */
export const inputBounds: {readonly values: number; readonly names: number} = {values: 100_000, names: 20_000};

/** Progress records of one call; with more, a handler could fill the log. */
export const progressRecordsMax: number = 1_000;

/** Characters of one progress payload as JSON, and of the log kept of one call. */
export const progressLengthMax: number = 64 * 1024;
export const logLengthMax: number = 256 * 1024;

/** Outputs up to this size are shown to rules of on_claim and on_completion. */
export const evidenceDataLengthMax: number = 64 * 1024;

/** Calls of a task shown to such rules, the newest ones. */
export const evidenceCallsMax: number = 2_000;

/** A request for approval without an answer expires after a week. */
export const approvalTtlMs: number = 7 * 24 * 60 * 60 * 1_000;

/** Requests of one session that may wait at the same time, unless workspace.yaml says otherwise: more bury those a person looks for. */
export const pendingApprovalsMax: number = 20;

/** Recently used task specs kept compiled, at most twice as many. Others are compiled when they are used again. */
export const compiledTasksMax: number = 2_000;
/** Cached grants. When there are more, the cache is emptied, and grants are computed again. */
export const grantsMax: number = 20_000;

/** Steps that the scopes of a new task may cost over all tools: some hundred milliseconds at the very most. */
export const taskScopeSteps: number = 20_000_000;
