// `lumenflow program check`: everything that is wrong with a program, and what its calls could do.
import type {ProgramCheck} from '@lumenflow/schemas';
import {checkProgram} from '../../exec/index.ts';
import {counted} from '../../text/counted.ts';
import {listingContextOf} from '../call-commands/listing-context.ts';
import type {CliContext, Command} from '../command.ts';
import {exitCode} from '../failures/exit-code.ts';
import {readProgramFile} from '../programs/read-program-file.ts';
import {cleanText} from '../rendering/clean-text.ts';
import {grantedText} from '../rendering/granted-text.ts';
import {renderProblems} from '../rendering/render-problems.ts';
import {renderTable} from '../rendering/render-table.ts';
import {sourceExcerpt} from '../rendering/source-excerpt.ts';
import {paintOf} from '../rendering/style.ts';
import {supposedActor} from '../sign-in/acting-person.ts';
import {withHost} from '../with-host.ts';

export const programCheck: Command<{readonly lane?: string}> = async (context, [file = ''], options) => {
  const program = await readProgramFile(context, file);
  return await withHost(context, async (host) => {
    const {by} = await supposedActor(context, host, undefined);
    const listing = await listingContextOf(host, {...options, by});
    const {check} = await checkProgram(host.runtime, program, {lane_id: listing.lane?.spec.id ?? '', surface: 'cli'});
    const errors = check.problems.filter(({severity}) => severity === 'error').length;
    const failure = {code: 'PROGRAM_INVALID', message: `\`${file}\` has ${counted(errors, 'problem')}`};
    return {
      data: {...check},
      text: () => preview(context, check),
      note: () => problems(context, check),
      ...(errors > 0 && {failure, exitCode: exitCode.failed}),
    };
  });
};

function problems({cwd, errorStyle}: CliContext, check: ProgramCheck): string {
  return renderProblems(check.problems, errorStyle, (where) => sourceExcerpt(where, cwd, errorStyle));
}

function preview({style}: CliContext, {name, calls, calls_max, scopes}: ProgramCheck): string {
  if (name === undefined) return '';
  const head = `${style.bold(cleanText(name))}  ${style.dim(`at most ${counted(calls_max, 'call')}`)}`;
  if (calls.length === 0) return head;
  const table = renderTable(
    calls,
    [
      {title: 'WHERE', cell: ({where}) => where, paint: () => style.dim},
      {title: 'TOOL', cell: ({tool_id}) => tool_id, shrinksTo: 12, paint: () => style.bold},
      {title: 'POLICY', cell: ({policy}) => policy, paint: ({policy}) => paintOf(style, policies[policy])},
      {title: 'REASON', cell: ({reason = ''}) => reason, shrinksTo: 10},
    ],
    style,
  );
  return [head, '', table, '', style.dim('ALL CALLS TOGETHER MAY TOUCH'), grantedText(scopes)].join('\n');
}

const policies = {allowed: 'allow', approval_required: 'approval_required', denied: 'deny'} as const;
