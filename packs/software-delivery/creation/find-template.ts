// Templates of work units: entries of `software_delivery.templates`, and files in the template folder. A template is any part of
// a spec.
import {isToolError, ToolError, type ToolContext} from '@lumenflow/pack-sdk';
import {parse} from 'yaml';
import type {PackConfig} from '../pack-config.ts';
import type {PartialSpec} from './fill-draft.ts';
import {specFolder} from '../work-units/spec-place.ts';
import {specFields} from '../work-units/write-spec.ts';

type TemplateContext = Pick<ToolContext<PackConfig>, 'fs' | 'config'>;

function templateFolder(config: PackConfig): string {
  return config?.template_dir ?? `${specFolder(config)}/templates`;
}

/** An entry of workspace.yaml wins over a file. Throws ToolErrors TEMPLATE_UNKNOWN and TEMPLATE_INVALID. */
export async function findTemplate(context: TemplateContext, name: string): Promise<PartialSpec> {
  const own = context.config?.templates?.[name];
  return own ?? (await readTemplate(context, name));
}

async function readTemplate(context: TemplateContext, name: string): Promise<PartialSpec> {
  const path = `${templateFolder(context.config)}/${name}.yaml`;
  try {
    return checkTemplate(path, parse(await context.fs.readText(path)));
  } catch (error) {
    if (isToolError(error) && error.code === 'NOT_FOUND') throw await unknownTemplate(context, name);
    if (isToolError(error)) throw error;
    throw new ToolError('TEMPLATE_INVALID', `\`${path}\` is not YAML: ${(error as Error).message}`, {path});
  }
}

/** Only the names of fields: the values are checked with the whole spec. */
function checkTemplate(path: string, value: unknown): PartialSpec {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new ToolError('TEMPLATE_INVALID', `\`${path}\` must contain fields of a spec`, {path});
  }
  const unknown = Object.keys(value).filter(
    (field) => field === 'id' || field === 'title' || !specFields.includes(field),
  );
  if (unknown.length === 0) return value;
  const names = unknown.map((field) => `\`${field}\``).join(', ');
  throw new ToolError('TEMPLATE_INVALID', `\`${path}\` has fields that a template cannot set: ${names}`, {
    path,
    unknown,
  });
}

async function unknownTemplate({fs, config}: TemplateContext, name: string): Promise<ToolError> {
  const folder = templateFolder(config);
  const files = (await fs.stat(folder)) === undefined ? [] : await fs.list(folder);
  const inFolder = files.flatMap((file) => /^(.+)\.yaml$/u.exec(file.name)?.[1] ?? []);
  const names = [...new Set([...Object.keys(config?.templates ?? {}), ...inFolder])].toSorted();
  const known = names.length === 0 ? 'there are none' : `there are ${names.map((each) => `\`${each}\``).join(', ')}`;
  const message = `there is no template \`${name}\`: ${known}; add one to \`software_delivery.templates\` or to \`${folder}\``;
  return new ToolError('TEMPLATE_UNKNOWN', message, {template: name, known: names});
}
