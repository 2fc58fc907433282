import {defineTool, isToolError, type PackState, type StateExpectation, type ToolContext} from '@lumenflow/pack-sdk';

/** `{v}` in `expect` is the version that the last step returned. */
interface Step {
  readonly do: 'read' | 'write' | 'lines' | 'append' | 'remove' | 'names';
  readonly name?: string;
  readonly text?: string;
  readonly lines?: readonly string[];
  readonly from?: number;
  readonly expect?: string | null;
}

type Taken = {readonly version?: string} | readonly string[] | undefined | void;

const operations: Readonly<Record<Step['do'], (state: PackState, step: Step, context: ToolContext) => Promise<Taken>>> =
  {
    read: (state) => state.read(),
    write: (state, {text = '', ...step}) => state.write(text, expectationOf(step)),
    lines: (state, {from = 0}) => state.lines({from}),
    append: (state, {lines = [], ...step}) => state.append(lines, expectationOf(step)),
    remove: (state, step) => state.remove(expectationOf(step)),
    names: (_, {text = ''}, context) => context.stateNames(text),
  };

function expectationOf({expect}: Pick<Step, 'expect'>): StateExpectation {
  return expect === undefined ? {} : {expect};
}

export const takeSteps = defineTool<{steps: readonly Step[]}, readonly unknown[]>({
  async run({steps}, context) {
    const outcomes: unknown[] = [];
    let version = 'none';
    for (const asked of steps) {
      const step = asked.expect === '{v}' ? {...asked, expect: version} : asked;
      try {
        const outcome = await operations[step.do](context.state(step.name ?? 'notes'), step, context);
        if (outcome !== undefined && 'version' in outcome) version = outcome.version ?? version;
        outcomes.push(outcome ?? null);
      } catch (error) {
        outcomes.push(isToolError(error) ? error.code : String(error));
      }
    }
    return outcomes;
  },
});
