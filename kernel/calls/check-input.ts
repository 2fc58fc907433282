// The input against the tool's input_schema, by the validator compiled at load.
import {shownPointer} from '../evidence/index.ts';
import {grow, refuse, type CheckedCall, type DecidedCall, type Refusal} from './call.ts';

export function checkInput(call: DecidedCall): CheckedCall | Refusal {
  const issues = call.tool.validateInput(call.request.input);
  if (issues.length === 0) return grow(call, {checked: true as const});
  const lines = issues.map(({pointer, message}) => (pointer === '' ? message : `${shownPointer(pointer)} ${message}`));
  const message = `the input of \`${call.tool.name}\` does not match its schema: ${lines.join('; ')}`;
  return refuse(call, 'INVALID_INPUT', message, {issues});
}
