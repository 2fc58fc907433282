// What the front end keeps in memory: executions, by id and by run, and the queues.
import type {ActivityRun} from './activity-run.fixture.ts';
import {Execution, type ExecutionStart, type Queues, type WorkflowTask} from './execution.fixture.ts';
import {TaskQueue} from './task-queue.fixture.ts';

export class FrontEndState {
  readonly #latest = new Map<string, Execution>();
  readonly #byRun = new Map<string, Execution>();
  readonly #queues = new Map<string, Queues>();

  start(start: ExecutionStart): Execution {
    const execution = new Execution(start, this.queuesOf(start.queue));
    this.#latest.set(start.workflowId, execution);
    this.#byRun.set(execution.runId, execution);
    execution.schedule();
    return execution;
  }

  find(workflowId: string | null | undefined, runId?: string | null): Execution | undefined {
    return runId ? this.#byRun.get(runId) : this.#latest.get(workflowId ?? '');
  }

  remove({runId, start: {workflowId}}: Execution): void {
    this.#byRun.delete(runId);
    if (this.#latest.get(workflowId)?.runId === runId) this.#latest.delete(workflowId);
  }

  /** Undefined: the attempt of this token is over. */
  activity(token: Uint8Array | null | undefined): ActivityRun | undefined {
    const [runId, scheduledId, attempt] = JSON.parse(Buffer.from(token ?? []).toString()) as [string, number, number];
    const activity = this.#byRun.get(runId)?.activities.get(scheduledId);
    return activity?.isStarted === true && activity.attempt === attempt ? activity : undefined;
  }

  queuesOf(name: string): Queues {
    const queues = this.#queues.get(name) ?? {
      workflows: new TaskQueue<WorkflowTask>(),
      activities: new TaskQueue<ActivityRun>(),
    };
    this.#queues.set(name, queues);
    return queues;
  }

  /** So that no timer outlives a test. */
  close(): void {
    for (const execution of this.#byRun.values()) execution.close('WORKFLOW_EXECUTION_STATUS_TERMINATED');
  }
}
