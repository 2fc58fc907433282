// Reads a pack's manifest.yaml and checks what its schema cannot: its identity with the pin, its compatibility with this host,
// and the files that it names.
import {workspaceKeys} from '@lumenflow/kernel/node';
import {failed, ok, type Outcome, type Problem} from '@lumenflow/kernel';
import {describesItself, kernelPackId} from '@lumenflow/kernel/adapters';
import type {PackManifest, PackPin, ToolDeclaration} from '@lumenflow/schemas';
import satisfies from 'semver/functions/satisfies.js';
import validRange from 'semver/ranges/valid.js';
import type {PackFiles} from '../files/pack-files.ts';
import {packPath} from '../files/pack-path.ts';
import {checkCatalogue} from './check-catalogue.ts';
import {readManifestParts, type WholeManifest} from './read-manifest-files.ts';

export interface PackContext {
  readonly pin: PackPin;
  /** `workspace.yaml:line:column` of the pin. */
  readonly pinWhere: string;
  readonly files: PackFiles;
  readonly lumenflowVersion: string;
  /** Absolute. */
  readonly cacheFolder: string;
  /** A path of the pack as messages show it. */
  display(path: string): string;
  /** Of a manifest that was generated: positions in what it was generated from. */
  locate?(pointer: string): string;
}

export interface ReadManifest extends WholeManifest {
  readonly problems: readonly Problem[];
}

export async function readManifest(pack: PackContext): Promise<Outcome<ReadManifest, readonly Problem[]>> {
  const {files, display, cacheFolder} = pack;
  const readText = async (path: string): Promise<string> => new TextDecoder().decode(await files.read(path));
  const {problems, ...whole} = await readManifestParts(await readText('manifest.yaml'), {
    display,
    cacheFolder,
    isGenerated: pack.locate !== undefined,
    read: async (path) => (files.has(path) ? await readText(path) : undefined),
  });
  const {locate: elsewhere} = pack;
  const {manifest} = whole;
  const locate = elsewhere ?? whole.locate;
  if (problems.length > 0) {
    const relocated = (problem: Problem): Problem =>
      elsewhere === undefined ? problem : {...problem, where: elsewhere(problem.pointer ?? '')};
    return failed([...problems.map(relocated), ...problemsBeside(problems, {manifest, locate}, pack)]);
  }
  const report = createReport(locate);
  checkPinned(manifest, pack, report);
  checkEngines(manifest, pack, report);
  checkToolNames(manifest.tools, report);
  checkReserved(manifest, report);
  checkTransitionChecks(manifest, report);
  checkPreviews(manifest, report);
  checkProgramKeys(manifest, report);
  checkConfigKey(manifest, report);
  checkCatalogue(manifest, report);
  checkStateFolder(manifest, report);
  checkEntries(manifest, pack, report);
  return ok({manifest, locate, problems: report.problems});
}

/** The mistakes in names and entries of tools that a manifest with other mistakes has, so that an author sees all at once. */
function problemsBeside(
  found: readonly Problem[],
  {manifest, locate}: WholeManifest,
  pack: PackContext,
): readonly Problem[] {
  const given: unknown = manifest.tools;
  const tools = (Array.isArray(given) ? (given as readonly unknown[]) : []).map((tool, index) => {
    const {name, handler_entry} = (tool ?? {}) as Readonly<Record<string, unknown>>;
    return {
      name: typeof name === 'string' ? name : `tool ${index}`,
      handler_entry: typeof handler_entry === 'string' ? handler_entry : undefined,
    };
  });
  const report = createReport(locate);
  checkToolNames(tools, report);
  checkHandlers(tools, pack, report);
  const known = new Set(found.map(({pointer}) => pointer));
  return report.problems.filter(({pointer}) => !known.has(pointer));
}

interface Report {
  readonly problems: readonly Problem[];
  add(pointer: string, code: string, message: string, help?: string): void;
  locate(pointer: string): string;
}

function createReport(locate: WholeManifest['locate']): Report {
  const problems: Problem[] = [];
  return {
    problems,
    locate,
    add: (pointer, code, message, help) => {
      const where = locate(pointer);
      problems.push({code, severity: 'error', message, where, pointer, help});
    },
  };
}

