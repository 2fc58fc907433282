// Uses its context as the input says, so that one suite can run the same steps in every environment.
import {defineTool, isToolError, type ToolContext} from '@lumenflow/pack-sdk';

/** `['fs.readText', 'a.md']`: a field of the context, or a method with its arguments. */
export type ContextStep = readonly [path: string, ...args: unknown[]];

export const useContext = defineTool<{steps: readonly ContextStep[]}, readonly unknown[]>({
  async run({steps}, context) {
    const outcomes: unknown[] = [];
    for (const step of steps) outcomes.push(await take(context, step));
    return outcomes;
  },
});

/** What came of it; of an error its code, of bytes their text, of nothing null. */
async function take(context: ToolContext, [path, ...args]: ContextStep): Promise<unknown> {
  let owner: unknown;
  let member: unknown = context;
  for (const key of path.split('.')) [owner, member] = [member, Reflect.get(member as object, key)];
  try {
    const outcome: unknown = typeof member === 'function' ? await Reflect.apply(member, owner, args) : member;
    return outcome instanceof Uint8Array ? Buffer.from(outcome).toString('utf8') : (outcome ?? null);
  } catch (error) {
    return isToolError(error) ? error.code : String(error);
  }
}
