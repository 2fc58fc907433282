import {existsSync, readFileSync} from 'node:fs';
import {isToolDefinition} from '@lumenflow/pack-sdk';
import type {PackManifest, ToolFile} from '@lumenflow/schemas';
import {validateManifest, validateToolFile} from '@lumenflow/schemas/validators';
import {Ajv2020} from 'ajv/dist/2020.js';
import {describe, expect, it} from 'vitest';
import {parse} from 'yaml';

const read = (path: string): string => readFileSync(new URL(path, import.meta.url), 'utf8');
const manifest = parse(read('manifest.yaml')) as PackManifest;
const toolFiles = (manifest.tool_files ?? []).map((path) => ({path, file: parse(read(path)) as ToolFile}));
const tools = [...manifest.tools, ...toolFiles.flatMap(({file}) => file.tools)];
const configSchema = JSON.parse(read('config.schema.json')) as object;
const ajv = new Ajv2020({strict: true, allowUnionTypes: true, strictRequired: false, allErrors: true});
// The kernel's rules about paths, in addition to JSON Schema.
ajv.addFormat('workspace-path', true);
ajv.addKeyword({keyword: 'x-access', schemaType: 'string'});
ajv.addKeyword({keyword: 'x-recursive', schemaType: 'boolean'});
// For MCP clients, which know tools by other names.
ajv.addKeyword({keyword: 'x-names-tools', schemaType: 'boolean'});

describe('the manifest', () => {
  it('is valid', () => {
    expect(validateManifest(manifest) || validateManifest.errors).toBe(true);
  });

  it.each(toolFiles)('has valid tools in $path', ({file}) => {
    expect(validateToolFile(file) || validateToolFile.errors).toBe(true);
  });

  it('names entries that exist', async () => {
    for (const entry of [manifest.policy_factory ?? '', ...tools.map((tool) => tool.handler_entry)]) {
      const [path = '', name = ''] = entry.split('#');
      const module = (await import(new URL(path, import.meta.url).href)) as Record<string, unknown>;
      expect(path.startsWith('tools/') ? isToolDefinition(module[name]) : typeof module[name] === 'function').toBe(
        true,
      );
    }
    expect(existsSync(new URL(manifest.config_schema ?? '', import.meta.url))).toBe(true);
  });

  const previews = new Set(tools.map(({preview}) => preview));
  it.each(tools.filter(({name}) => previews.has(name)))('gives the preview $name the input of its tool', (preview) => {
    expect(preview).toMatchObject({permission: 'read', internal_only: true});
    expect(preview.input_schema).toBeUndefined();
  });

  it.each(tools.filter(({name}) => !previews.has(name)))(
    'declares $name with closed schemas',
    ({name, permission, input_schema, output_schema, ...tool}) => {
      for (const schema of [input_schema, output_schema]) {
        expect(ajv.validateSchema(schema ?? {}), name).toBe(true);
        expect(ajv.compile(schema ?? {})({not_a_property: 1})).toBe(false);
        for (const part of objectsIn(schema)) expect(part['additionalProperties'], JSON.stringify(part)).toBe(false);
      }
      const writes = tool.required_scopes?.some((scope) => scope.type === 'path' && scope.access === 'write') ?? false;
      expect(permission === 'read' && writes).toBe(false);
      if (writes && tool.internal_only !== true) expect(input_schema?.['properties']).toHaveProperty('dry_run');
    },
  );
});

describe('the config schema', () => {
  const validate = ajv.compile(configSchema);

  it.each([
    [{}, true],
    [{gates: {commands: {format: 'x', test: {command: 'x', timeout_ms: 1, optional: true}}}}, true],
    [{git: {author: {name: 'Ada', email: 'ada@example.org'}}}, true],
    [{gates: {commands: {}}}, false],
    [{gates: {commands: {test: ''}}}, false],
    [{gates: {commands: {Test: 'x'}}}, false],
    [{gates: {commands: {test: {timeout_ms: 1}}}}, false],
    [
      {gates: {preset: 'node', commands: {lint: false, e2e: 'x'}, coverage: {min: 80, report: 'coverage/lcov.info'}}},
      true,
    ],
    [{gates: {conditional: [{trigger_patterns: ['docs/**'], command: 'x', severity: 'warn', guidance: 'look'}]}}, true],
    [{gates: {}}, false],
    [{gates: {preset: 'cobol'}}, false],
    [{gates: {commands: {test: true}}}, false],
    [{gates: {commands: {coverage: 'x'}}}, false],
    [{gates: {coverage: {min: 80, report: '../x'}}}, false],
    [{gates: {conditional: [{trigger_patterns: [], command: 'x', severity: 'warn'}]}}, false],
    [{git: {author: {name: 'Ada <x>', email: 'a'}}}, false],
    [{memory: {retention: {ephemeral_hours: 1, session_days: 2, wu_days: 3, signal_days: 0.5}}}, true],
    [{memory: {retention: {project_days: 1}}}, false],
    [{agent_docs: {source: 'docs/agents.md', targets: ['CLAUDE.md', '.cursor/rules/all.mdc']}}, true],
    [{agent_docs: {targets: []}}, false],
    [{agent_docs: {targets: ['/etc/motd.md']}}, false],
    [{skills: {folders: ['skills']}}, true],
    [{skills: {folders: []}}, false],
    [{unknown: 1}, false],
  ])('considers %j %s', (config, valid) => {
    expect(validate(config)).toBe(valid);
  });
});

/** All object schemas within a schema. */
function objectsIn(value: unknown): Record<string, unknown>[] {
  if (typeof value !== 'object' || value === null) return [];
  const own = !Array.isArray(value) && (value as Record<string, unknown>)['type'] === 'object' ? [value] : [];
  return [...(own as Record<string, unknown>[]), ...Object.values(value).flatMap(objectsIn)];
}
