// Judges how a tool ran.
import type {ExampleRun} from './run-example.ts';

/** `canary` is the value of an environment variable that the tool does not declare. */
export function judgeRun({input, output, text}: ExampleRun, canary: string): readonly string[] {
  const shown = JSON.stringify(input);
  const {success, error} = output;
  return [
    ...(success ? [] : [`with ${shown} it answers ${error?.code ?? ''}: ${error?.message ?? ''}`]),
    ...(text.includes(canary) ? [`with ${shown} it shows an environment variable that it does not declare`] : []),
  ];
}

/** A call that finished before the interruption also passes. */
export function judgeInterrupted({output}: ExampleRun, expected: 'TOOL_CANCELLED' | 'TOOL_TIMEOUT'): readonly string[] {
  const {success, error} = output;
  if (success || error?.code === expected) return [];
  return [`it answers ${error?.code ?? ''} instead of ${expected}: ${error?.message ?? ''}`];
}
