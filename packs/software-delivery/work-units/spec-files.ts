// The spec files in the working tree.
import {isToolError, ToolError, type ToolContext} from '@lumenflow/pack-sdk';
import type {PackConfig} from '../pack-config.ts';
import {createSpecReader, type SpecProblem, type SpecReader} from './spec-reader.ts';
import {specHash} from './spec-hash.ts';
import {specFolder, specPath} from './spec-place.ts';
import type {WuSpec} from './wu-spec.ts';

export interface SpecFile {
  readonly path: string;
  readonly text: string;
  readonly hash: string;
}

export interface SoundSpecFile extends SpecFile {
  readonly spec: WuSpec;
}

type FileContext = Pick<ToolContext<PackConfig>, 'fs' | 'config'>;

/** Throws ToolError SPEC_MISSING. */
export async function readSpecFile({fs, config}: FileContext, id: string): Promise<SpecFile> {
  const path = specPath(config, id);
  try {
    const text = await fs.readText(path);
    return {path, text, hash: specHash(text)};
  } catch (error) {
    if (!isToolError(error) || error.code !== 'NOT_FOUND') throw error;
    throw new ToolError('SPEC_MISSING', `\`${path}\` is missing: run \`doctor\` with \`fix: true\` to rewrite it`, {
      id,
      path,
    });
  }
}

/** Throws ToolError SPEC_MISSING and SPEC_INVALID. */
export async function readSoundSpec(
  context: FileContext,
  id: string,
  reader: SpecReader = createSpecReader(),
): Promise<SoundSpecFile> {
  const file = await readSpecFile(context, id);
  const reading = reader.read(file.text, file.path);
  if (!('spec' in reading)) throw specInvalid(file.path, reading.problems);
  if (reading.spec.id === id) return {...file, spec: reading.spec};
  const message = `\`id\` must be \`${id}\` to match the file name`;
  throw specInvalid(file.path, [{where: file.path, message}]);
}

export function specInvalid(path: string, problems: readonly SpecProblem[]): ToolError {
  const lines = problems.map(({where, message}) => `${where} ${message}`);
  return new ToolError('SPEC_INVALID', [`\`${path}\` is not a valid spec`, ...lines].join('\n'), {path, problems});
}

/** Ids of the files that are named like specs, in numeric order. */
export async function listSpecFiles({fs, config}: FileContext): Promise<readonly string[]> {
  const folder = specFolder(config);
  if ((await fs.stat(folder)) === undefined) return [];
  const entries = await fs.list(folder);
  return entries
    .flatMap(({name, kind}) =>
      kind === 'file' ? (/^([A-Z][A-Z0-9]{0,9}-[1-9]\d{0,8})\.yaml$/.exec(name)?.[1] ?? []) : [],
    )
    .toSorted(byNumber);
}

function byNumber(left: string, right: string): number {
  return left.localeCompare(right, 'en', {numeric: true});
}
