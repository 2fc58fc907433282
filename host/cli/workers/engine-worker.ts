// `lumenflow worker --engine`: advances programs and agents' sessions that the workspace's engine assigns, until a signal. Those that it advances are
// finished then.
import type {EngineWork} from '@lumenflow/kernel/adapters';
import type {EngineSettings} from '@lumenflow/schemas';
import {join} from 'node:path';
import {taskOfAgentRun} from '../../agent/agent-run-id.ts';
import type {Host} from '../../compose.ts';
import {loadEnginePackage, type StartedEngineWorker} from '../../engine/engine-package.ts';
import {withBoundedDeaths} from '../../engine/with-bounded-deaths.ts';
import {createCallGate} from '../../jobs/call-gate.ts';
import {parseListen} from '../../worker/parse-listen.ts';
import type {CliContext} from '../command.ts';
import {CliError} from '../failures/cli-error.ts';
import {exitCode} from '../failures/exit-code.ts';
import {cleanText} from '../rendering/clean-text.ts';
import {renderFields} from '../rendering/render-fields.ts';
import {withHost} from '../with-host.ts';
import {hostWork} from './host-work.ts';
import {wholeOf} from './whole-of.ts';

interface EngineWorkerRequest {
  readonly listen: string;
  readonly url?: string;
  readonly slots: string;
  readonly balance?: readonly string[];
}

export async function engineWorker(context: CliContext, request: EngineWorkerRequest): Promise<undefined> {
  const {url, balance = []} = request;
  const address = parseListen(request.listen);
  if (address === undefined)
    throw usage(`\`${request.listen}\` is not an address`, 'give HOST:PORT, such as 127.0.0.1:7070');
  for (const each of [...(url === undefined ? [] : [url]), ...balance])
    if (!isHttpUrl(each)) throw usage(`\`${each}\` is not a URL`, 'give http://HOST:PORT');
  const slots = wholeOf(request.slots, '--slots');
  await withHost(
    context,
    async (host) => {
      const {engine} = host.runtime.workspace.spec;
      if (engine === undefined || engine.kind === 'embedded') {
        throw usage(
          'workspace.yaml names no engine with workers',
          'add `engine: {kind: restate}` or `engine: {kind: temporal}`, or run `lumenflow serve`',
        );
      }
      const start = balance.length > 0 ? startBalancer : startWorker;
      const at = {hostname: address.host, port: address.port, url, slots, workers: balance};
      const worker = await start(host, engine, at).catch((error: Error) => {
        if (error instanceof CliError) throw error;
        throw new CliError('BACKEND_UNAVAILABLE', error.message, {
          help: 'start the server, or correct `engine` in workspace.yaml',
        });
      });
      announce(context, {engine: engine.kind, url: worker.url, slots: request.slots, balanced: balance});
      try {
        await Promise.race([aborted(context.signal), ...(worker.failed ? [worker.failed] : [])]);
      } finally {
        await worker.close();
      }
    },
    {warmSandboxes: balance.length === 0},
  );
}

interface WorkerAddress {
  readonly hostname: string;
  readonly port: number;
  readonly url: string | undefined;
  readonly slots: number;
  readonly workers: readonly string[];
}

async function startWorker(host: Host, engine: EngineSettings, at: WorkerAddress): Promise<StartedEngineWorker> {
  const gate = createCallGate(at.slots);
  const work = withBoundedDeaths(hostWork(host), {
    folder: join(host.workspaceRoot, '.lumenflow', 'attempts'),
    callsOf: async (run_id) => await endedCalls(host, taskOfAgentRun(run_id) ?? run_id),
  });
  const gated: EngineWork = {...work, advance: (...run) => gate.through(() => work.advance(...run))};
  const {startEngineWorker} = await loadEnginePackage(engine, host.workspaceRoot);
  return await startEngineWorker(engine, gated, at);
}

async function endedCalls({runtime}: Host, task_id: string): Promise<number> {
  const {receipts} = await runtime.evidence.readTracesByTaskId(task_id);
  return receipts.filter(({finished}) => finished !== undefined && finished.result !== 'crashed').length;
}

async function startBalancer(host: Host, engine: EngineSettings, at: WorkerAddress): Promise<StartedEngineWorker> {
  const {startEngineBalancer} = await loadEnginePackage(engine, host.workspaceRoot);
  if (startEngineBalancer) return await startEngineBalancer(engine, at);
  throw usage(
    `workers of the engine \`${engine.kind}\` share a queue, so they need no balancer`,
    'start more workers without `--balance`',
  );
}

function isHttpUrl(text: string): boolean {
  return URL.canParse(text) && ['http:', 'https:'].includes(new URL(text).protocol);
}

async function aborted(signal: AbortSignal): Promise<void> {
  if (signal.aborted) return;
  await new Promise<void>((stop) => signal.addEventListener('abort', () => stop(), {once: true}));
}

interface Announced {
  readonly engine: string;
  readonly url: string;
  readonly slots: string;
  readonly balanced: readonly string[];
}

function announce(context: CliContext, data: Announced): void {
  const {style} = context;
  const {balanced} = data;
  const isBalancer = balanced.length > 0;
  const work = isBalancer ? 'the balancer distributes runs' : 'the worker advances runs';
  context.announce({
    data: {...data},
    text: () =>
      [
        `${style.good('✔')} ${work} that ${style.accent(data.engine)} assigns`,
        renderFields(
          [
            [data.engine === 'restate' ? 'reached at' : 'takes runs at', data.url],
            ['workers', isBalancer ? balanced.map(cleanText).join(', ') : undefined],
            ['slots', isBalancer ? undefined : data.slots],
            ['stop', `Ctrl-C or SIGTERM${isBalancer ? '' : ': runs under way are finished, or wait'}`],
          ],
          style,
          2,
        ),
      ].join('\n'),
  });
}

function usage(message: string, help: string): CliError {
  return new CliError('INVALID_ARGUMENT', message, {help, exitCode: exitCode.usage});
}
