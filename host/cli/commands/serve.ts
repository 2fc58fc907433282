// `lumenflow serve`: serves the HTTP API until Ctrl-C. If Node starts with an OpenTelemetry SDK (`NODE_OPTIONS=--import=…`), it
// receives calls as spans.
import {trace} from '@opentelemetry/api';
import {startAgentScheduler} from '../../agent/agent-scheduler.ts';
import {startHttpServer, openTokenStore} from '../../http/index.ts';
import {version} from '../../version.ts';
import {CliError} from '../failures/cli-error.ts';
import type {CliContext, Command} from '../command.ts';
import {exitCode} from '../failures/exit-code.ts';
import {reportChanges} from '../failures/report-changes.ts';
import {failureFromError} from '../failures/failure-from-error.ts';
import {cleanText} from '../rendering/clean-text.ts';
import {renderFields} from '../rendering/render-fields.ts';
import {renderReload} from '../rendering/render-reload.ts';
import {renderFailure} from '../rendering/render-failure.ts';
import {orTokensUnusable} from '../failures/tokens-unusable.ts';
import {portOf} from '../lookup/port-of.ts';
import {withHost} from '../with-host.ts';

interface Options {
  readonly port: string;
  readonly host: string;
  readonly allowHost?: readonly string[];
  readonly rate: string;
  readonly watch?: boolean;
}

export const serve: Command<Options> = async (context, _args, options) => {
  const port = portOf(options.port);
  const requestsPerSecond = rateOf(options.rate);
  await withHost(
    context,
    async (host) => {
      const tokens = await orTokensUnusable(async () => openTokenStore(host.workspaceRoot));
      const token = await orTokensUnusable(() => tokens.issueFirst());
      const report = reportChanges((text) => context.notify(text));
      const onError = (error: unknown): void =>
        report(renderFailure(failureFromError(error).failure, {}, context.errorStyle));
      const server = await startHttpServer(host, {
        tokens,
        version,
        port,
        hostname: options.host,
        hostsAllowed: options.allowHost ?? [],
        requestsPerSecond: requestsPerSecond > 0 ? requestsPerSecond : undefined,
        onError,
      });
      // Agent sessions and workflows, if a pack provides them.
      const hasAgents = host.runtime.workspace.tools.has('agent-schedule:due');
      const scheduler = hasAgents ? startAgentScheduler(host, {onError}) : undefined;
      announce(context, {
        url: server.url,
        port: server.port,
        ...(token !== undefined && {token}),
        tokens_file: tokens.path,
      });
      await aborted(context.signal);
      await scheduler?.close();
      await server.close();
    },
    {
      threads: 2,
      tracerProvider: trace.getTracerProvider(),
      warmSandboxes: true,
      watch: options.watch === true,
      onReload: (reload) => context.notify(renderReload(reload, context.errorStyle)),
    },
  );
  return undefined;
};

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
