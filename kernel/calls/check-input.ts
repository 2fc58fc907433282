// The input against the tool's input_schema, by the validator compiled at load.
import {grow, refuse, type CheckedCall, type DecidedCall, type Refusal} from './call.ts';

export function checkInput(call: DecidedCall): CheckedCall | Refusal {
  const issues = call.tool.validateInput(call.request.input);
  const first = issues[0];
  if (first === undefined) return grow(call, {checked: true as const});
  const more = issues.length > 1 ? ` (and ${issues.length - 1} more)` : '';
  return refuse(
    call,
    'INVALID_INPUT',
    `the input of \`${call.tool.name}\` does not fit its schema: ${first.pointer === '' ? '' : `${first.pointer} `}${first.message}${more}`,
    {issues},
  );
}
