// Renders the end of a session with the receipts of its calls and the next steps.
import type {AgentRun} from '../../agent/agent-sessions.ts';
import type {Host} from '../../compose.ts';
import type {CliContext, Outcome} from '../command.ts';
import {approveStep, detailsOf} from '../rendering/approve-step.ts';
import {commandLine} from '../rendering/command-line.ts';
import {exitCode} from '../failures/exit-code.ts';
import {cleanText} from '../rendering/clean-text.ts';
import {wrapText} from '../rendering/render-fields.ts';
import {renderNext, type FailureAdvice} from '../rendering/render-failure.ts';
import {renderReceipts} from '../rendering/render-receipts.ts';
import type {Style} from '../rendering/style.ts';
import {counted} from '../../text/counted.ts';

export async function runOutcome(context: CliContext, {runtime}: Host, run: AgentRun): Promise<Outcome> {
  const {receipts} = await runtime.evidence.readTracesByTaskId(run.session_id);
  const {style, workspace} = context;
  const next = nextSteps(run, runtime, workspace) ?? [];
  const calls = receipts.toReversed().map(({receipt_id, started, finished}) => ({
    receipt_id,
    tool_name: started.tool_name,
    result: finished?.result ?? 'open',
    ...(finished?.error_code !== undefined && {error_code: finished.error_code}),
  }));
  return {
    data: {...run, receipts: calls, ...(next.length > 0 && {next: next.map(({command}) => command)})},
    text: () =>
      [
        // The model's last text was already printed.
        ...(isModels(run) ? [] : [wrapText(cleanText(run.message ?? ''), style.width), '']),
        renderReceipts(receipts.toReversed(), style),
      ].join('\n'),
    note: () =>
      [headline(run, context.errorStyle), renderNext(next, context.errorStyle)]
        .filter((part) => part !== '')
        .join('\n'),
    exitCode: codeOf(run),
  };
}

function isModels({outcome, message = ''}: AgentRun): boolean {
  return message === '' || outcome === 'complete' || outcome === 'reply' || outcome === 'escalate';
}

function headline({session_id, status, outcome, turns}: AgentRun, style: Style): string {
  const word = status === 'ended' ? (outcome ?? 'ended') : status;
  const isGood = outcome === 'complete' || outcome === 'reply';
  const mark = isGood ? style.good('✔') : status === 'waiting' ? style.warning('●') : style.bad('✘');
  return `${mark} ${style.bold(word)}  ${style.dim(`session ${session_id}, ${counted(turns, 'turn')}`)}`;
}

function codeOf({status, outcome}: AgentRun): number {
  if (status === 'waiting') return exitCode.approvalRequired;
  if (status === 'interrupted') return exitCode.interrupted;
  return outcome === 'complete' || outcome === 'reply' ? exitCode.ok : exitCode.failed;
}

function nextSteps(
  {session_id, status, outcome, approvals, ambiguous_call}: AgentRun,
  runtime: Host['runtime'],
  workspace: string | undefined,
): FailureAdvice['next'] {
  const resume = (options: Readonly<Record<string, string>> = {}): string =>
    commandLine(['agent', 'resume', session_id], {...options, workspace});
  if (status === 'waiting') {
    const [request = ''] = approvals ?? [];
    return [
      approveStep({
        to: 'approve the call, under a name other than that of the agent',
        request,
        details: detailsOf(runtime, request),
        workspace,
      }),
      {to: 'then resume the session', command: resume()},
    ];
  }
  if (outcome === 'reply' || outcome === 'escalate') return [{to: 'say more', command: resume({message: '…'})}];
  if (ambiguous_call !== undefined) {
    return [
      {to: 'if the call had no effect, repeat it', command: resume({'did-not-happen': ambiguous_call})},
      {to: 'if the call did happen', command: resume({happened: ambiguous_call})},
    ];
  }
  if (outcome === 'failed' || status === 'interrupted') return [{to: 'go on', command: resume()}];
  return [];
}
