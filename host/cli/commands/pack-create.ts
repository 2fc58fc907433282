// `lumenflow pack create`: creates a pack whose tests pass immediately.
import {existsSync, readdirSync, realpathSync} from 'node:fs';
import {mkdir, writeFile} from 'node:fs/promises';
import {basename, dirname, join, relative, resolve} from 'node:path';
import {CliError} from '../failures/cli-error.ts';
import type {Command} from '../command.ts';
import {newPackFiles} from '../create/new-pack-files.ts';
import {singleFilePack} from '../create/single-file-pack.ts';
import {packageRange} from '../create/package-range.ts';
import {exitCode} from '../failures/exit-code.ts';
import {schemaPath} from '../init/schema-path.ts';
import {quoted} from '../rendering/quoted.ts';
import {cleanText} from '../rendering/clean-text.ts';
import {renderNext} from '../rendering/render-failure.ts';

interface Options {
  readonly singleFile?: boolean;
}

export const packCreate: Command<Options> = async (context, [name = ''], {singleFile = false}) => {
  const made = resolve(context.cwd, name);
  const id = basename(made);
  checkId(id);
  if (existsSync(made) && readdirSync(made).length > 0) {
    throw new CliError('FOLDER_NOT_EMPTY', `\`${made}\` is not empty`, {
      help: 'name a folder that does not exist yet',
      exitCode: exitCode.usage,
    });
  }
  await mkdir(made, {recursive: true});
  const folder = realpathSync(made);
  const files = (singleFile ? singleFilePack : newPackFiles)({
    id,
    packSdk: packageRange('@lumenflow/pack-sdk', folder),
    host: packageRange('@lumenflow/host', folder),
    manifestSchema: schemaPath(folder, 'manifest.schema.json'),
    workspaceSchema: schemaPath(folder, 'workspace.schema.json'),
  });
  for (const [path, text] of Object.entries(files)) {
    await mkdir(dirname(join(folder, path)), {recursive: true});
    await writeFile(join(folder, path), text, {flag: 'wx'});
  }
  const {style, errorStyle} = context;
  const paths = Object.keys(files);
  return {
    data: {id, folder, files: paths},
    text: () =>
      [
        `${style.good('✔')} ${style.bold(cleanText(folder))} is a pack`,
        ...paths.map((path) => `  ${style.dim('wrote')}  ${path}`),
      ].join('\n'),
    note: () => renderNext(nextSteps(id, relative(context.cwd, made), folder, singleFile), errorStyle),
  };
};

/** The id is also the first half of its tools' names. */
function checkId(id: string): void {
  if (/^[a-z][a-z0-9-]{0,39}$/u.test(id)) return;
  throw new CliError('USAGE', `\`${id}\` is not a valid pack id`, {
    help: 'use lower-case letters, digits and `-`, at most 40, beginning with a letter',
    exitCode: exitCode.usage,
  });
}

function nextSteps(id: string, path: string, folder: string, singleFile: boolean): Parameters<typeof renderNext>[0] {
  return [
    ...(path === '' ? [] : [{to: 'go there', command: `cd ${quoted(path)}`}]),
    ...(isInstalled(folder) ? [] : [{to: 'install the test dependencies', command: 'npm install'}]),
    {to: 'run the tests', command: 'npm test'},
    {to: 'call the tool', command: `lumenflow tools call ${id}:greet name=Ada`},
    ...(singleFile
      ? []
      : [{to: 'see why policy denies a call', command: `lumenflow policy explain ${id}:greet name=Bob`}]),
    {to: 'check its types, which the other commands ignore', command: 'npm run check'},
    {to: 'develop it: shows tools and problems after every change', command: 'lumenflow pack dev'},
  ];
}

/** Whether a parent folder already contains the test kit. */
function isInstalled(start: string): boolean {
  for (let folder = start; ; folder = dirname(folder)) {
    if (['@lumenflow/host', 'tsx'].every((name) => existsSync(join(folder, 'node_modules', name)))) return true;
    if (folder === dirname(folder)) return false;
  }
}