function checkPinned(manifest: PackManifest, {pin, pinWhere}: PackContext, report: Report): void {
  for (const key of ['id', 'version'] as const) {
    if (manifest[key] === pin[key]) continue;
    if (describesItself(pin)) {
      const message = `the service's ${key} is \`${manifest[key]}\`, but its pin says \`${pin[key]}\``;
      report.add(`/${key}`, 'PACK_PIN_MISMATCH', message, `write \`${key}: ${manifest[key]}\``);
      continue;
    }
    const message = `the manifest's ${key} is \`${manifest[key]}\`, the pin at ${pinWhere} says \`${pin[key]}\``;
    report.add(`/${key}`, 'PACK_PIN_MISMATCH', message, 'pin what the manifest says, if that is the pack you want');
  }
}

function checkEngines(manifest: PackManifest, {lumenflowVersion}: PackContext, report: Report): void {
  const range = manifest.engines?.lumenflow;
  if (range === undefined) return;
  if (validRange(range) === null) {
    const help = 'write it as npm does, for example `^0.1.0`';
    report.add('/engines/lumenflow', 'PACK_MANIFEST_INVALID', `\`${range}\` is not a valid version range`, help);
  } else if (!satisfies(lumenflowVersion, range, {includePrerelease: true})) {
    const message = `the pack needs LumenFlow \`${range}\`, this is ${lumenflowVersion}`;
    report.add(
      '/engines/lumenflow',
      'PACK_ENGINE_MISMATCH',
      message,
      'use another version of the pack or of LumenFlow',
    );
  }
}

function checkToolNames(tools: readonly {readonly name: string}[], report: Report): void {
  const seen = new Map<string, string>();
  for (const [index, {name}] of tools.entries()) {
    const pointer = `/tools/${index}/name`;
    const first = seen.get(name);
    if (first === undefined) seen.set(name, report.locate(pointer));
    else report.add(pointer, 'PACK_TOOL_DUPLICATE', `the tool \`${name}\` is declared at ${first} already`);
  }
}

/** The kernel's own tools are a pack of this name. */
function checkReserved({id, tools}: PackManifest, report: Report): void {
  const help = 'choose another name';
  if (id === kernelPackId) report.add('/id', 'PACK_NAME_RESERVED', `\`${id}\` is the kernel's own`, help);
  for (const [index, {name}] of tools.entries()) {
    if (!name.startsWith(`${kernelPackId}:`)) continue;
    report.add(
      `/tools/${index}/name`,
      'PACK_NAME_RESERVED',
      `tools of \`${kernelPackId}:\` are the kernel's own`,
      help,
    );
  }
}

function checkTransitionChecks(manifest: PackManifest, report: Report): void {
  for (const key of ['claim_check', 'completion_check', 'config_suggestion'] as const) {
    const name = manifest[key];
    const tool = manifest.tools.find((candidate) => candidate.name === name);
    if (name === undefined || tool?.permission === 'read') continue;
    const what = key === 'config_suggestion' ? 'suggestion' : 'check';
    const message = tool
      ? `the ${what} \`${name}\` has the permission \`${tool.permission}\`, but a ${what} must not change anything`
      : `the ${what} \`${name}\` is not a tool of the pack`;
    report.add(`/${key}`, 'PACK_MANIFEST_INVALID', message, 'name a tool of the pack with `permission: read`');
  }
}

/** Runs with another tool's input to predict that tool's changes, so it cannot make changes itself. */
function checkPreviews({tools}: PackManifest, report: Report): void {
  const help = 'name another tool of the pack, with `permission: read` and without a preview';
  for (const [index, declared] of tools.entries()) {
    const problem = previewProblem(tools, declared);
    if (problem !== undefined) report.add(`/tools/${index}/preview`, 'PACK_MANIFEST_INVALID', problem, help);
  }
}

function previewProblem(
  tools: PackManifest['tools'],
  {name, preview, permission}: ToolDeclaration,
): string | undefined {
  if (preview === undefined) return undefined;
  const tool = tools.find((candidate) => candidate.name === preview);
  if (tool === undefined) return `the preview \`${preview}\` is not a tool of the pack`;
  if (tool.permission !== 'read') {
    return `the preview \`${preview}\` has the permission \`${tool.permission}\`, and a preview must not change anything`;
  }
  if (tool.preview !== undefined) return `the preview \`${preview}\` has a preview itself`;
  return permission === 'read' ? `\`${name}\` only reads, so it has nothing to preview` : undefined;
}

