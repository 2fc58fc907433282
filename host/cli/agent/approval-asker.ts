// Asks the person at the terminal to allow or reject one call, and passes the answer to the kernel.
import type {AgentLoopRequest} from '../../agent/agent-loop-request.ts';
import {answerApproval} from '../../changes/answer-approval.ts';
import type {Host} from '../../compose.ts';
import type {CliContext} from '../command.ts';
import {cleanText} from '../rendering/clean-text.ts';
import {findDecidingPerson} from '../sign-in/acting-person.ts';
import {renderValue} from '../rendering/render-value.ts';

type AskApproval = NonNullable<AgentLoopRequest['askApproval']>;

/** Undefined if stdin is not interactive. */
export function approvalAsker(context: CliContext, host: Host): AskApproval | undefined {
  if (!context.isInteractive) return undefined;
  const {errorStyle: style} = context;
  return async ({request_id, input}) => {
    context.notify(renderValue(input, style).replaceAll(/^/gmu, '    '));
    context.notify(`    ${style.bold('allow this call?')} y(es), n(o), or l(ater)`);
    const answer = await nextLine(context);
    if (!/^(?:y|yes|n|no)$/iu.test(answer)) return 'later';
    const approved = /^y/iu.test(answer);
    const deciding = await findDecidingPerson(context, host, undefined);
    if (!deciding.ok) {
      const {code, message, options} = deciding.problem;
      context.notify(`    ${style.bad(code)}  ${cleanText(`${message}: ${options.help ?? ''}`)}`);
      return 'later';
    }
    const {by: approved_by, person} = deciding.value;
    const result = await answerApproval(host.runtime, {request_id, approved, approved_by, person});
    if (result.success) return 'resolved';
    context.notify(`    ${style.bad(result.error.code)}  ${cleanText(result.error.message)}`);
    return 'later';
  };
}

/** Empty at the end of input or when the command is stopped. */
async function nextLine({onLine, signal}: CliContext): Promise<string> {
  return await new Promise((resolve) => {
    const end = onLine((line) => finish(line));
    const stop = (): void => finish('');
    const finish = (line: string): void => {
      signal.removeEventListener('abort', stop);
      end();
      resolve(line.trim());
    };
    signal.addEventListener('abort', stop, {once: true});
  });
}
