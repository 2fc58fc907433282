// Checks a module before it is registered: what it imports is given to it, and what its tools enter is there. Its functions are
// compiled in the background, so that a large module does not block the host.
import {failed, ok, type Outcome} from '../../outcome.ts';
import {boundModule} from './bound-module.ts';
import {hostFunctions} from './host-functions.ts';
import {InvalidModule, readExports, readFunctionSizes, readImports, readSections} from './read-sections.ts';

export interface InspectedModule {
  /** The function that a tool is entered at: the named one, else `run`, else `_start`. */
  entry(name: string | undefined): Outcome<string, string>;
}

/** Of a module's file. */
const bytesMax = 64 * 1024 * 1024;
/** 4 GiB, the most that a module can address: the limit of a call is known when it is made. */
const memoryMax = 4 * 1024 ** 3;
/** A compiler keeps the state of each local for each nested block: their product bounds its memory, about 20 bytes each. */
const [localsMax, localsTimesBytesMax] = [4096, 64 * 1024 * 1024];
const usualEntries = ['run', '_start'];

/** The problem is a phrase about the module. `isSound`: these bytes were inspected before, so their functions are valid. */
export async function inspectModule(bytes: Uint8Array, isSound = false): Promise<Outcome<InspectedModule, string>> {
  if (bytes.length > bytesMax) return failed(`it has more than ${bytesMax} bytes`);
  try {
    const sections = readSections(bytes);
    const foreign = readImports(bytes, sections).find(
      ({module, name, kind}) => kind !== 'function' || hostFunctions.get(module)?.has(name) !== true,
    );
    if (foreign !== undefined) {
      return failed(`it imports the ${foreign.kind} \`${foreign.module}.${foreign.name}\`, which no module is given`);
    }
    const exported = readExports(bytes, sections);
    if (!exported.some(({name, kind}) => kind === 'memory' && name === 'memory')) {
      return failed('it exports no memory of the name `memory`');
    }
    const complex = readFunctionSizes(bytes, sections).some(
      ({bytes: size, locals}) => locals > localsMax || locals * size > localsTimesBytesMax,
    );
    if (complex)
      return failed(`one of its functions is too complex: use fewer locals, ${localsMax} at most, or split it`);
    if (!isSound) await compile(boundModule(bytes, memoryMax));
    const functions = exported.flatMap(({name, kind}) => (kind === 'function' ? [name] : []));
    return ok({entry: (name) => entryIn(functions, name)});
  } catch (error) {
    if (error instanceof InvalidModule || isCompileError(error)) return failed(error.message);
    throw error;
  }
}

function entryIn(functions: readonly string[], name: string | undefined): Outcome<string, string> {
  const found = name === undefined ? usualEntries.find((usual) => functions.includes(usual)) : name;
  if (found !== undefined && functions.includes(found) && found !== 'then') return ok(found);
  const wanted = name === undefined ? '`run` or `_start`' : `\`${name}\``;
  const others = functions.map((one) => `\`${one}\``).join(', ');
  return failed(`it exports no function ${wanted}; it exports ${others === '' ? 'no function' : others}`);
}

interface Compiler {
  compile(bytes: Uint8Array): Promise<unknown>;
  readonly CompileError: new () => Error;
}

const compiler = Reflect.get(globalThis, 'WebAssembly') as Compiler;

async function compile(bytes: Uint8Array): Promise<void> {
  await compiler.compile(bytes);
}

function isCompileError(error: unknown): error is Error {
  return error instanceof compiler.CompileError;
}