/** What a program has not: each call that it makes has its own. */
const codeKeys = ['handler', 'required_env', 'limits', 'needs', 'writes', 'sandbox_reuse'] as const;

function checkProgramKeys({tools}: PackManifest, report: Report): void {
  for (const [index, tool] of tools.entries()) {
    if (!isProgram(tool.handler_entry)) continue;
    const add = (key: string, message: string): void =>
      report.add(
        `/tools/${index}/${key}`,
        'PACK_MANIFEST_INVALID',
        `\`${tool.name}\` is a program, ${message}`,
        'remove it',
      );
    if (tool.input_schema !== undefined) add('input_schema', 'and its inputs are the input schema');
    for (const key of codeKeys.filter((each) => tool[each] !== undefined))
      add(key, `to which \`${key}\` does not apply`);
  }
}

/** Named after the pack, so that no pack uses a folder of another program. */
function checkStateFolder({id, state_folder}: PackManifest, report: Report): void {
  if (state_folder === undefined || state_folder === `.${id}`) return;
  const message = `LumenFlow cannot store the state of the pack \`${id}\` in \`${state_folder}\``;
  report.add('/state_folder', 'PACK_STATE_FOLDER', message, `write \`.${id}\`, or omit it`);
}

function checkConfigKey(manifest: PackManifest, report: Report): void {
  const {config_key: key, config_schema: schema} = manifest;
  if (key !== undefined && workspaceKeys.has(key)) {
    report.add(
      '/config_key',
      'PACK_MANIFEST_INVALID',
      `\`${key}\` is a key of workspace.yaml itself`,
      'choose another',
    );
  }
  if (schema !== undefined && key === undefined) {
    report.add('/config_schema', 'PACK_MANIFEST_INVALID', 'a config_schema needs a config_key', 'add `config_key`');
  }
}

function checkEntries(manifest: PackManifest, pack: PackContext, report: Report): void {
  checkHandlers(manifest.tools, pack, report);
  checkEntry('/capability_factory', manifest.capability_factory, pack, report);
  checkEntry('/policy_factory', manifest.policy_factory, pack, report);
}

function checkHandlers(
  tools: readonly {readonly handler_entry: string | undefined}[],
  pack: PackContext,
  report: Report,
): void {
  for (const [index, {handler_entry}] of tools.entries()) {
    checkEntry(`/tools/${index}/handler_entry`, handler_entry, pack, report);
  }
}

function checkEntry(pointer: string, entry: string | undefined, {files}: PackContext, report: Report): void {
  if (entry === undefined) return;
  const isHandler = pointer.endsWith('/handler_entry');
  const path = entryPath(entry);
  if (path === undefined) {
    report.add(pointer, 'PACK_ENTRY_OUTSIDE', `\`${entry}\` leads out of the pack`, 'name a file of the pack');
  } else if (!files.has(path)) {
    report.add(
      pointer,
      'PACK_ENTRY_MISSING',
      `\`${path}\` is not a file of the pack`,
      'entries are relative to manifest.yaml',
    );
  } else if (!/\.[cm]?[jt]s$/u.test(path) && !(isHandler && (isWasm(path) || isProgram(entry)))) {
    const kinds = isHandler ? 'JavaScript, TypeScript or WebAssembly' : 'JavaScript or TypeScript';
    const help = isHandler && isProgram(path) ? `a program has no exports: write \`${path}\`` : undefined;
    report.add(pointer, 'PACK_ENTRY_MISSING', `\`${path}\` is not a ${kinds} file`, help);
  }
}

/** Whether an entry names a program: a file without an export. */
export function isProgram(entry: string): boolean {
  return /^[^#]+\.(?:ya?ml|json)$/u.test(entry);
}

/** Whether a handler's file is a WebAssembly module. */
export function isWasm(path: string): boolean {
  return path.endsWith('.wasm');
}

/** The file of `path#export`, normalized; undefined when it leads out of the pack. */
export function entryPath(entry: string): string | undefined {
  return packPath(entry.split('#', 1)[0] ?? '');
}
