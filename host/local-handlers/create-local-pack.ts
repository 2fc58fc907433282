// The local handlers of a host as one pack, so that they are registered, decided and recorded as all tools are.
import {failed, ok, type LoadedPack, type Outcome, type Problem} from '@lumenflow/kernel';
import {canonicalJson, describeSchemaErrors, kernelPackId} from '@lumenflow/kernel/adapters';
import {createDigest, createSchemaCompiler, type SchemaCompiler} from '@lumenflow/kernel/node';
import type {PackManifest, ToolDeclaration} from '@lumenflow/schemas';
import {validateManifest} from '@lumenflow/schemas/validators';
import type {LocalHandler, LocalHandlers} from './local-handler.ts';

/** A workspace cannot pin a pack of this id in a host with local handlers. */
export const localPackId = 'local';

/** What the entries of local handlers begin with. Those of built modules are absolute paths. */
export const localModules = 'local/';

/** Of the form of local handlers; their integrity says which ones they are. */
const version = '1.0.0';

export function createLocalPack(handlers: LocalHandlers): Outcome<LoadedPack, readonly Problem[]> {
  const entries = Object.entries(handlers);
  const declarations = entries.map(([name, handler]) => declarationOf(name, handler));
  const manifest: PackManifest = {
    id: localPackId,
    version,
    manifest_version: 1,
    description: 'Functions of the program that started the host.',
    task_types: [localPackId],
    tools: declarations,
  };
  const compiler = createSchemaCompiler();
  const problems = [...manifestProblems(manifest, entries), ...schemaProblems(declarations, compiler)];
  if (problems.length > 0) return failed(problems);
  const code = entries.map(([name, {run}]) => [name, String(run)]);
  // The functions themselves are the program's; what they refer to has no hash.
  const integrity = `sha256:${createDigest().sha256(canonicalJson({declarations, code}))}`;
  return ok({
    pin: {id: localPackId, version, integrity, source: 'local', trust: 'in_process'},
    manifest,
    integrity,
    root: '',
    config: undefined,
    tools: declarations.map((declaration) => ({
      declaration,
      module_path: localModules + declaration.name,
      export_name: 'run',
      where: placeOf(declaration.name),
      validateInput: compiler.compileLater(declaration.input_schema ?? {}),
      validateOutput: compiler.compileLater(declaration.output_schema ?? {}),
    })),
    rules: [],
    where: (pointer) => locate(pointer, declarations),
  });
}

function declarationOf(name: string, {run: _run, ...declared}: LocalHandler): ToolDeclaration {
  return {
    description: name.replace(':', ' ').replaceAll('-', ' '),
    // What a function does is not known, so rules on writing tools apply to it.
    permission: 'write',
    ...declared,
    name,
    handler: 'in_process',
    handler_entry: `${localPackId}.js#run`,
    // A function of this process has no private view.
    writes: 'direct',
  };
}

function manifestProblems(
  manifest: PackManifest,
  entries: readonly (readonly [string, LocalHandler])[],
): readonly Problem[] {
  const problems = validateManifest(manifest) ? [] : describeSchemaErrors(validateManifest.errors ?? []);
  return [
    ...problems.map(({pointer, key, message, help}) =>
      problem(`${message}${key === undefined ? '' : ` (\`${key}\`)`}`, locate(pointer, manifest.tools), help),
    ),
    ...entries
      .filter(([, {run}]: readonly [string, {readonly run?: unknown}]) => typeof run !== 'function')
      .map(([name]) => problem('`run` is missing: it must be a function', placeOf(name))),
    ...entries
      .filter(([name]) => name.startsWith(`${kernelPackId}:`))
      .map(([name]) =>
        problem(`tools of \`${kernelPackId}:\` are the kernel's own`, placeOf(name), 'choose another name'),
      ),
  ];
}

function schemaProblems(declarations: readonly ToolDeclaration[], compiler: SchemaCompiler): readonly Problem[] {
  return declarations.flatMap(({name, input_schema, output_schema}) =>
    [input_schema, output_schema].flatMap((schema): readonly Problem[] => {
      const compiled = schema && compiler.compile(schema, () => placeOf(name));
      return compiled?.ok === false ? [compiled.problem] : [];
    }),
  );
}

function problem(message: string, where: string, help?: string): Problem {
  return {code: 'LOCAL_HANDLER_INVALID', severity: 'error', message, where, ...(help !== undefined && {help})};
}

/** Of a pointer into the manifest, as the program wrote it. */
function locate(pointer: string, tools: readonly ToolDeclaration[]): string {
  const [, index = '', rest = ''] = /^\/tools\/(\d+)(.*)$/su.exec(pointer) ?? [];
  const tool = tools[Number(index)];
  return index === '' || tool === undefined ? 'handlers' : placeOf(tool.name) + rest;
}

function placeOf(name: string): string {
  return `handlers["${name}"]`;
}
