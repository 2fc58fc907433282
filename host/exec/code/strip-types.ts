// TypeScript as JavaScript: types are removed, not checked.
import {failed, ok, type Outcome} from '@lumenflow/kernel';
import type {ToolFailure} from '@lumenflow/schemas';
import type {Message} from 'esbuild';

/** Code is the body of an async function. It stays one, so lines of the result can differ from those of the code. */
const head = 'async () => {';

export async function stripTypes(code: string): Promise<Outcome<string, ToolFailure>> {
  const {transform} = await import('esbuild');
  try {
    const {code: script} = await transform(`${head}${code}\n}`, {
      loader: 'ts',
      target: 'es2023',
      logLevel: 'silent',
      tsconfigRaw: {compilerOptions: {verbatimModuleSyntax: true}},
    });
    return ok(script.trim().slice(head.length).replace(/\};?$/u, ''));
  } catch (error) {
    const [first] = (error as {readonly errors?: readonly Message[]}).errors ?? [];
    if (first === undefined) throw error;
    const line = first.location?.line ?? 1;
    const message = `the code is not valid TypeScript: ${first.text} (line ${line})`;
    return failed({code: 'INVALID_INPUT', message, details: {line}});
  }
}
