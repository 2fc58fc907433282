// Validates a pack's config, its root key in workspace.yaml, against the pack's config_schema.
import type {Problem} from '@lumenflow/kernel';
import type {SchemaCompiler} from '@lumenflow/kernel/node';
import type {PackManifest} from '@lumenflow/schemas';
import {embedReferences, readSchemaFile} from './embed-references.ts';
import {PackFileError, type PackFiles} from './pack-files.ts';
import {packPath} from './read-manifest.ts';

export interface ConfigRequest {
  readonly manifest: PackManifest;
  readonly files: PackFiles;
  readonly configs: Readonly<Record<string, unknown>>;
  readonly compiler: SchemaCompiler;
  /** `workspace.yaml:line:column` of the pin. */
  readonly pinWhere: string;
  locateWorkspace(pointer: string): string;
  locateManifest(pointer: string): string;
  display(path: string): string;
}

/** The config is what workspace.yaml holds, an empty object when it holds nothing. */
export async function checkConfig(
  request: ConfigRequest,
): Promise<{readonly config: unknown; readonly problems: readonly Problem[]}> {
  const {config_key: key, config_schema: schemaFile} = request.manifest;
  if (key === undefined) return {config: {}, problems: []};
  const isGiven = Object.hasOwn(request.configs, key);
  const config = isGiven ? request.configs[key] : {};
  if (schemaFile === undefined) return {config, problems: []};
  const compiled = await compileConfigSchema(request, schemaFile);
  if ('problem' in compiled) return {config, problems: [compiled.problem]};
  const issues = compiled.validate(config);
  if (issues.length === 0) return {config, problems: []};
  if (!isGiven) {
    const message = `the pack \`${request.manifest.id}\` needs a config: ${issues.map((issue) => issue.message).join(', ')}`;
    const help = `add \`${key}:\` to workspace.yaml, as ${request.display(schemaFile)} describes it`;
    return {
      config,
      problems: [{code: 'PACK_CONFIG_MISSING', severity: 'error', message, where: request.pinWhere, help}],
    };
  }
  return {
    config,
    problems: issues.map(({pointer, message}) => ({
      code: 'PACK_CONFIG_INVALID',
      severity: 'error',
      message,
      where: request.locateWorkspace(`/${key}${pointer}`),
      pointer: `/${key}${pointer}`,
    })),
  };
}

async function compileConfigSchema(
  request: ConfigRequest,
  schemaFile: string,
): Promise<ReturnType<SchemaCompiler['compile']>> {
  const where = request.locateManifest('/config_schema');
  try {
    const path = packPath(schemaFile);
    if (path === undefined) throw new PackFileError(schemaFile, 'leads out of the pack');
    const schema = await embedReferences(await readSchemaFile(request.files, path), path, request.files);
    const compiled = request.compiler.compile(schema, () => request.display(path));
    return 'problem' in compiled ? {problem: {...compiled.problem, code: 'PACK_SCHEMA_INVALID'}} : compiled;
  } catch (error) {
    if (!(error instanceof PackFileError)) throw error;
    const message = `the config_schema cannot be used: \`${error.path}\` ${error.message}`;
    return {problem: {code: 'PACK_SCHEMA_INVALID', severity: 'error', message, where, pointer: '/config_schema'}};
  }
}
