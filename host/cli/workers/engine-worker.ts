// `lumenflow worker --engine`: advances programs and agents' sessions that the workspace's engine assigns, until a signal. Those that it advances are
// finished then.
import {loadEnginePackage} from '../../engine/engine-package.ts';
import {createCallGate} from '../../jobs/call-gate.ts';
import {parseListen} from '../../worker/parse-listen.ts';
import type {CliContext} from '../command.ts';
import {CliError} from '../failures/cli-error.ts';
import {exitCode} from '../failures/exit-code.ts';
import {renderFields} from '../rendering/render-fields.ts';
import {withHost} from '../with-host.ts';
import {hostWork} from './host-work.ts';
import {wholeOf} from './whole-of.ts';

interface EngineWorkerRequest {
  readonly listen: string;
  readonly url?: string;
  readonly slots: string;
}

export async function engineWorker(context: CliContext, {listen, url, slots}: EngineWorkerRequest): Promise<undefined> {
  const address = parseListen(listen);
  if (address === undefined) throw usage(`\`${listen}\` is not an address`, 'give HOST:PORT, such as 127.0.0.1:7070');
  if (url !== undefined && !URL.canParse(url)) throw usage(`\`${url}\` is not a URL`, 'give http://HOST:PORT');
  const slotCount = wholeOf(slots, '--slots');
  const gate = createCallGate(slotCount);
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
      const work = hostWork(host);
      const gated = {
        ...work,
        advance: (...run: Parameters<typeof work.advance>) => gate.through(() => work.advance(...run)),
      };
      const {startEngineWorker} = await loadEnginePackage(engine, host.workspaceRoot);
      const at = {hostname: address.host, port: address.port, url, slots: slotCount};
      const worker = await startEngineWorker(engine, gated, at).catch((error: Error) => {
        throw new CliError('BACKEND_UNAVAILABLE', error.message, {
          help: 'start the server, or correct `engine` in workspace.yaml',
        });
      });
      announce(context, {engine: engine.kind, url: worker.url, slots});
      await Promise.race([aborted(context.signal), ...(worker.failed ? [worker.failed] : [])]);
      await worker.close();
    },
    {warmSandboxes: true},
  );
}

async function aborted(signal: AbortSignal): Promise<void> {
  if (signal.aborted) return;
  await new Promise<void>((stop) => signal.addEventListener('abort', () => stop(), {once: true}));
}

function announce(
  context: CliContext,
  data: {readonly engine: string; readonly url: string; readonly slots: string},
): void {
  const {style} = context;
  context.announce({
    data,
    text: () =>
      [
        `${style.good('✔')} the worker advances runs that ${style.accent(data.engine)} assigns`,
        renderFields(
          [
            [data.engine === 'restate' ? 'reached at' : 'takes runs at', data.url],
            ['slots', data.slots],
            ['stop', 'Ctrl-C or SIGTERM: runs under way are finished, or wait'],
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
