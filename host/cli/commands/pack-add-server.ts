// `lumenflow pack add`: asks an MCP server for its tools, and writes a pin for it to workspace.yaml.
import {isIdentifier} from '@lumenflow/kernel';
import type {PackPin} from '@lumenflow/schemas';
import {existsSync} from 'node:fs';
import {readFile, writeFile} from 'node:fs/promises';
import {dirname, join, relative, resolve, sep} from 'node:path';
import {
  listUpstream,
  pinFault,
  proposePin,
  runtimePathsOf,
  upstreamFolder,
  withPin,
  type ListedUpstream,
} from '../../upstream-mcp/index.ts';
import type {CliContext, Command} from '../command.ts';
import {wrapText} from '../rendering/render-fields.ts';
import {shownNames} from '../rendering/shown-names.ts';
import {CliError} from '../failures/cli-error.ts';
import {exitCode} from '../failures/exit-code.ts';
import {openPacks, type OpenPacks} from '../lookup/open-packs.ts';

interface Options {
  readonly path?: string;
  readonly url?: string;
  readonly header?: readonly string[];
  readonly lifetime?: string;
}

export const packAddServer: Command<Options> = async (context, [id = '', ...command], options) => {
  const packs = await openPacks(context);
  try {
    const asked = newPin(packs, {id, command, ...options});
    const {listing, hints} = await listed(context, packs, asked);
    const {pin, leftOut} = proposePin(asked, listing);
    const file = join(packs.workspaceRoot, 'workspace.yaml');
    await writeFile(file, withPin(await readFile(file, 'utf8'), pin, hints));
    const names = Object.keys(pin.tools ?? {});
    const {style, errorStyle} = context;
    return {
      data: {pin, left_out: leftOut},
      text: () =>
        wrapText(
          `${style.good('✔')} pinned ${style.bold(id)} ${pin.version} in workspace.yaml: ${shownNames(names)}`,
          style.width,
        ),
      note: () =>
        errorStyle.dim(
          [
            ...(leftOut.length === 0 ? [] : [`omitted, because their names cannot be encoded: ${shownNames(leftOut)}`]),
            `every tool has permission \`admin\` and touches ${pin.url === undefined ? 'no file' : 'only the server'}: edit the pin, then continue`,
            ...(pin.lifetime === undefined
              ? [
                  'each call starts the server, which keeps nothing in memory between two calls: `lifetime: session` changes that',
                ]
              : []),
            `lumenflow pack install ${id} && lumenflow pack approve ${id}`,
          ]
            .map((line) => wrapText(line, errorStyle.width))
            .join('\n'),
        ),
    };
  } finally {
    packs.source.close();
  }
};

interface AskedServer extends Options {
  readonly id: string;
  readonly command: readonly string[];
}

function newPin({request, workspaceRoot}: OpenPacks, asked: AskedServer): PackPin {
  const {id, command, url, path} = asked;
  const lifetime = lifetimeOf(asked.lifetime);
  if (!isIdentifier(id)) throw refuse('the id is not valid', 'use letters, digits and `-`');
  if (request.pins.some((pin) => pin.id === id))
    throw refuse(`workspace.yaml already pins a pack \`${id}\``, 'choose another id, or remove the pin');
  const pin = {id, version: '0.0.0', integrity: 'dev', source: 'mcp', ...(lifetime && {lifetime})} as const;
  if (url !== undefined) return {...pin, url, ...headersOf(asked)};
  const [program, ...args] = command;
  if (program === undefined)
    throw refuse(
      'the command of the server is missing',
      'write it after `--`: lumenflow pack add fs -- node server.js',
    );
  const place = path ?? programFolder(workspaceRoot, command);
  return {...pin, command: [program, ...args], ...(place !== undefined && {path: place})};
}

const lifetimes = ['call', 'session', 'task', 'workspace'] as const;

function lifetimeOf(text: string | undefined): PackPin['lifetime'] {
  const found = lifetimes.find((name) => name === text);
  if (text !== undefined && found === undefined)
    throw refuse(`\`${text}\` is not a valid lifetime`, `use one of ${lifetimes.join(', ')}`);
  return found;
}

function headersOf({header = []}: AskedServer): Pick<PackPin, 'headers'> {
  if (header.length === 0) return {};
  const entries = header.map((text) => {
    const [, name, value] = /^([A-Za-z0-9-]+):\s*(.+)$/u.exec(text) ?? [];
    if (name === undefined || value === undefined)
      throw refuse(`\`${text}\` is not a valid header`, "write it as 'Authorization: Bearer ${API_TOKEN}'");
    return [name, value] as const;
  });
  return {headers: Object.fromEntries(entries)};
}

function refuse(message: string, help: string): CliError {
  return new CliError('INVALID_ARGUMENT', message, {help, exitCode: exitCode.usage});
}

const modules = `${sep}node_modules${sep}`;

/** The folder that the server's calls must see: of the first file that the command names, or the `node_modules` around it. */
function programFolder(root: string, command: readonly string[]): string | undefined {
  const file = command
    .filter((word) => word.includes('/'))
    .map((word) => resolve(root, word))
    .find(existsSync);
  if (file === undefined) return undefined;
  const end = file.indexOf(modules);
  return relative(root, end < 0 ? dirname(file) : file.slice(0, end + modules.length - 1)) || '.';
}

async function listed(
  context: CliContext,
  {workspaceRoot, denyOverlays}: OpenPacks,
  pin: PackPin,
): Promise<ListedUpstream> {
  const fault = pinFault(pin);
  if (fault !== undefined) throw refuse(fault.message, fault.help);
  const paths = await runtimePathsOf(pin, workspaceRoot);
  if (!paths.ok) throw new CliError('PACK_NOT_FOUND', paths.problem.message, {help: paths.problem.help});
  const found = await context.spin('asking the server for its tools', () =>
    listUpstream({
      pin,
      workspaceRoot,
      denyOverlays,
      runtimePaths: paths.value,
      folder: upstreamFolder(join(workspaceRoot, '.lumenflow', 'cache'), pin),
      env: context.env,
      signal: context.signal,
    }),
  );
  if (found.ok) return found.value;
  throw new CliError('PACK_FETCH_FAILED', `the server does not list its tools: ${found.problem}`, {
    help:
      pin.url === undefined
        ? 'try the command in the workspace; in the sandbox it sees the folder of its program (`--path`), and no network'
        : 'check the address, and that the variables in its headers are in the environment',
  });
}
