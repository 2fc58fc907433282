// Validates the output against its schema before any change is applied. The evidence keeps the output's text.
import {shownPointer, tryCanonicalJson} from '../evidence/index.ts';
import type {ToolOutput} from '@lumenflow/schemas';
import {outputBounds} from '@lumenflow/schemas/output-bounds';
import type {SchemaIssue} from '../packs/loaded-pack.ts';
import type {AdmittedCall} from './call.ts';
import type {CallOutcome} from './dispatch-call.ts';

export interface CheckedOutcome extends CallOutcome {
  /** Canonical JSON of the output's data. */
  readonly text?: string;
}

/** An output that does not match its schema or JSON becomes INVALID_OUTPUT. */
export function checkOutput(call: AdmittedCall, outcome: CallOutcome): CheckedOutcome {
  const {output} = outcome.dispatched;
  if (!output.success) return outcome;
  const written = output.data === undefined ? undefined : tryCanonicalJson(output.data, outputBounds);
  // Before the schema, which may look at each value many times.
  if (written?.ok === false && written.problem.tooMany !== undefined)
    return tooLarge(call, outcome, written.problem.tooMany);
  // Readers of the receipt see `null` where a handler returned nothing.
  const issues = call.tool.validateOutput(output.data ?? null);
  const first = issues[0];
  if (first) return invalid(call, outcome, `does not match its schema: ${describe(output, first)}`, {issues});
  if (written === undefined) return outcome;
  if (!written.ok) {
    const {pointer, message} = written.problem;
    return invalid(call, outcome, `cannot be kept as JSON without loss: ${message}`, {pointer});
  }
  const {dispatched, log, children, carried} = outcome;
  // Not spread: every call comes by here.
  return {dispatched, log, children, carried, text: written.value};
}

const counted = {values: 'values', names: 'names of properties', characters: 'characters of text'} as const;

function tooLarge(call: AdmittedCall, outcome: CallOutcome, exceeded: keyof typeof counted): CheckedOutcome {
  const bound = outputBounds[exceeded];
  const why = `contains more than ${bound} ${counted[exceeded]}: return less, in pages, or write it to a file`;
  return invalid(call, outcome, why, {limit: `output_${exceeded}`, bound});
}

function describe({data}: ToolOutput, {pointer, message}: SchemaIssue): string {
  if (data === undefined) return 'the handler returned nothing, is a `return` missing?';
  return pointer === '' ? message : `${shownPointer(pointer)} ${message}`;
}

function invalid(
  {tool}: AdmittedCall,
  outcome: CallOutcome,
  why: string,
  details: Record<string, unknown>,
): CheckedOutcome {
  const error = {code: 'INVALID_OUTPUT', message: `the output of \`${tool.name}\` ${why}`, details};
  return {...outcome, dispatched: {...outcome.dispatched, output: {success: false, error}}};
}
