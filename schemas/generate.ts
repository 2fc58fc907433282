// Turns the JSON Schemas of this folder into TypeScript types, standalone validators, and schemas without references.
// `--check` writes nothing and exits 1 when the committed files are stale.
import {readFileSync, readdirSync, writeFileSync, mkdirSync, existsSync} from 'node:fs';
import {join} from 'node:path';
import {fileURLToPath} from 'node:url';
import {Ajv2020} from 'ajv/dist/2020.js';
import standaloneCodeModule from 'ajv/dist/standalone/index.js';
import {build} from 'esbuild';
import {compile, type JSONSchema} from 'json-schema-to-typescript';

const folder = import.meta.dirname;
const outputFolder = join(folder, 'generated');
const standaloneCode = standaloneCodeModule.default;

type Definitions = Record<string, JSONSchema>;
interface SchemaFile {
  readonly $id: string;
  readonly $ref: string;
  readonly $defs: Definitions;
}

/** The validators that other packages may import, by the definition they check. */
const validators: Record<string, string> = {
  validateWorkspace: 'workspace.schema.json#/$defs/workspace_spec',
  validateManifest: 'manifest.schema.json#/$defs/pack_manifest',
  validateToolFile: 'manifest.schema.json#/$defs/tool_file',
  validatePacksLock: 'packs-lock.schema.json#/$defs/packs_lock',
  validateTask: 'task.schema.json#/$defs/task_spec',
  validateEvent: 'event.schema.json#/$defs/kernel_event',
  validateEvidenceRecord: 'evidence-record.schema.json#/$defs/evidence_record',
  validateEnforcement: 'evidence-record.schema.json#/$defs/enforcement',
  validateEvidenceProof: 'evidence-proof.schema.json#/$defs/evidence_proof',
  validateToolOutput: 'tool-output.schema.json#/$defs/tool_output',
  validateSandboxProfile: 'sandbox-profile.schema.json#/$defs/sandbox_profile',
  validateWireMessage: 'wire.schema.json#/$defs/wire_message',
  validatePolicyFile: 'policy.schema.json#/$defs/policy_file',
  validatePolicyRule: 'policy.schema.json#/$defs/policy_rule',
  validateChain: 'exec.schema.json#/$defs/tool_chain',
  validateProgram: 'program.schema.json#/$defs/program',
  validateScope: 'scope.schema.json#/$defs/scope',
};

/** The definitions that other packages use within their schemas, each in one piece. */
const shapes: Record<string, string> = {
  identifierShape: 'workspace.schema.json#/$defs/identifier',
  scopeShape: 'scope.schema.json#/$defs/scope',
  taskSpecShape: 'task.schema.json#/$defs/task_spec',
  taskStateShape: 'task.schema.json#/$defs/task_state',
  toolChainShape: 'exec.schema.json#/$defs/tool_chain',
  codeRequestShape: 'exec.schema.json#/$defs/code_request',
  codeReportShape: 'exec.schema.json#/$defs/code_report',
  callResultShape: 'evidence-record.schema.json#/$defs/call_result',
};

const files = readdirSync(folder)
  .filter((name) => name.endsWith('.schema.json'))
  .toSorted()
  .map((name): SchemaFile => JSON.parse(readFileSync(join(folder, name), 'utf8')) as SchemaFile);

