// `lumenflow worker`: runs calls of hosts elsewhere, until a signal. Running calls are finished then.
import type {SandboxBackendName} from '@lumenflow/schemas';
import {join, resolve} from 'node:path';
import {machineFoldersOf} from '../../keys/machine-folders.ts';
import {TrustedHosts} from '../../keys/trusted-hosts.ts';
import {startHostWorker, type HostWorkerOptions} from '../../worker/start-host-worker.ts';
import type {Command} from '../command.ts';
import {engineWorker} from '../workers/engine-worker.ts';
import {wholeOf} from '../workers/whole-of.ts';
import {CliError} from '../failures/cli-error.ts';
import {exitCode} from '../failures/exit-code.ts';
import {cleanText} from '../rendering/clean-text.ts';
import {renderFields} from '../rendering/render-fields.ts';

interface Options {
  readonly listen: string;
  readonly workspaceCache?: string;
  readonly cacheSize: string;
  readonly backend: SandboxBackendName;
  readonly slots: string;
  readonly network?: readonly string[];
  readonly tlsCert?: string;
  readonly tlsKey?: string;
  readonly clientCa?: string;
  readonly insecureHttp?: boolean;
  readonly engine?: boolean;
  readonly url?: string;
  readonly balance?: readonly string[];
}

const noHosts = 'none: run `lumenflow worker trust LINE` with what `lumenflow workers key` prints on a host';
const mebibyte = 1024 ** 2;

export const worker: Command<Options> = async (context, _args, options) => {
  if (options.engine === true) return await engineWorker(context, options);
  const {style, env, cwd, signal} = context;
  const folder = machineFoldersOf(env).worker;
  const started = await startHostWorker({
    folder,
    listen: options.listen,
    cacheFolder: resolve(cwd, options.workspaceCache ?? join(folder, 'cache')),
    cacheBytesMax: wholeOf(options.cacheSize, '--cache-size') * mebibyte,
    backend: options.backend,
    slots: wholeOf(options.slots, '--slots'),
    searchPath: env['PATH'] ?? '',
    networkMax: options.network,
    tls: tlsOf(options, cwd),
    allowsPlainHttp: options.insecureHttp === true,
  });
  if (!started.ok) throw new CliError('SANDBOX_UNAVAILABLE', started.problem.message, {help: started.problem.help});
  const {url, report, drain, close} = started.value;
  const {name, enforced, problem} = await report();
  if (enforced === null) {
    await close();
    throw new CliError('SANDBOX_UNAVAILABLE', problem?.message ?? 'no backend works', {help: problem?.help ?? ''});
  }
  const hosts = [...new TrustedHosts(join(folder, 'trusted-hosts')).keys().keys()];
  context.announce({
    data: {url, name, backend: enforced.backend, tier: enforced.tier, hosts},
    text: () =>
      [
        `${style.good('✔')} the worker ${style.accent(name)} runs calls at ${style.accent(url)}`,
        renderFields(
          [
            ['backend', `${enforced.backend} ${enforced.version}, tier ${enforced.tier}`],
            ['slots', options.slots],
            ['hosts', hosts.length > 0 ? hosts.map(cleanText).join(', ') : noHosts],
            ['stop', 'Ctrl-C or SIGTERM: running calls are finished'],
          ],
          style,
          2,
        ),
      ].join('\n'),
  });
  if (!signal.aborted) await new Promise<void>((stop) => signal.addEventListener('abort', () => stop(), {once: true}));
  await drain();
  await close();
  return undefined;
};

function tlsOf({tlsCert, tlsKey, clientCa}: Options, cwd: string): HostWorkerOptions['tls'] {
  if (tlsCert === undefined && tlsKey === undefined && clientCa === undefined) return undefined;
  if (tlsCert === undefined || tlsKey === undefined) {
    throw usage('`--tls-cert` and `--tls-key` belong together', 'give both; `--client-ca` needs them');
  }
  const at = (path: string): string => resolve(cwd, path);
  return {cert: at(tlsCert), key: at(tlsKey), clientCa: clientCa === undefined ? undefined : at(clientCa)};
}

function usage(message: string, help: string): CliError {
  return new CliError('INVALID_ARGUMENT', message, {help, exitCode: exitCode.usage});
}
