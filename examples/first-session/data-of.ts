import type {CallOutput} from './stage.ts';

/** The data of a tool's output; empty if there is none. */
export function dataOf(output: CallOutput): Readonly<Record<string, unknown>> {
  return (output.data ?? {}) as Readonly<Record<string, unknown>>;
}