async function generateTypes(): Promise<string> {
  const definitions: Definitions = {};
  for (const file of files) {
    for (const [name, definition] of Object.entries(file.$defs)) {
      if (definitions[name]) throw new Error(`definition ${name} is in two schema files`);
      definitions[name] = definition;
    }
  }
  const oneFile = JSON.parse(
    JSON.stringify(definitions).replaceAll(/"\$ref":"[a-z.-]*#/g, '"$ref":"#'),
    (_key, value: {$ref?: string} | null) => (isReferenceToObject(value, definitions) ? {$ref: value.$ref} : value),
  ) as Definitions;
  const source = await compile({$defs: oneFile, type: 'object', additionalProperties: false}, 'Unused', {
    unreachableDefinitions: true,
    additionalProperties: true,
    bannerComment: '// Generated from the JSON Schemas by schemas/generate.ts. Do not edit.',
    format: false,
    strictIndexSignatures: true,
    enableConstEnums: false,
  });
  return source
    .replaceAll(
      /( \* ?\n)? \* This interface was referenced by `Unused`'s JSON-Schema\n \* via the `definition` "[a-z0-9_]+"\.\n/g,
      '',
    )
    .replaceAll('/**\n */\n', '')
    .replace(/export interface Unused \{\s*\}\n/, '');
}

/** An interface keeps its name where it is referred to, because siblings of the reference would create another one. */
function isReferenceToObject(value: {$ref?: string} | null, definitions: Definitions): value is {$ref: string} {
  const name = value?.$ref?.split('/').at(-1) ?? '';
  return definitions[name]?.properties !== undefined;
}

async function generateValidators(): Promise<{code: string; declarations: string}> {
  const ajv = new Ajv2020({
    schemas: files,
    allErrors: true,
    verbose: true,
    discriminator: true,
    strict: true,
    strictTypes: false,
    strictRequired: false,
    allowUnionTypes: true,
    code: {source: true, esm: true},
  });
  const code = standaloneCode(ajv, validators);
  const bundled = await build({
    stdin: {contents: code, resolveDir: folder},
    bundle: true,
    // Modules are named relative to it.
    absWorkingDir: fileURLToPath(new URL('../../..', import.meta.resolve('ajv/dist/2020.js'))),
    write: false,
    format: 'esm',
    platform: 'neutral',
    charset: 'utf8',
    // Names and lines are kept, so that a diff shows what a change of a schema means.
    minifySyntax: true,
    legalComments: 'none',
  });
  const names = Object.keys(validators);
  const declarations = [
    '// Generated by schemas/generate.ts. Do not edit.',
    'export interface SchemaError {',
    '  readonly instancePath: string;',
    '  readonly schemaPath: string;',
    '  readonly keyword: string;',
    '  readonly params: Readonly<Record<string, unknown>>;',
    '  readonly message?: string;',
    '  readonly propertyName?: string;',
    '  readonly parentSchema?: Readonly<Record<string, unknown>>;',
    '  readonly data?: unknown;',
    '}',
    'export interface SchemaValidator {',
    '  (value: unknown): boolean;',
    '  errors?: readonly SchemaError[] | null;',
    '}',
    ...names.map((name) => `export const ${name}: SchemaValidator;`),
    '',
  ].join('\n');
  return {
    code: `// Generated by schemas/generate.ts. Do not edit.\n${bundled.outputFiles[0]?.text ?? ''}`,
    declarations,
  };
}

function generateShapes(): string {
  return [
    '// Generated from the JSON Schemas by schemas/generate.ts. Do not edit.',
    ...Object.entries(shapes).map(
      ([name, ref]) => `export const ${name} = ${JSON.stringify(inOnePiece({$ref: ref}), undefined, 2)} as const;`,
    ),
    '',
  ].join('\n');
}

/** Not for the schema of a tool: an example would be one of the tool's inputs, and not every validator knows `discriminator`. */
const leftOut: ReadonlySet<string> = new Set(['$ref', 'discriminator', 'examples']);

/** Replaces references by what they refer to. A policy layer, whose matchers contain matchers, becomes any object. */
function inOnePiece(value: unknown, within = ''): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map((item) => inOnePiece(item, within));
  const {$ref} = value as {readonly $ref?: string};
  const own = Object.fromEntries(
    Object.entries(value).flatMap(([key, inner]) => (leftOut.has(key) ? [] : [[key, inOnePiece(inner, within)]])),
  );
  if ($ref === undefined) return own;
  const [file = '', pointer = ''] = $ref.split('#');
  const id = file === '' ? within : file;
  if (id === 'policy.schema.json') return {type: 'object', ...own};
  const name = pointer.split('/').at(-1) ?? '';
  const definition = files.find(({$id}) => $id === id)?.$defs[name];
  if (definition === undefined) throw new Error(`there is no definition for ${$ref}`);
  return {...(inOnePiece(definition, id) as object), ...own};
}

const {code, declarations} = await generateValidators();
const wanted: Record<string, string> = {
  'types.ts': await generateTypes(),
  'shapes.ts': generateShapes(),
  'validators.js': code,
  'validators.d.ts': declarations,
};
mkdirSync(outputFolder, {recursive: true});
const stale = Object.entries(wanted).filter(([name, text]) => {
  const path = join(outputFolder, name);
  return !existsSync(path) || readFileSync(path, 'utf8') !== text;
});
if (process.argv.includes('--check')) {
  for (const [name] of stale) console.error(`schemas/generated/${name} is stale: run \`npm run generate\``);
  process.exitCode = stale.length > 0 ? 1 : 0;
} else {
  for (const [name, text] of stale) writeFileSync(join(outputFolder, name), text);
}
