// `lumenflow serve`: serves the HTTP API until Ctrl-C. If Node starts with an OpenTelemetry SDK (`NODE_OPTIONS=--import=…`), it
// receives calls as spans.
import {setTimeout as sleep} from 'node:timers/promises';
import {startAgentScheduler} from '../../agent/agent-scheduler.ts';
import {openEngine} from '../../engine/open-engine.ts';
import {startProgramScheduler} from '../../exec/index.ts';
import {startHttpServer, openTokenStore} from '../../http/index.ts';
import {LinkKeyError} from '../../approvals/links/index.ts';
import {ReceiverError, startNotifier, type Notifier} from '../../notifications/index.ts';
import {otlpSettingsOf, OtlpSettingsError, type OtlpSettings} from '../../telemetry/otlp/otlp-settings.ts';
import {startTelemetry, type Telemetry} from '../../telemetry/start-telemetry.ts';
import {syslogAddressOf, type SyslogAddress} from '../../telemetry/syslog/syslog-address.ts';
import {version} from '../../version.ts';
import {CliError} from '../failures/cli-error.ts';
import type {CliContext, Command} from '../command.ts';
import type {Host} from '../../compose.ts';
import {exitCode} from '../failures/exit-code.ts';
import {cleanText} from '../rendering/clean-text.ts';
import {renderFields} from '../rendering/render-fields.ts';
import {renderReload} from '../rendering/render-reload.ts';
import {orTokensUnusable} from '../failures/tokens-unusable.ts';
import {portOf} from '../lookup/port-of.ts';
import {openServerReports, type ServerReports} from '../serving/server-reports.ts';
import {withHost} from '../with-host.ts';

interface Options {
  readonly port: string;
  readonly host: string;
  readonly allowHost?: readonly string[];
  readonly rate: string;
  readonly watch?: boolean;
  readonly log: 'text' | 'json';
  readonly syslog?: readonly string[];
  readonly drain: string;
  readonly grace: string;
}

interface Settings {
  readonly port: number;
  readonly requestsPerSecond: number | undefined;
  readonly otlp: OtlpSettings | undefined;
  readonly syslog: readonly SyslogAddress[];
  readonly drainMs: number;
  readonly graceMs: number;
}

/** How long a server that ends delivers what it has reported. */
const deliverMs = 5_000;

export const serve: Command<Options> = async (given, _args, options) => {
  const settings = settingsOf(given, options);
  const reports = openServerReports(given, options.log);
  const context = {...given, notify: (text: string) => reports.notice(text)};
  const telemetry = startTelemetry({...settings, onCall: reports.call, onDelivery: reports.delivery});
  try {
    await withHost(context, (host) => serveHost(host, {context, options, settings, reports, telemetry}), {
      threads: 2,
      tracerProvider: telemetry.tracerProvider,
      onRecorded: telemetry.onRecorded,
      warmSandboxes: true,
      watch: options.watch === true,
      onReload: (reload) => reports.notice(renderReload(reload, context.errorStyle)),
    });
  } finally {
    await telemetry.close(deliverMs);
  }
  reports.event('stopped');
  return undefined;
};

interface Serving {
  readonly context: CliContext;
  readonly options: Options;
  readonly settings: Settings;
  readonly reports: ServerReports;
  readonly telemetry: Telemetry;
}

