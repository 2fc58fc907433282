// Checks a tool whose handler is a WebAssembly module: the module, and that the manifest does not ask for what no module has.
import {inspectModule, type InspectedModule} from '@lumenflow/sandbox';
import type {LoadedTool, Problem} from '@lumenflow/kernel';
import type {ToolDeclaration} from '@lumenflow/schemas';
import type {PackContents} from './pack-contents.ts';
import {entryPath, isWasm} from './manifest/read-manifest.ts';

export interface CheckedWasmTool {
  /** The export to enter; undefined if there is a problem. */
  readonly entry?: string;
  readonly problems: readonly Problem[];
}

type Inspections = Map<string, ReturnType<typeof inspectModule>>;

export type WasmCheck = (declaration: ToolDeclaration, pointer: string) => Promise<CheckedWasmTool>;

/** Inspects each module once, whatever the number of its tools. `isSound`: the build was checked before. */
export function createWasmCheck({files, display, read}: PackContents, isSound: boolean): WasmCheck {
  const inspections: Inspections = new Map();
  return async (declaration, pointer) => {
    const file = entryPath(declaration.handler_entry) ?? '';
    const inspected = inspections.get(file) ?? files.read(file).then((bytes) => inspectModule(bytes, isSound));
    inspections.set(file, inspected);
    const problem = (part: string, message: string, help: string): Problem => ({
      code: 'PACK_WASM_INVALID',
      severity: 'error',
      message,
      where: read.locate(pointer + part),
      pointer: pointer + part,
      help,
    });
    const unmet = wasmNeeds(declaration).map(({part, message, help}) => problem(part, message, help));
    const module = await inspected;
    const entry = module.ok ? entryOf(module.value, declaration) : module;
    if (entry.ok) return unmet.length > 0 ? {problems: unmet} : {entry: entry.value, problems: []};
    const message = `\`${display(file)}\` cannot be used as a WebAssembly module: ${entry.problem}`;
    const help = 'see docs/wasm.md for the functions that a module can import and must export';
    return {problems: [...unmet, problem('/handler_entry', message, help)]};
  };
}

function entryOf(module: InspectedModule, {handler_entry}: ToolDeclaration): ReturnType<InspectedModule['entry']> {
  return module.entry(handler_entry.split('#')[1]);
}

/** What a capability_factory has added to the declarations of such tools. */
export function wasmCapabilityProblems({read}: PackContents, tools: readonly LoadedTool[]): readonly Problem[] {
  const [pointer, help] = ['/capability_factory', 'give the capability to another tool'];
  const where = read.locate(pointer);
  return tools
    .filter(({module_path}) => isWasm(module_path))
    .flatMap((tool) => [tool, ...(tool.by_input?.variants.values() ?? [])])
    .flatMap(({declaration}) => wasmNeeds(declaration))
    .map(({message}): Problem => ({code: 'PACK_WASM_INVALID', severity: 'error', message, where, pointer, help}));
}

interface UnmetNeed {
  /** A JSON pointer within the declaration. */
  readonly part: string;
  readonly message: string;
  readonly help: string;
}

/** What the tool asks for that no module has. */
function wasmNeeds({name, handler, required_env = [], required_scopes = []}: ToolDeclaration): readonly UnmetNeed[] {
  const help = 'remove it, or write the tool in JavaScript';
  const tool = `the tool \`${name}\` is a WebAssembly module`;
  const found: UnmetNeed[] = [];
  if (handler === 'in_process') {
    found.push({part: '/handler', message: `${tool}, which the thread pool does not run`, help});
  }
  if (required_env.length > 0) {
    found.push({part: '/required_env', message: `${tool}, which has no environment variables`, help});
  }
  const network = required_scopes.findIndex((scope) => scope.type === 'network' && scope.posture !== 'off');
  if (network >= 0) {
    found.push({part: `/required_scopes/${network}`, message: `${tool}, which has no network`, help});
  }
  return found;
}
