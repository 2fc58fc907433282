// `lumenflow init`: creates a workspace that is ready for tool calls.
import {existsSync, readdirSync, realpathSync} from 'node:fs';
import {appendFile, mkdir, writeFile} from 'node:fs/promises';
import {basename, dirname, join, resolve} from 'node:path';
import {CliError} from '../failures/cli-error.ts';
import type {CliContext, Command} from '../command.ts';
import {exitCode} from '../failures/exit-code.ts';
import {checkIsFolder} from '../lookup/check-is-folder.ts';
import {ignoreState, isInGit} from '../init/ignore-state.ts';
import {suggestConfigs} from '../init/suggest-configs.ts';
import {schemaPath} from '../init/schema-path.ts';
import {findShippedPacks} from '../init/shipped-packs.ts';
import {surveyProject} from '../init/survey-project.ts';
import {workspaceText} from '../init/workspace-text.ts';
import {quoted} from '../rendering/quoted.ts';
import {cleanText} from '../rendering/clean-text.ts';
import {renderNext} from '../rendering/render-failure.ts';
import {actorOf, toIdentifier} from '../sign-in/actor.ts';

interface Options {
  readonly id?: string;
}

export const init: Command<Options> = async (context, [folder], options) => {
  const named = folder ?? context.workspace;
  const made = resolve(context.cwd, named ?? '.');
  if (existsSync(join(made, 'workspace.yaml'))) throw workspaceExists(made);
  checkIsFolder(made);
  await mkdir(made, {recursive: true});
  const root = realpathSync(made);
  const {pins, signers, problems} = await context.spin('pinning the packs', () => findShippedPacks(root));
  if (problems.length > 0) throw new CliError('LOAD_FAILED', 'the packs beside the host cannot be pinned', {problems});
  const project = await surveyProject(root, context.env['PATH'] ?? '');
  const id = options.id ?? toIdentifier(basename(root));
  const text = workspaceText({
    id,
    pins,
    schemaPath: schemaPath(root, 'workspace.schema.json'),
    isGit: existsSync(join(root, '.git')),
    project,
    signers,
  });
  await writeNew(join(root, 'workspace.yaml'), text);
  const configs =
    pins.length === 0 || isEmpty(root) ? [] : await suggestConfigs(context, root, actorOf(context, undefined));
  for (const config of configs) await appendFile(join(root, 'workspace.yaml'), `\n${config}`);
  const written = ['workspace.yaml', ...(isInGit(root) && (await ignoreState(root)) ? ['.gitignore'] : [])];
  return {
    data: {workspace: root, id, files: written, packs: pins},
    text: () => render(context, root, {written, packs: pins.map(({id: pack, version}) => `${pack} ${version}`)}),
    note: () => renderNext(nextSteps(named, project.folders[0] ?? 'src'), context.errorStyle),
  };
};

/** A folder without files of a person suggests nothing. */
function isEmpty(root: string): boolean {
  return readdirSync(root).every((name) => name.startsWith('.') || name === 'workspace.yaml');
}

function workspaceExists(folder: string): CliError {
  return new CliError('WORKSPACE_EXISTS', `\`${join(folder, 'workspace.yaml')}\` already exists`, {
    help: 'edit it, or name another folder: lumenflow init FOLDER',
    exitCode: exitCode.usage,
  });
}

/** Never overwrites a file, including one that was created in the meantime. */
async function writeNew(file: string, text: string): Promise<void> {
  try {
    await writeFile(file, text, {flag: 'wx'});
  } catch (error) {
    throw (error as NodeJS.ErrnoException).code === 'EEXIST' ? workspaceExists(dirname(file)) : error;
  }
}

function render(
  {style}: CliContext,
  root: string,
  {written, packs}: {written: readonly string[]; packs: readonly string[]},
): string {
  return [
    `${style.good('✔')} ${style.bold(cleanText(root))} is a workspace`,
    ...written.map((file) => `  ${style.dim('wrote')}   ${file}`),
    ...packs.map((pack) => `  ${style.dim('pinned')}  ${pack}`),
  ].join('\n');
}

function nextSteps(folder: string | undefined, writable: string): Parameters<typeof renderNext>[0] {
  return [
    ...(folder === undefined ? [] : [{to: 'go there', command: `cd ${quoted(folder)}`}]),
    {to: 'check the workspace', command: 'lumenflow check'},
    {to: 'list the tools', command: 'lumenflow tools list'},
    {to: 'call something', command: 'lumenflow tools call file:list'},
    {
      to: 'explain a policy decision',
      command: `lumenflow policy explain file:write ${quoted(`path=${writable}/a.txt`)} content=Hello`,
    },
    {to: 'verify the evidence log', command: 'lumenflow evidence verify'},
  ];
}
