// A tool's output is either a success or a failure, for the compiler and for the validator.
import type {ToolOutput} from '@lumenflow/schemas';
import {validateToolOutput} from '@lumenflow/schemas/validators';
import {expect, test} from 'vitest';

/** Compiles under `strict` only because `success` decides whether there is an error. */
function codeOf(output: ToolOutput): string | undefined {
  return output.success ? undefined : output.error.code;
}

const error = {code: 'NOT_FOUND', message: 'the file does not exist'};

test('`success` decides between data and error', () => {
  expect(codeOf({success: true, data: 1})).toBeUndefined();
  expect(codeOf({success: false, error})).toBe('NOT_FOUND');
});

test.each([
  [{success: true, data: 1}, true],
  [{success: false, error}, true],
  [{success: true, error}, false],
  [{success: false}, false],
  [{success: 'yes'}, false],
])('%j is valid: %s', (output, isValid) => {
  expect(validateToolOutput(output)).toBe(isValid);
});
