import type {CallOutput} from './stage.ts';

/** What a tool gave; empty when it gave nothing. */
export function dataOf(output: CallOutput): Readonly<Record<string, unknown>> {
  return (output.data ?? {}) as Readonly<Record<string, unknown>>;
}
