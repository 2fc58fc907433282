// `lumenflow pack doctor`: whether the services and MCP servers of the workspace reply, and whether their variables are set.
import {createHostNetwork} from '@lumenflow/sandbox';
import type {PackPin} from '@lumenflow/schemas';
import {join} from 'node:path';
import {checkServer, isService, networkOfPin} from '../../services/index.ts';
import {listUpstream, requiredEnv, runtimePathsOf, upstreamFolder} from '../../upstream-mcp/index.ts';
import type {CliContext, Command} from '../command.ts';
import {openPacks, pinIn, type OpenPacks} from '../lookup/open-packs.ts';
import {renderTable} from '../rendering/render-table.ts';

interface Check {
  readonly pack: string;
  /** An address, or the command of an MCP server. */
  readonly server: string;
  readonly replies: boolean;
  readonly duration_ms?: number;
  readonly problem?: string;
  /** Variables of its credentials that are not set in this environment. */
  readonly missing_env: readonly string[];
}

export const packDoctor: Command = async (context, [id]) => {
  const packs = await openPacks(context);
  try {
    const asked = id === undefined ? packs.request.pins : [pinIn(packs, id)];
    const pins = asked.filter((pin) => isService(pin) || pin.source === 'mcp');
    const found = await context.spin('connecting to the servers', () =>
      Promise.all(
        pins.map(async (pin) => (isService(pin) ? checkService(context, pin) : checkMcp(context, packs, pin))),
      ),
    );
    const checks = found.flat();
    const isWell = checks.every(({replies, missing_env}) => replies && missing_env.length === 0);
    return {
      data: {checks},
      text: () => (checks.length === 0 ? 'no pin is a service or an MCP server' : renderChecks(checks, context)),
      exitCode: isWell ? 0 : 1,
    };
  } finally {
    packs.source.close();
  }
};

async function checkService({env}: CliContext, pin: PackPin): Promise<readonly Check[]> {
  const variables = Object.values(pin.credentials ?? {}).flatMap((credential) => Object.values(credential ?? {}));
  const missing_env = variables.filter((name) => env[name] === undefined);
  const network = createHostNetwork(networkOfPin(pin));
  return await Promise.all(
    (pin.servers ?? []).map(async (server): Promise<Check> => {
      const checked = await checkServer(server, network);
      const base = {pack: pin.id, server, replies: checked.ok, missing_env};
      return checked.ok ? {...base, duration_ms: Math.round(checked.value)} : {...base, problem: checked.problem};
    }),
  );
}

async function checkMcp(
  {env, signal}: CliContext,
  {workspaceRoot, denyOverlays}: OpenPacks,
  pin: PackPin,
): Promise<readonly Check[]> {
  const missing_env = requiredEnv(pin).filter((name) => env[name] === undefined);
  const base = {pack: pin.id, server: pin.url ?? (pin.command ?? []).join(' '), missing_env};
  const paths = await runtimePathsOf(pin, workspaceRoot);
  if (!paths.ok) return [{...base, replies: false, problem: paths.problem.message}];
  const folder = upstreamFolder(join(workspaceRoot, '.lumenflow', 'cache'), pin);
  const started = performance.now();
  const listed = await listUpstream({pin, workspaceRoot, denyOverlays, runtimePaths: paths.value, folder, env, signal});
  if (!listed.ok) return [{...base, replies: false, problem: listed.problem}];
  return [{...base, replies: true, duration_ms: Math.round(performance.now() - started)}];
}

function renderChecks(checks: readonly Check[], {style}: CliContext): string {
  return renderTable(
    checks,
    [
      {title: 'PACK', cell: ({pack}) => pack, paint: () => style.bold},
      {
        title: '',
        cell: ({replies}) => (replies ? 'replies' : 'fails'),
        paint: ({replies}) => (replies ? style.good : style.bad),
      },
      {title: 'SERVER', cell: ({server}) => server, shrinksTo: 20},
      {
        title: '',
        cell: ({duration_ms, problem, missing_env}) =>
          [
            problem ?? `${duration_ms ?? 0} ms`,
            ...(missing_env.length === 0 ? [] : [`not set: ${missing_env.join(', ')}`]),
          ].join('; '),
        shrinksTo: 20,
      },
    ],
    style,
  );
}
