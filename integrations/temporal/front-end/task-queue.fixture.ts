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
    let poll: (found: T) => void = () => undefined;
    const found = new Promise<T>((resolve) => {
      poll = resolve;
    });
    this.#polls.push(poll);
    const first = await Promise.race([found, ended.then(() => undefined)]);
    const index = this.#polls.indexOf(poll);
    // A task that came together with the end is in `found`.
    if (index < 0) return await found;
    this.#polls.splice(index, 1);
    return first;
  }
}
