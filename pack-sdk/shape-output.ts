// Turns what a handler returned or threw into a ToolOutput that is plain JSON.
import type {ToolFailure, ToolOutput} from '@lumenflow/schemas';
import {outputBounds} from '@lumenflow/schemas/output-bounds';
import type {StandardSchemaV1} from '@standard-schema/spec';
import {checkValue} from './check-value.ts';
import {isRecord} from './is-record.ts';
import {toJsonValue, type JsonBounds} from './to-json-value.ts';
import {isToolError} from './tool-error.ts';

const outputKeys: ReadonlySet<string> = new Set(['success', 'data', 'error', 'metadata']);
const failureKeys: ReadonlySet<string> = new Set(['code', 'message', 'details']);
const codePattern = /^[A-Z][A-Z0-9_]{0,63}$/;

/** A plain value becomes `data`, checked by the schema; a ToolOutput passes through, its `data` checked. */
export async function shapeOutput(returned: unknown, schema: StandardSchemaV1 | undefined): Promise<ToolOutput> {
  const output: ToolOutput = isToolOutput(returned) ? returned : {success: true, data: returned};
  const checked =
    schema === undefined || !output.success
      ? output
      : {...output, data: await checkValue(schema, output.data, 'INVALID_OUTPUT')};
  const json = toJsonValue(checked, boundsAround(Object.keys(checked)));
  if (json.ok) return json.value as ToolOutput;
  if (json.exceeded !== undefined) return tooLarge(json.exceeded);
  return failed({
    code: 'INVALID_OUTPUT',
    message: `the handler's output is not JSON at ${json.pointer}: ${json.message}`,
    details: {issues: [{pointer: json.pointer, message: json.message}]},
  });
}

/** The data may use all of the bounds, so that it is refused exactly where the kernel would. */
function boundsAround(names: readonly string[]): JsonBounds {
  const {values, names: namesMax, characters} = outputBounds;
  return {
    values: values + names.length,
    names: namesMax + names.length,
    characters: characters + names.join('').length,
  };
}

const counted = {values: 'values', names: 'names of properties', characters: 'characters of text'} as const;

function tooLarge(exceeded: keyof JsonBounds): ToolOutput {
  const bound = outputBounds[exceeded];
  return failed({
    code: 'INVALID_OUTPUT',
    message: `the handler's output contains more than ${bound} ${counted[exceeded]}: return less, in pages, or write it to a file`,
    details: {limit: `output_${exceeded}`, bound},
  });
}

/** A ToolError gives its own code; any other throw is TOOL_EXECUTION_FAILED with its stack in the details. */
export function shapeThrown(thrown: unknown): ToolOutput {
  if (isToolError(thrown)) {
    const code = codePattern.test(thrown.code) ? thrown.code : 'TOOL_EXECUTION_FAILED';
    const {message, details} = thrown;
    return failed(details === undefined ? {code, message} : {code, message, details: detailsOf(details)});
  }
  const code = 'TOOL_EXECUTION_FAILED';
  if (!(thrown instanceof Error)) return failed({code, message: `the handler threw ${describe(thrown)}`});
  const message = messageOf(thrown);
  const details = {...(typeof thrown.stack === 'string' && {stack: thrown.stack}), ...systemRefusal(thrown)};
  return failed(Object.keys(details).length === 0 ? {code, message} : {code, message, details});
}

/** With the cause, or the first of several errors, which has the reason in errors such as `fetch failed`. */
function messageOf(thrown: Error): string {
  const own = thrown.message === '' ? thrown.name : thrown.message;
  // Several attempts failed, such as those of `Promise.any` or for several addresses, each for its own reason.
  const several = [thrown, thrown.cause].find((error) => error instanceof AggregateError);
  const reason: unknown = several ? several.errors[0] : thrown.cause;
  if (!(reason instanceof Error) || reason.message === '' || own.includes(reason.message)) return own;
  return `${own}: ${reason.message}`;
}

const refusingCodes: ReadonlySet<unknown> = new Set(['EACCES', 'EPERM', 'EROFS', 'ENOENT']);

/** Of an error that Node made from a system call which the operating system refused, or whose file is not there. */
function systemRefusal(error: Error): {readonly system_error?: Record<string, string>} {
  const {code, syscall, path} = error as NodeJS.ErrnoException;
  if (!refusingCodes.has(code) || typeof code !== 'string' || typeof syscall !== 'string') return {};
  return {system_error: {code, syscall, ...(typeof path === 'string' && {path})}};
}

/** Recognised strictly, so that a tool's own data with a `success` field is not taken for one. */
function isToolOutput(value: unknown): value is ToolOutput {
  if (!isRecord(value) || !Object.hasOwn(value, 'success') || typeof value['success'] !== 'boolean') return false;
  if (!Object.keys(value).every((key) => outputKeys.has(key))) return false;
  if (value['metadata'] !== undefined && !isRecord(value['metadata'])) return false;
  return value['success'] ? value['error'] === undefined : isFailure(value['error']);
}

function isFailure(value: unknown): value is ToolFailure {
  return (
    isRecord(value) &&
    typeof value['code'] === 'string' &&
    codePattern.test(value['code']) &&
    typeof value['message'] === 'string' &&
    (value['details'] === undefined || isRecord(value['details'])) &&
    Object.keys(value).every((key) => failureKeys.has(key))
  );
}

function failed(error: ToolFailure): ToolOutput {
  return {success: false, error};
}

function detailsOf(details: unknown): Record<string, unknown> {
  const json = toJsonValue(details, outputBounds);
  if (!json.ok) return {not_json: `${json.pointer}: ${json.message}`};
  return isRecord(json.value) ? json.value : {value: json.value};
}

function describe(thrown: unknown): string {
  const json = toJsonValue(thrown);
  return json.ok ? `\`${JSON.stringify(json.value)}\`` : `a value of type ${typeof thrown}`;
}