async function serveHost(host: Host, {context, options, settings, reports, telemetry}: Serving): Promise<void> {
  const tokens = await orTokensUnusable(async () => openTokenStore(host.workspaceRoot));
  const token = await orTokensUnusable(() => tokens.issueFirst());
  const notifier = notifierOf(host, context, reports);
  const {onError} = reports;
  const server = await startHttpServer(host, {
    ...settings,
    tokens,
    version,
    hostname: options.host,
    env: context.env,
    hostsAllowed: options.allowHost ?? [],
    closeTimeoutMs: settings.graceMs,
    moreMetrics: telemetry.metrics,
    onError,
  });
  const stopMetrics = telemetry.sendMetrics(server.metrics);
  // Agent sessions and workflows, if a pack provides them.
  const hasAgents = host.runtime.workspace.tools.has('agent-schedule:due');
  const scheduler = hasAgents ? startAgentScheduler(host, {onError, engine: await openEngine(host)}) : undefined;
  const programs = startProgramScheduler(host, {onError, engine: await openEngine(host)});
  const {url, port} = server;
  announce(context, {url, port, ...(token !== undefined && {token}), tokens_file: tokens.path});
  reports.event('serving', {url, version});
  await aborted(context.signal);
  reports.event('draining', {drain_ms: settings.drainMs, grace_ms: settings.graceMs});
  server.drain();
  await sleep(settings.drainMs);
  await Promise.all([scheduler?.close(), programs.close(), notifier.close()]);
  await server.close();
  await stopMetrics();
}

function notifierOf({runtime}: Host, {env}: CliContext, {onError}: ServerReports): Notifier {
  try {
    return startNotifier(runtime, {env, onError});
  } catch (error) {
    if (!(error instanceof ReceiverError || error instanceof LinkKeyError)) throw error;
    throw new CliError('INVALID_ARGUMENT', error.message, {exitCode: exitCode.usage});
  }
}

function announce(
  context: CliContext,
  data: {readonly url: string; readonly port: number; readonly token?: string; readonly tokens_file: string},
): void {
  const {style} = context;
  context.announce({
    data,
    text: () =>
      [
        `${style.good('✔')} serving ${style.accent(data.url)}`,
        renderFields(
          [
            ['offers', 'the dashboard at /, the API at /v1, MCP at /mcp'],
            ['token', data.token],
            ['', data.token === undefined ? undefined : 'the first token, with role admin: it is shown only once'],
            ['tokens', `${cleanText(data.tokens_file)} (hashes only)`],
            ['', 'for a person: lumenflow token create NAME --role operator'],
            ['', 'for an agent: lumenflow token create NAME'],
            ['stop', 'Ctrl-C'],
          ],
          style,
          2,
        ),
      ].join('\n'),
  });
}

function settingsOf({env}: CliContext, options: Options): Settings {
  const rate = rateOf(options.rate);
  return {
    port: portOf(options.port),
    requestsPerSecond: rate > 0 ? rate : undefined,
    otlp: otlpOf(env),
    syslog: (options.syslog ?? []).map(syslogOf),
    drainMs: millisecondsOf('--drain', options.drain),
    graceMs: millisecondsOf('--grace', options.grace),
  };
}

function otlpOf(env: CliContext['env']): OtlpSettings | undefined {
  try {
    return otlpSettingsOf(env, version);
  } catch (error) {
    if (!(error instanceof OtlpSettingsError)) throw error;
    throw new CliError('INVALID_ARGUMENT', error.message, {exitCode: exitCode.usage});
  }
}

function syslogOf(text: string): SyslogAddress {
  const address = syslogAddressOf(text);
  if (address) return address;
  throw new CliError('INVALID_ARGUMENT', `\`${text}\` is not the address of a syslog server`, {
    help: 'use udp://HOST:514, tcp://HOST:601 or tls://HOST:6514',
    exitCode: exitCode.usage,
  });
}

function millisecondsOf(flag: string, text: string): number {
  const seconds = Number(text);
  if (text.trim() !== '' && seconds >= 0 && seconds <= 3_600) return seconds * 1_000;
  throw new CliError('INVALID_ARGUMENT', `\`${text}\` is not a valid value of ${flag}`, {
    help: 'use a number of seconds from 0 to 3600',
    exitCode: exitCode.usage,
  });
}

function rateOf(text: string): number {
  const rate = Number(text);
  if (Number.isFinite(rate) && rate >= 0) return rate;
  throw new CliError('INVALID_ARGUMENT', `\`${text}\` is not a rate`, {
    help: 'give the maximum requests per second and token, or 0 for no limit',
    exitCode: exitCode.usage,
  });
}

async function aborted(signal: AbortSignal): Promise<void> {
  if (signal.aborted) return;
  await new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve(), {once: true}));
}
