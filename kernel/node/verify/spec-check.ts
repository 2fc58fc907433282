// Checks that a task's stored spec is the one whose hash its creation, or its amendment, recorded.
import {isIdentifier} from '@lumenflow/kernel';
import type {MaybePromise} from '@lumenflow/kernel/adapters';
import type {KernelEvent} from '@lumenflow/schemas';
import {specFileName} from '../tasks/file-task-store.ts';
import type {VerifyFinding} from './verify-finding.ts';
import type {LineAt} from './verify-log.ts';

/** SHA-256 of a stored task spec; undefined if there is none. */
export type ReadSpecHash = (taskId: string, amendedHash?: string) => MaybePromise<string | undefined>;

type SpecEvent = Extract<KernelEvent, {type: 'task_created' | 'task_amended'}>;

export class SpecCheck {
  readonly #specHash: ReadSpecHash;
  readonly #findings: VerifyFinding[];
  readonly #noted: {readonly event: SpecEvent; readonly at: LineAt}[] = [];

  constructor(specHash: ReadSpecHash, findings: VerifyFinding[]) {
    this.#specHash = specHash;
    this.#findings = findings;
  }

  note(event: SpecEvent, at: LineAt): void {
    this.#noted.push({event, at});
  }

  /** Checks what was noted. */
  async settle(): Promise<void> {
    for (const {event, at} of this.#noted.splice(0)) {
      const amendedHash = event.type === 'task_amended' ? event.spec_hash : undefined;
      const name = `tasks/${specFileName(event.task_id, amendedHash)}`;
      const isNamed = isIdentifier(event.task_id);
      const hash = isNamed ? await this.#specHash(event.task_id, amendedHash) : '';
      if (hash === event.spec_hash) continue;
      const status = hash === undefined ? 'truncated' : 'tampered';
      const what = hash === undefined ? 'is missing' : 'is not the spec that was recorded';
      this.#findings.push({status, text: `${at.where()}: \`${name}\` ${what}`});
    }
  }
}
