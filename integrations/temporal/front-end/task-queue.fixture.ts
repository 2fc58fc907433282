// A task queue with long polls: tasks wait for polls, or polls for tasks.

export class TaskQueue<T> {
  readonly #tasks: T[] = [];
  readonly #polls: ((task: T) => void)[] = [];

  push(task: T): void {
    const poll = this.#polls.shift();
    if (poll) poll(task);
    else this.#tasks.push(task);
  }

  /** Undefined if the poll ends before there is a task. */
  async poll(ended: Promise<void>): Promise<T | undefined> {
    const [task] = this.#tasks.splice(0, 1);
    if (task !== undefined) return task;
    return await new Promise((resolve) => {
      this.#polls.push(resolve);
      void ended.then(() => {
        const index = this.#polls.indexOf(resolve);
        if (index >= 0) this.#polls.splice(index, 1);
        resolve(undefined);
      });
    });
  }
}
