// Validates a pack's config, its root key in workspace.yaml, against the pack's config_schema.
import {failed, ok, type Outcome, type Problem} from '@lumenflow/kernel';
import type {SchemaIssue} from '@lumenflow/kernel/adapters';
import {serialize} from 'node:v8';
import {noteSound, type CachedBuild} from './build/build-cache.ts';
import {embedReferences, readSchemaFile} from './schemas/embed-references.ts';
import {sha256} from './files/hash-each.ts';
import type {PackContents} from './pack-contents.ts';
import {PackFileError} from './files/pack-files.ts';
import {packPath} from './files/pack-path.ts';
import type {Schema} from './schemas/schema-keywords.ts';

export interface CheckedConfig {
  /** Undefined when the pack needs a config and there is no workspace to contain it. */
  readonly config: unknown;
  readonly problems: readonly Problem[];
}

/** The config is the value in workspace.yaml, or an empty object if there is none. A config that matches is noted. */
export async function checkConfig(contents: PackContents, build: CachedBuild | undefined): Promise<CheckedConfig> {
  const {request, pinPointer, display} = contents;
  const {id, config_key: key, config_schema: schemaFile} = contents.read.manifest;
  if (key === undefined) return {config: {}, problems: []};
  const isGiven = Object.hasOwn(request.configs, key);
  const config = isGiven ? request.configs[key] : {};
  if (schemaFile === undefined) return {config, problems: []};
  const schema = await readConfigSchema(contents, schemaFile);
  if (!schema.ok) return {config, problems: [schema.problem]};
  // Not JSON, which has no infinite numbers.
  const note = `config.${sha256(serialize(config))}`;
  if (build?.sound.has(note)) return {config, problems: []};
  const compiled = contents.loader.compiler.compile(schema.value, () => display(schemaFile));
  if (!compiled.ok) return {config, problems: [{...compiled.problem, code: 'PACK_SCHEMA_INVALID'}]};
  const issues = compiled.value(config);
  if (issues.length === 0) {
    if (build) await noteSound(build, note);
    return {config, problems: []};
  }
  if (!isGiven && contents.loader.isWithoutConfigs) return {config: undefined, problems: [notJudged(contents, issues)]};
  if (!isGiven) {
    const message = `the pack \`${id}\` needs a config: ${issues.map((issue) => issue.message).join(', ')}`;
    const help = `add \`${key}:\` to workspace.yaml, as ${display(schemaFile)} describes it`;
    const where = request.locate(pinPointer);
    return {config, problems: [{code: 'PACK_CONFIG_MISSING', severity: 'error', message, where, help}]};
  }
  return {
    config,
    problems: issues.map(({pointer, message}) => ({
      code: 'PACK_CONFIG_INVALID',
      severity: 'error',
      message,
      where: request.locate(`/${key}${pointer}`),
      pointer: `/${key}${pointer}`,
    })),
  };
}

function notJudged({read}: PackContents, issues: readonly SchemaIssue[]): Problem {
  const {config_key: key = '', policy_factory, capability_factory} = read.manifest;
  const idle = policy_factory === undefined && capability_factory === undefined ? '' : ', so its factories did not run';
  return {
    code: 'PACK_CONFIG_NOT_JUDGED',
    severity: 'warning',
    message: `the config was not checked${idle}: the pack needs one, \`${key}\` in workspace.yaml (${issues.map((issue) => issue.message).join(', ')})`,
    where: read.locate('/config_schema'),
    pointer: '/config_schema',
    help: 'pin the pack in a workspace and run any command there, which also checks the config',
  };
}

async function readConfigSchema({declared, read}: PackContents, schemaFile: string): Promise<Outcome<Schema>> {
  try {
    const path = packPath(schemaFile);
    if (path === undefined) throw new PackFileError(schemaFile, 'leads out of the pack');
    return ok(await embedReferences(await readSchemaFile(declared, path), path, declared));
  } catch (error) {
    if (!(error instanceof PackFileError)) throw error;
    const message = `the config_schema cannot be used: \`${error.path}\` ${error.message}`;
    const where = read.locate('/config_schema');
    return failed({code: 'PACK_SCHEMA_INVALID', severity: 'error', message, where, pointer: '/config_schema'});
  }
}
