// What a host and the agent in its guest send to each other, beside the streams of the program.
import type {SandboxProfile} from '@lumenflow/schemas';
import type {Usage} from '../limits/meter.ts';
import type {PackedEntry} from '../packed-files/packed-entry.ts';

export type HostMessage =
  /** First. Absolute paths inside: the parts that the program may write to, and what is left out of them. */
  | {readonly type: 'open'; readonly writable: readonly string[]; readonly excluded: readonly ExcludedPath[]}
  /** Before all others, to a machine that continues from a saved one. Its agent reports that it is up once more. */
  | {readonly type: 'renew'; readonly epochMs: number; readonly seed: string}
  | {readonly type: 'entry'; readonly entry: PackedEntry}
  | {readonly type: 'entries_end'}
  | {
      readonly type: 'start';
      /** Its mounts are of the guest. */
      readonly profile: SandboxProfile;
      readonly argv: readonly string[];
      readonly cwd: string;
      readonly withWire: boolean;
      /** Of a runner that waits for its call; `argv` is that of the host's own runner. */
      readonly waiting?: {readonly handlerEntry: string | undefined} | undefined;
    }
  /** Send what was written since the last time. */
  | {readonly type: 'collect'};

export interface ExcludedPath {
  readonly path: string;
  /** What is made there to be hidden; undefined if it has a content. */
  readonly kind: 'file' | 'directory' | undefined;
}

export type GuestMessage =
  | {readonly type: 'up'}
  /** `grouped`: the limits that the guest's kernel enforces for the program as a whole. */
  | {readonly type: 'started'; readonly grouped: readonly string[]; readonly unenforced: readonly string[]}
  | {readonly type: 'entry'; readonly entry: PackedEntry}
  | {readonly type: 'collected'}
  | {readonly type: 'usage'; readonly usage: Usage; readonly ranOutOfMemory: boolean}
  | {readonly type: 'ended'; readonly exitCode: number; readonly signal?: string; readonly startError?: string}
  /** Nothing more comes. */
  | {readonly type: 'problem'; readonly message: string};
