// Finds a call's handler: imports its module and selects the export. If there is none, the error lists the existing ones.
import {isToolDefinition, type ToolHandler} from './define-tool.ts';
import {ToolError} from './tool-error.ts';

/** Imports a module by its absolute path. */
export type ImportModule = (path: string) => Promise<Readonly<Record<string, unknown>>>;

/** `handlerEntry` is `/absolute/file.js#export`. Throws ToolError TOOL_EXECUTION_FAILED when there is no such handler. */
export async function loadHandler(handlerEntry: string, importModule: ImportModule): Promise<ToolHandler> {
  const hash = handlerEntry.lastIndexOf('#');
  const file = handlerEntry.slice(0, hash);
  const name = handlerEntry.slice(hash + 1);
  if (hash < 1 || name === '') throw failure(`the handler entry \`${handlerEntry}\` is not of the form path#export`);
  let module: Readonly<Record<string, unknown>>;
  try {
    module = await importModule(file);
  } catch (error) {
    // Node adds the files that led to a missing module, which are those of the build.
    const [reason = ''] = (error instanceof Error ? error.message : String(error)).split('\nRequire stack:', 1);
    throw failure(`the module \`${file}\` cannot be imported: ${reason}`, error);
  }
  const exported = Object.hasOwn(module, name) ? module[name] : undefined;
  if (isToolDefinition(exported)) return exported;
  if (typeof exported === 'function') return {run: exported as ToolHandler['run']};
  const exports = Object.keys(module);
  throw failure(
    exported === undefined
      ? `the module \`${file}\` has no export \`${name}\`; it exports ${exports.length === 0 ? 'nothing' : quote(exports)}`
      : `the export \`${name}\` of \`${file}\` is neither a tool made by defineTool nor a function`,
  );
}

function quote(names: readonly string[]): string {
  return names.map((name) => `\`${name}\``).join(', ');
}

function failure(message: string, cause?: unknown): ToolError {
  const stack = cause instanceof Error ? cause.stack : undefined;
  return new ToolError('TOOL_EXECUTION_FAILED', message, stack === undefined ? undefined : {stack});
}
