// A view of the workspace that waits for its call.
import {lstat} from 'node:fs/promises';
import type {SandboxProfile} from '@lumenflow/schemas';
import type {SpareView} from '../backends/transaction-view.ts';
import type {WorkspaceView} from './workspace-view.ts';

export class OpenedSpareView implements SpareView {
  readonly view: WorkspaceView;
  readonly #discard: () => Promise<void>;

  /** `discard` removes the directory of its upper layer. */
  constructor(view: WorkspaceView, discard: () => Promise<void>) {
    this.view = view;
    this.#discard = discard;
  }

  get enter(): readonly string[] {
    return this.view.enter;
  }

  get profile(): SandboxProfile {
    return this.view.profile;
  }

  get door(): string {
    return this.view.door;
  }

  get degraded(): readonly string[] {
    return this.view.degraded;
  }

  keepAlive(on: boolean): void {
    this.view.keepAlive(on);
  }

  /** Rejects if a cleanup removed its upper layer: nothing can be written then. */
  async checkUpper(): Promise<void> {
    if (this.view.upperOnDisk !== undefined) await lstat(this.view.upperOnDisk);
  }

  async close(): Promise<void> {
    this.view.close();
    await this.#discard();
  }
}
