// Calls a tool with the input that a person writes in an editor. After a mistake, the editor opens again and shows all of them.
import type {RegisteredTool} from '@lumenflow/kernel';
import {CliError} from '../failures/cli-error.ts';
import type {CliContext, Outcome} from '../command.ts';
import {editText} from './edit-text.ts';
import {readForm, renderForm, withMistakes} from './input-form.ts';

export interface FormCall {
  readonly tool: RegisteredTool;
  /** From the command line. */
  readonly given: Readonly<Record<string, unknown>>;
  call(input: Readonly<Record<string, unknown>>): Promise<Outcome>;
}

/** Failures that another input cannot avoid. */
const final: readonly string[] = ['APPROVAL_REQUIRED', 'CHANGES_PARKED', 'POLICY_DENIED', 'SCOPE_DENIED', 'CANCELLED'];

/** Throws CliErrors CANCELLED and EDITOR_FAILED. */
export async function callByForm(context: CliContext, {tool, given, call}: FormCall): Promise<Outcome> {
  let text = renderForm(tool.declaration, given);
  let failed: Outcome | undefined;
  for (;;) {
    const written = await editText(context, text);
    // Nothing was corrected.
    if (failed !== undefined && written === text) return failed;
    const reading = readForm(written);
    if ('input' in reading && Object.keys(reading.input).length === 0) {
      throw new CliError('CANCELLED', 'the form has no fields, so nothing was called');
    }
    const invalid =
      'input' in reading ? tool.validateInput(reading.input).map(({message}) => message) : reading.mistakes;
    if (invalid.length === 0 && 'input' in reading) {
      const outcome = await call(reading.input);
      const {failure} = outcome;
      if (failure === undefined || final.includes(failure.code)) return outcome;
      failed = outcome;
      text = withMistakes(tool.name, written, [`${failure.code} ${failure.message}`]);
    } else {
      failed = {data: {tool: tool.name}, failure: {code: 'INVALID_INPUT', message: invalid.join('; ')}};
      text = withMistakes(tool.name, written, invalid);
    }
  }
}
