// The executions of a worker: one for each idempotency key, however often it is requested, within the worker's slots.
import {randomUUID} from 'node:crypto';
import type {Attestation} from '@lumenflow/schemas';
import {failed, ok, type Outcome} from '../outcome.ts';
import type {ContentStore} from './content-store.ts';
import type {KeptTrees} from './kept-trees.ts';
import {Execution, type CallToAttest, type ExecutionOptions} from './execution.ts';

export interface ExecutionTableOptions extends Omit<ExecutionOptions, 'mechanism' | 'attest' | 'copyContent' | 'tree'> {
  readonly contents: ContentStore;
  readonly trees: KeptTrees;
  /** `recipient`: the id of the worker's key that the host trusts. */
  attest(call: CallToAttest, recipient: string): Attestation;
  readonly slots: number;
}

export interface OwnedExecution {
  readonly id: string;
  /** The key of the host. */
  readonly owner: string;
  readonly execution: Execution;
}

/** A host that was not in contact for so long has lost its call. */
const silentMsMax = 60_000;
const checkMs = 5_000;
/** Keys of executions that have ended: a repeated request does not run them again. */
const keysMax = 100_000;

export class ExecutionTable {
  readonly #options: ExecutionTableOptions;
  readonly #running = new Map<string, OwnedExecution & {contactAt: number}>();
  /** The id of the execution, by owner and idempotency key. */
  readonly #keys = new Map<string, string>();
  readonly #timer: NodeJS.Timeout;
  isDraining = false;

  constructor(options: ExecutionTableOptions) {
    this.#options = options;
    this.#timer = setInterval(() => this.#endSilent(), checkMs).unref();
  }

  get free(): number {
    const busy = [...this.#running.values()].filter(({execution}) => execution.isBusy).length;
    return Math.max(0, this.#options.slots - busy);
  }

  /** The same execution for the same key. */
  create(
    {owner, key, recipient}: {readonly owner: string; readonly key: string; readonly recipient: string},
    mechanism: ExecutionOptions['mechanism'],
  ): Outcome<OwnedExecution> {
    const name = `${owner} ${key}`;
    const known = this.#keys.get(name);
    if (known !== undefined) {
      const running = this.find(known, owner);
      return running === undefined ? failed(over) : ok(running);
    }
    if (this.isDraining) return failed(draining);
    if (!this.#makeRoom()) return failed(full);
    const id = randomUUID();
    this.#keys.set(name, id);
    if (this.#keys.size > keysMax) this.#keys.delete(this.#keys.keys().next().value ?? '');
    const execution = new Execution({
      ...this.#options,
      mechanism,
      copyContent: this.#options.contents.of(owner).copy,
      tree: this.#options.trees.open(owner),
      attest: (call) => this.#options.attest(call, recipient),
    });
    const created = {id, owner, execution, contactAt: this.#options.now()};
    this.#running.set(id, created);
    return ok(created);
  }

  /** Undefined if it does not exist, or is that of another host. */
  find(id: string, owner: string): OwnedExecution | undefined {
    const found = this.#running.get(id);
    if (found?.owner !== owner) return undefined;
    found.contactAt = this.#options.now();
    return found;
  }

  /** Resolves once nothing of it is left. */
  async end({id, execution}: OwnedExecution, reason?: string): Promise<void> {
    execution.cancel(reason);
    await execution.ended;
    this.#running.delete(id);
  }

  /** Takes no more, and resolves once all have ended by themselves. */
  async drain(): Promise<void> {
    this.isDraining = true;
    for (const each of this.#running.values())
      if (!each.execution.isBusy) void this.end(each, 'the worker is draining');
    await Promise.all([...this.#running.values()].map(({execution}) => execution.ended));
  }

  async close(): Promise<void> {
    clearInterval(this.#timer);
    await Promise.all([...this.#running.values()].map((each) => this.end(each, 'the worker was stopped')));
    await this.#options.trees.close();
  }

  /** Ends the oldest that waits for a call. */
  #makeRoom(): boolean {
    const all = [...this.#running.values()];
    if (all.length < this.#options.slots) return true;
    const waiting = all.find(({execution}) => !execution.isBusy);
    if (waiting === undefined) return false;
    void this.end(waiting, 'another call needed its slot');
    this.#running.delete(waiting.id);
    return true;
  }

  #endSilent(): void {
    const since = this.#options.now() - silentMsMax;
    for (const each of this.#running.values())
      if (each.contactAt < since) void this.end(each, 'its host was out of contact');
  }
}

const over = {message: 'the execution with this idempotency key has ended', help: 'use a new key for a new call'};
const draining = {message: 'the worker is draining', help: 'use another worker', retryable: true} as const;
const full = {
  message: 'all slots of the worker are in use',
  help: 'retry later, or add slots',
  retryable: true,
} as const;
