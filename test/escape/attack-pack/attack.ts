// An attack: its name, what it tries from within a call, and how its success shows. The harness gets the same objects as the pack, so
// both sides of an attack are in one place. No attack knows a backend.
import type {ToolContext, ToolOutput} from '@lumenflow/pack-sdk';

/** What an attacker may know. The secret that lies in all these places is not among it. */
export interface Setting {
  /** Of the attack: what it writes, sends and leaves behind says so. */
  readonly marker: string;
  readonly root: string;
  /** Outside of every workspace; `secret` in it contains the secret, `file` may be overwritten. */
  readonly outside: string;
  readonly otherWorkspace: string;
  readonly home: string;
  readonly otherHome: string;
  readonly hostPid: number;
  /** A process of the same user that does nothing. */
  readonly victimPid: number;
  /** A TCP port on which every address of the machine serves the secret. */
  readonly port: number;
  /** Likewise a UDP port. */
  readonly udpPort: number;
  /** Whether the host brokers files and calls; without it an attack does the same by plain means. */
  readonly guarded: boolean;
  /** Whether /etc and /usr are copies that may be changed. */
  readonly disposable: boolean;
  /** Of calls of `try-bounded`. */
  readonly deadlineMs: number;
  /** Of calls of `try-in-process` and `pool`. */
  readonly poolDeadlineMs: number;
}

/** What the call's end looks like from outside. */
export interface Outside {
  readonly setting: Setting;
  readonly secret: string;
  /** The results of the attempts, including errors. */
  readonly said: string;
  readonly outputs: readonly ToolOutput[];
  /** What the machine's servers were sent during the attack. */
  readonly received: string;
  /** From the last attempt to the result of its call: a busy machine may take long to start a sandbox. */
  readonly milliseconds: number;
  /** Undefined when there is no such file. */
  read(path: string): string | undefined;
  isAlive(pid: number): boolean;
  /** Processes whose command line shows the marker. */
  leftovers(): readonly number[];
  /** Whether the state still verifies. */
  verifies(): Promise<boolean>;
}

/** Runs inside a call. Its result or error is its report. */
export type Attempt = (setting: Setting, context: ToolContext) => Promise<string> | string;

export type ToolOfAttack =
  | 'try'
  | 'try-listed'
  | 'try-open'
  | 'try-bounded'
  | 'try-narrow'
  | 'try-in-process'
  | 'try-with-env'
  /** On the thread pool, by a pack that is trusted there. */
  | 'pool';

export interface Attack {
  readonly name: string;
  /** For people: 60 characters at most. */
  readonly title: string;
  /** Each is a separate call, in this order. */
  readonly attempts: readonly Attempt[];
  /** Default `try`: the sandbox, without a network. */
  readonly tool?: ToolOfAttack;
  /** Of each call; default `wide`: the whole workspace is writable. */
  readonly lanes?: readonly Lane[];
  /** Outside, before the calls. */
  prepare?(setting: Setting): void;
  /** Outside, once a sandbox may wait for the call that comes next. */
  between?(setting: Setting): void;
  /** Outside, while a call runs, from when its attempt begins. */
  meanwhile?(setting: Setting): Promise<void>;
  /** Outside, after them. Default: the secret was said, or the marker was received. */
  succeeded?(outside: Outside): boolean | Promise<boolean>;
  /** For what only shows a while after the call. */
  readonly settleMs?: number;
  /** It can succeed in a direct call, and never in a transactional one: docs/sandbox.md lists its name. */
  readonly documented?: true;
  /** Left out of a quick run: it takes seconds. */
  readonly slow?: true;
}

/** `held`: the whole workspace too, but transactionally. */
export type Lane = 'wide' | 'held' | 'narrow' | 'sub';

/** The result of an attempt that succeeds if the kernel allows it: nothing is visible from outside. */
export const didIt = 'did it';

export function saidSo({said}: Outside): boolean {
  return said.includes(didIt);
}

/** It succeeds if a file outside of the call contains the marker. */
export function wrote(pathOf: (setting: Setting) => string): (outside: Outside) => boolean {
  return ({setting, read}) => read(pathOf(setting))?.includes(setting.marker) === true;
}
