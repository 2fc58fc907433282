// `lumenflow pack create`: creates a pack whose tests pass immediately.
import {existsSync, readdirSync, realpathSync} from 'node:fs';
import {mkdir, writeFile} from 'node:fs/promises';
import {basename, dirname, join, relative, resolve} from 'node:path';
import {kernelPackId} from '@lumenflow/kernel/adapters';
import {CliError} from '../failures/cli-error.ts';
import type {Command} from '../command.ts';
import {newPackFiles} from '../create/new-pack-files.ts';
import {programPack} from '../create/program-pack.ts';
import {singleFilePack} from '../create/single-file-pack.ts';
import {packageRange} from '../create/package-range.ts';
import {exitCode} from '../failures/exit-code.ts';
import {checkIsFolder} from '../lookup/check-is-folder.ts';
import {schemaPath} from '../init/schema-path.ts';
import {quoted} from '../rendering/quoted.ts';
import {cleanText} from '../rendering/clean-text.ts';
import {renderNext} from '../rendering/render-failure.ts';

interface Options {
  readonly singleFile?: boolean;
  readonly program?: boolean;
}

/** The kinds of new packs. */
const kinds = {code: newPackFiles, 'single-file': singleFilePack, program: programPack};
type Kind = keyof typeof kinds;

export const packCreate: Command<Options> = async (context, [name = ''], options) => {
  const kind = kindOf(options);
  const made = resolve(context.cwd, name);
  const id = basename(made);
  checkId(id);
  checkIsFolder(made);
  if (existsSync(made) && readdirSync(made).length > 0) {
    throw new CliError('FOLDER_NOT_EMPTY', `\`${made}\` is not empty`, {
      help: 'name a folder that does not exist yet',
      exitCode: exitCode.usage,
    });
  }
  await mkdir(made, {recursive: true});
  const folder = realpathSync(made);
  const files = kinds[kind]({
    id,
    packSdk: packageRange('@lumenflow/pack-sdk', folder),
    host: packageRange('@lumenflow/host', folder),
    manifestSchema: schemaPath(folder, 'manifest.schema.json'),
    workspaceSchema: schemaPath(folder, 'workspace.schema.json'),
    programSchema: schemaPath(folder, 'program.schema.json'),
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
    note: () => renderNext(nextSteps(id, relative(context.cwd, made), folder, kind), errorStyle),
  };
};

/** The id is also the first half of its tools' names. */
function checkId(id: string): void {
  if (id === kernelPackId) {
    throw new CliError('USAGE', `the pack id \`${id}\` is reserved for the kernel`, {
      help: 'choose another name for the folder',
      exitCode: exitCode.usage,
    });
  }
  if (/^[a-z][a-z0-9-]{0,39}$/u.test(id)) return;
  throw new CliError('USAGE', `\`${id}\` is not a valid pack id`, {
    help: 'use lower-case letters, digits and `-`, at most 40, beginning with a letter',
    exitCode: exitCode.usage,
  });
}

function kindOf({singleFile = false, program = false}: Options): Kind {
  if (singleFile && program) {
    throw new CliError('USAGE', '`--single-file` and `--program` exclude each other', {
      help: 'use one of them',
      exitCode: exitCode.usage,
    });
  }
  if (program) return 'program';
  return singleFile ? 'single-file' : 'code';
}

function nextSteps(id: string, path: string, folder: string, kind: Kind): Parameters<typeof renderNext>[0] {
  const example = kind === 'program' ? 'greet-all names=Ada,Bob' : 'greet name=Ada';
  return [
    ...(path === '' ? [] : [{to: 'go there', command: `cd ${quoted(path)}`}]),
    ...(isInstalled(folder) ? [] : [{to: 'install the test dependencies', command: 'npm install'}]),
    {to: 'run the tests', command: 'npm test'},
    {to: 'call the tool', command: `lumenflow tools call ${id}:${example}`},
    ...(kind === 'code'
      ? [{to: 'see why policy denies a call', command: `lumenflow policy explain ${id}:greet name=Bob`}]
      : []),
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
