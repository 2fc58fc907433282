// TypeScript as JavaScript: types are removed, not checked.
import {failed, ok, type Outcome} from '@lumenflow/kernel';
import type {ToolFailure} from '@lumenflow/schemas';
import type {Message} from 'esbuild';

/** Code is the body of an async function. */
const head = 'async () => {';
const tail = /\};?\s*$/u;

/** Lines of the result can differ from those of the code. */
export async function stripTypes(code: string): Promise<Outcome<string, ToolFailure>> {
  const {transform} = await import('esbuild');
  try {
    const {code: script} = await transform(`${head}${code}\n}`, {
      loader: 'ts',
      target: 'esnext',
      logLevel: 'silent',
      tsconfigRaw: {compilerOptions: {verbatimModuleSyntax: true}},
    });
    if (script.startsWith(head)) return ok(script.slice(head.length).replace(tail, ''));
    return failed(invalid('it is not the body of one function', 1));
  } catch (error) {
    const [first] = (error as {readonly errors?: readonly Message[]}).errors ?? [];
    if (first === undefined) throw error;
    return failed(invalid(first.text, first.location?.line ?? 1));
  }
}

function invalid(reason: string, line: number): ToolFailure {
  const message = `the code is not valid TypeScript: ${reason} (line ${line})`;
  return {code: 'INVALID_INPUT', message, details: {line}};
}
