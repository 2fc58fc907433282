// The one critical section of all processes of a workspace. A busy process keeps it, so that a group of records needs no file
// operation for it. It passes the lock on after a short turn if another process asks, and releases it when idle.
import {KernelError} from '@lumenflow/kernel';
import type {ProcessRegistry} from '@lumenflow/kernel/adapters';
import {LockFolder} from './lock-folder.ts';

/** How long a busy owner keeps the lock after another process asks: long enough to be worth the transfer. */
const turnMs = 5;
/** How often a holder looks whether somebody asks. */
const lookMs = 2;
/** An idle owner releases the lock after this time. */
const idleMs = 100;
const tickMs = 10;
/** How long a process that passed the lock on waits before it takes the lock back. */
const courtesyMs = 25;

interface Waiter {
  readonly deadline: number;
  readonly resolve: () => void;
  readonly reject: (error: Error) => void;
}

export interface WorkspaceLockOptions {
  readonly folder: string;
  readonly processes: ProcessRegistry;
  /** How long to wait for a live holder; default 10,000. */
  readonly timeoutMs?: number;
}

export class WorkspaceLock {
  readonly #folder: LockFolder;
  readonly #processes: ProcessRegistry;
  readonly #timeoutMs: number;
  /** The generation of this process's lock; 0 without one. */
  #generation = 0;
  #users = 0;
  /** Another process asks and this turn is over: no new entries. */
  #yielding = false;
  #takenAt = 0;
  #lookedAt = 0;
  #usedAt = 0;
  #gaveWayAt = Number.NEGATIVE_INFINITY;
  #waiters: Waiter[] = [];
  #acquiring = false;
  #ticker: NodeJS.Timeout | undefined;
  #closed = false;

  constructor(options: WorkspaceLockOptions) {
    this.#folder = new LockFolder(options.folder);
    this.#processes = options.processes;
    this.#timeoutMs = options.timeoutMs ?? 10_000;
  }

  /** The number of this stay in the lock, 0 outside of one. While it is the same, no other process was inside. */
  get turn(): number {
    return this.#generation;
  }

  /** Enters immediately if this process has the lock; each entry needs its `leave`. */
  tryEnter(): boolean {
    if (this.#closed || this.#generation === 0 || this.#yielding || this.#waiters.length > 0) return false;
    this.#users += 1;
    return true;
  }

  /** Enters as soon as the lock can be had. Rejects with KernelError LOCK_UNAVAILABLE after the timeout. */
  enter(): Promise<void> {
    if (this.#closed) return Promise.reject(new KernelError('RUNTIME_CLOSED', 'the runtime is closed'));
    if (this.tryEnter()) return Promise.resolve();
    return new Promise((resolve, reject) => {
      this.#waiters.push({deadline: performance.now() + this.#timeoutMs, resolve, reject});
      if (!this.#acquiring) void this.#acquire();
    });
  }

  leave(): void {
    this.#users -= 1;
    if (this.#users > 0) return;
    this.#usedAt = performance.now();
    if (this.#yielding || this.#closed || this.#usedAt - this.#lookedAt >= lookMs) this.#lookAround();
  }

  /**
   * Releases the lock, or does so when all entries have left. If the folder cannot be written, it tries again for as long as this
   * process lives: others wait for its owner, not for this instance.
   */
  close(): void {
    this.#closed = true;
    for (const waiter of this.#waiters.splice(0))
      waiter.reject(new KernelError('RUNTIME_CLOSED', 'the runtime is closed'));
    if (this.#generation > 0) this.#lookAround();
  }

  #lookAround(): void {
    try {
      this.#considerRelease();
    } catch (error) {
      // The folder cannot be read or written: keeping the lock is safe, and the next tick tries again.
      this.#lookedAt = performance.now();
      // If the folder was deleted, there is nothing to release.
      if (this.#closed && (error as NodeJS.ErrnoException).code === 'ENOENT') clearInterval(this.#ticker);
    }
  }

  #considerRelease(): void {
    const now = performance.now();
    this.#lookedAt = now;
    const asked = this.#othersWant();
    if (asked && now - this.#takenAt >= turnMs) this.#yielding = true;
    if (this.#users > 0) return;
    if (this.#yielding) this.#gaveWayAt = now;
    if (this.#yielding || this.#closed || now - this.#usedAt >= idleMs) this.#release();
  }

  #othersWant(): boolean {
    const others = this.#folder.look().wanted.filter((processId) => processId !== this.#processes.processId);
    return others.some((processId) => {
      if (this.#processes.isAlive(processId)) return true;
      this.#folder.unwant(processId);
      return false;
    });
  }

  #release(): void {
    this.#folder.release(this.#generation);
    this.#generation = 0;
    this.#yielding = false;
    clearInterval(this.#ticker);
    if (this.#waiters.length > 0 && !this.#acquiring) void this.#acquire();
  }

  async #acquire(): Promise<void> {
    this.#acquiring = true;
    const {processId} = this.#processes;
    let asked = false;
    try {
      for (let pauseMs = 1; this.#waiters.length > 0 && !this.#attempt(); pauseMs = Math.min(pauseMs + 1, 3)) {
        // Asked each time, because the folder may have been cleared.
        this.#folder.want(processId);
        asked = true;
        await new Promise((resolve) => setTimeout(resolve, pauseMs));
        this.#giveUpLate();
      }
      if (asked) this.#folder.unwant(processId);
    } catch (error) {
      this.#rejectAll(error);
    } finally {
      this.#acquiring = false;
    }
    this.#admit();
  }

  /** Whether this process has the lock now. */
  #attempt(): boolean {
    if (this.#generation > 0) return !this.#yielding;
    const {generation, owner, wanted} = this.#folder.look();
    const {processId} = this.#processes;
    // An owner of this very name is this instance itself, whose release could not be written.
    if (owner !== undefined && owner !== processId && this.#processes.isAlive(owner)) return false;
    const now = performance.now();
    if (now - this.#gaveWayAt < courtesyMs && wanted.some((other) => other !== processId)) return false;
    if (!this.#folder.take(generation + 1, processId)) return false;
    this.#generation = generation + 1;
    this.#takenAt = now;
    this.#lookedAt = now;
    this.#usedAt = now;
    this.#ticker = setInterval(() => this.#lookAround(), tickMs);
    this.#ticker.unref();
    return true;
  }

  #admit(): void {
    if (this.#generation === 0) return;
    const waiters = this.#waiters.splice(0);
    this.#users += waiters.length;
    for (const waiter of waiters) waiter.resolve();
  }

  #giveUpLate(): void {
    const now = performance.now();
    const late = this.#waiters.filter((waiter) => waiter.deadline <= now);
    if (late.length === 0) return;
    this.#waiters = this.#waiters.filter((waiter) => waiter.deadline > now);
    const {owner} = this.#folder.look();
    const message =
      `process \`${owner ?? 'unknown'}\` has had the workspace's lock for more than ${this.#timeoutMs} ms: ` +
      `wait for it, end it, or, when it ran in a container that is gone, remove \`${this.#folder.path}\``;
    for (const waiter of late) waiter.reject(new KernelError('LOCK_UNAVAILABLE', message));
  }

  #rejectAll(cause: unknown): void {
    const error = new KernelError('LOCK_UNAVAILABLE', `the workspace's lock cannot be taken: ${String(cause)}`, {
      cause,
    });
    for (const waiter of this.#waiters.splice(0)) waiter.reject(error);
  }
}
