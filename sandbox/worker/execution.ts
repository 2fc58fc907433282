// One execution: an agent in a separate folder, whose stream travels as numbered parts. It ends when its host ends it, when its
// program has ended, or when its host has not been in contact for too long.
import {createHash} from 'node:crypto';
import {mkdirSync} from 'node:fs';
import {rm} from 'node:fs/promises';
import {join} from 'node:path';
import {Writable} from 'node:stream';
import {createFrameDecoder, messageBounds} from '@lumenflow/pack-sdk/wire';
import type {AttestedCall, Attestation, Invocation, WireMessage} from '@lumenflow/schemas';
import type {AvailableReport} from '../backends/probe-report.ts';
import {makeOwnedFolder} from '../backends/leftover-folders.ts';
import {runAgent, type AgentOptions, type AgentProgram} from '../guest/agent/run-agent.ts';
import type {HostMessage} from '../guest/guest-messages.ts';
import type {CopyContent} from '../packed-files/entry-receiver.ts';
import {ExecutionInput} from './execution-input.ts';
import {ExecutionOutput} from './execution-output.ts';
import type {CallTree} from './kept-trees.ts';
import {startOnBackend, type ProgramOnWorker, type WorkerMechanism} from './start-on-backend.ts';

/** The folder of an execution. */
export const executionKind = 'lumenflow-execution';

/** Without the parts that all calls of a worker share. */
export type CallToAttest = Omit<AttestedCall, 'version' | 'worker' | 'key' | 'lumenflow_version'>;

export interface ExecutionOptions {
  readonly mechanism: WorkerMechanism;
  /** For its files. */
  readonly parentFolder: string;
  readonly copyContent: CopyContent;
  readonly tree: CallTree;
  /** Signs what the worker enforced for a call. */
  attest(call: CallToAttest): Attestation;
  /** Milliseconds since the epoch. */
  now(): number;
}

export class Execution {
  readonly input: ExecutionInput = new ExecutionInput();
  readonly output: ExecutionOutput = new ExecutionOutput();
  /** Resolves once nothing of it is left. */
  readonly ended: Promise<void>;
  /** Whether its call has arrived. */
  isBusy = false;
  readonly #options: ExecutionOptions;
  #program: ProgramOnWorker | undefined;
  #isCancelled = false;
  #reason: string | undefined;

  constructor(options: ExecutionOptions) {
    this.#options = options;
    this.ended = this.#run().catch((error: unknown) => this.output.finish({exit_code: 1, problem: String(error)}));
  }

  /** Ends it without a result. `reason`: why, if that is not known to its host. */
  cancel(reason?: string): void {
    this.#isCancelled = true;
    this.#reason ??= reason;
    this.input.end();
    this.#program?.kill();
  }

  async #run(): Promise<void> {
    const {parentFolder, copyContent, tree} = this.#options;
    const folder = await makeOwnedFolder(parentFolder, executionKind);
    const [files, staging] = [join(folder, 'files'), join(folder, 'arriving')];
    mkdirSync(files);
    try {
      await runAgent({
        input: this.input,
        output: writerTo(this.output),
        observe: this.#observer(),
        files: {folder: files, staging, contents: {...tree, copy: copyContent}},
        startProgram: (message) => this.#start(message, files),
      });
      this.#program?.kill();
      await this.#program?.ended;
      this.output.finish({exit_code: 0, ...(this.#reason !== undefined && {problem: this.#reason})});
    } finally {
      this.#program?.kill();
      await this.#program?.ended;
      await rm(staging, {recursive: true, force: true});
      await tree.end(folder, files);
    }
  }

  async #start(message: Extract<HostMessage, {type: 'start'}>, filesFolder: string): Promise<AgentProgram> {
    const started = await startOnBackend(message, {filesFolder, mechanism: this.#options.mechanism});
    if (!started.ok) throw new Error(`${started.problem.message}: ${started.problem.help}`);
    this.#program = started.value;
    if (this.#isCancelled) started.value.kill();
    if (message.waiting === undefined) this.isBusy = true;
    return started.value;
  }

  /** Notes the call and its result. */
  #observer(): AgentOptions['observe'] {
    const {attest, now, mechanism} = this.#options;
    let invocation: Invocation | undefined;
    let startedAt = 0;
    const watch = (
      onMessage: (message: WireMessage) => void,
      bounds?: typeof messageBounds,
    ): ((bytes: Uint8Array) => void) => createFrameDecoder({onMessage, onProblem: () => undefined, bounds});
    return {
      toProgram: watch((message) => {
        if (message.type !== 'invoke' || invocation !== undefined) return;
        this.isBusy = true;
        startedAt = now();
        invocation = message.invocation;
      }),
      fromProgram: watch((message) => {
        if (message.type !== 'result' || invocation === undefined) return;
        const attestation = attest({
          ...attestedBackend(mechanism.report),
          receipt_id: invocation.receipt_id,
          profile_digest: this.#program?.profileDigest ?? '',
          invocation_digest: digestOf(invocation),
          output_digest: digestOf(message.output),
          started_at: timestampOf(startedAt),
          ended_at: timestampOf(now()),
        });
        this.output.observe({...this.#program?.network?.report(), attestation});
      }, messageBounds),
    };
  }
}

function attestedBackend({
  backend,
  version,
  tier,
  guarantees,
}: AvailableReport): Pick<AttestedCall, 'backend' | 'backend_version' | 'tier' | 'guarantees'> {
  return {backend, backend_version: version, tier, guarantees};
}

/** Of the JSON as it travels. */
function digestOf(value: unknown): string {
  return createHash('sha256').update(JSON.stringify(value)).digest('hex');
}

function timestampOf(time: number): string {
  return new Date(time).toISOString();
}

function writerTo(output: ExecutionOutput): Writable {
  const add = async (bytes: Buffer, done: () => void): Promise<void> => {
    await output.add(bytes);
    done();
  };
  return new Writable({write: (bytes: Buffer, _, done) => void add(bytes, done)});
}
