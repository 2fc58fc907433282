import {defineTool, isToolError} from '@lumenflow/pack-sdk';

/** `{v}` in `expect` stands for the version that the last step gave. */
interface Step {
  readonly do: 'read' | 'write' | 'lines' | 'append' | 'remove' | 'names';
  readonly name?: string;
  readonly text?: string;
  readonly lines?: readonly string[];
  readonly from?: number;
  readonly expect?: string | null;
}

export const takeSteps = defineTool<{steps: readonly Step[]}, readonly unknown[]>({
  async run({steps}, context) {
    const outcomes: unknown[] = [];
    let version = 'none';
    for (const {do: what, name = 'notes', text = '', lines = [], from, expect} of steps) {
      const state = context.state(name);
      const expectation = expect === undefined ? {} : {expect: expect === '{v}' ? version : expect};
      try {
        const outcome =
          what === 'read'
            ? await state.read()
            : what === 'write'
              ? await state.write(text, expectation)
              : what === 'lines'
                ? await state.lines(from === undefined ? {} : {from})
                : what === 'append'
                  ? await state.append(lines, expectation)
                  : what === 'remove'
                    ? await state.remove(expectation)
                    : await context.stateNames(text);
        if (outcome !== undefined && 'version' in outcome) version = outcome.version;
        outcomes.push(outcome ?? null);
      } catch (error) {
        outcomes.push(isToolError(error) ? error.code : String(error));
      }
    }
    return outcomes;
  },
});
