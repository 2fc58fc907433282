// The requests to a Temporal server. The first one connects.
import {
  Client,
  Connection,
  isGrpcServiceError,
  WorkflowExecutionAlreadyStartedError,
  WorkflowFailedError,
  WorkflowNotFoundError,
  type WorkflowExecutionDescription,
  type WorkflowHandle,
} from '@temporalio/client';
import {answeredSignal, workflowType, type RunInput, type RunMemo, type RunWait} from './run-messages.ts';
import {
  addressOf,
  serverAddressOf,
  serverNamespaceOf,
  taskQueueOf,
  workflowIdOf,
  type TemporalSettings,
} from './temporal-settings.ts';

interface OpenRun {
  readonly status: 'open';
  /** Of the server. */
  readonly execution: string;
  readonly wait: RunWait | undefined;
  /** Whether a worker advances it. */
  readonly isUnderWay: boolean;
}

interface FailedRun {
  readonly status: 'failed';
  readonly execution: string;
  readonly reason: string;
  readonly closedAt: Date | undefined;
  readonly wait?: undefined;
}

interface EndedRun {
  readonly status: 'over';
  readonly execution: string;
  readonly wait?: undefined;
}

export type FoundRun = OpenRun | FailedRun | EndedRun;

const connectMs = 15_000;
/** `PENDING_ACTIVITY_STATE_STARTED`, and `PENDING_ACTIVITY_STATE_CANCEL_REQUESTED`. */
const underWay: ReadonlySet<unknown> = new Set([2, 3]);

export class TemporalServer {
  readonly #settings: TemporalSettings;
  readonly #env: NodeJS.ProcessEnv;
  #connection: Promise<Connection> | undefined;

  constructor(settings: TemporalSettings, env: NodeJS.ProcessEnv) {
    this.#settings = settings;
    this.#env = env;
  }

  /** False: the server has an open execution of the run. */
  async start(input: RunInput): Promise<boolean> {
    return await this.#request(async ({workflow}) => {
      try {
        await workflow.start(workflowType, {
          workflowId: workflowIdOf(this.#settings, input.run_id),
          taskQueue: taskQueueOf(this.#settings),
          workflowIdReusePolicy: 'ALLOW_DUPLICATE',
          workflowIdConflictPolicy: 'FAIL',
          args: [input],
        });
        return true;
      } catch (error) {
        if (error instanceof WorkflowExecutionAlreadyStartedError) return false;
        throw error;
      }
    });
  }

  /** The latest execution of the run. */
  async find(run_id: string): Promise<FoundRun | undefined> {
    return await this.#request(async (client) => {
      const handle = this.#handle(client, run_id);
      const found = await orAbsent(handle.describe());
      return found && (await foundRun(found, client));
    });
  }

  /** False: the execution is over. */
  async signal(run_id: string, execution: string, wait: number): Promise<boolean> {
    return await this.#request(async (client) => {
      const done = this.#handle(client, run_id, execution).signal(answeredSignal, wait);
      return (await orAbsent(done.then(() => true))) ?? false;
    });
  }

  /** False: the execution is over. */
  async cancel(run_id: string, execution: string): Promise<boolean> {
    return await this.#request(async (client) => {
      const done = this.#handle(client, run_id, execution).cancel();
      return (await orAbsent(done.then(() => true))) ?? false;
    });
  }

  /** Removes an execution that is over. The server has accepted it then, and does so soon. */
  async remove(run_id: string, runId: string): Promise<void> {
    await this.#request(async ({workflowService}) => {
      const workflowExecution = {workflowId: workflowIdOf(this.#settings, run_id), runId};
      const namespace = serverNamespaceOf(this.#settings);
      await workflowService.deleteWorkflowExecution({namespace, workflowExecution});
    });
  }

  async close(): Promise<void> {
    const connection = await this.#connection?.catch(() => undefined);
    await connection?.close();
  }

  #handle({workflow}: Client, run_id: string, execution?: string): WorkflowHandle {
    return workflow.getHandle(workflowIdOf(this.#settings, run_id), execution);
  }

  async #request<T>(work: (client: Client) => Promise<T>): Promise<T> {
    try {
      // Outside the promise, a problem of the settings is reported as it is.
      const server = serverAddressOf(this.#settings, this.#env);
      this.#connection ??= Connection.connect({...server, connectTimeout: connectMs});
      const connection = await this.#connection;
      return await work(new Client({connection, namespace: serverNamespaceOf(this.#settings)}));
    } catch (error) {
      if (isGrpcServiceError(error) || isUnreachable(error)) throw this.#unreachable(error);
      throw error;
    }
  }

  #unreachable(error: Error): Error {
    const reason = isGrpcServiceError(error) ? error.details || error.message : error.message;
    return new Error(`the Temporal server at ${addressOf(this.#settings)} did not accept the request: ${reason}`, {
      cause: error,
    });
  }
}

function isUnreachable(error: unknown): error is Error {
  return error instanceof Error && error.message.startsWith('Failed to connect');
}

/** Undefined: the server has no such execution, or it is over. */
async function orAbsent<T>(work: Promise<T>): Promise<T | undefined> {
  try {
    return await work;
  } catch (error) {
    if (error instanceof WorkflowNotFoundError) return undefined;
    throw error;
  }
}

async function foundRun(found: WorkflowExecutionDescription, client: Client): Promise<FoundRun> {
  const {runId: execution, workflowId, status, closeTime, memo = {}, raw} = found;
  if (status.name === 'RUNNING') {
    const {wait} = memo as RunMemo;
    const isUnderWay = (raw.pendingActivities ?? []).some(({state}) => underWay.has(state));
    return {status: 'open', execution, wait: wait ?? undefined, isUnderWay};
  }
  if (status.name !== 'FAILED') return {status: 'over', execution};
  const reason = await client.workflow
    .getHandle(workflowId, execution, {followRuns: false})
    .result()
    .then(() => '', failureOf);
  return {status: 'failed', execution, reason, closedAt: closeTime};
}

function failureOf(error: unknown): string {
  if (error instanceof WorkflowFailedError) return error.cause?.message ?? error.message;
  throw error;
}
