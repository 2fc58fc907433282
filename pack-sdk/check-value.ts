// Checks a value by an author's Standard Schema and turns its issues into an error's details.
import type {StandardSchemaV1} from '@standard-schema/spec';
import {ToolError} from './tool-error.ts';

const whats = {INVALID_INPUT: 'input', INVALID_OUTPUT: 'output', INVALID_CONFIG: 'config'} as const;

/** What the schema makes of the value. Throws ToolError `code` with `details.issues [{pointer, message}]`. */
export async function checkValue(schema: StandardSchemaV1, value: unknown, code: keyof typeof whats): Promise<unknown> {
  const result = await schema['~standard'].validate(value);
  if (result.issues === undefined) return result.value;
  const issues = result.issues.map((issue) => ({pointer: pointerOf(issue.path ?? []), message: issue.message}));
  const what = whats[code];
  const [first] = issues;
  const where = first === undefined ? '' : `: ${first.pointer === '' ? '' : `at ${first.pointer}: `}${first.message}`;
  throw new ToolError(code, `the ${what} does not match the tool's ${what} schema${where}`, {issues});
}

function pointerOf(path: readonly (PropertyKey | StandardSchemaV1.PathSegment)[]): string {
  return path
    .map((step) => (typeof step === 'object' ? step.key : step))
    .map((key) => `/${String(key).replaceAll('~', '~0').replaceAll('/', '~1')}`)
    .join('');
}
