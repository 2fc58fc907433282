// Makes one governed call, in a new or an existing task, and renders its result.
import type {Person, ToolFailure, ToolOutput} from '@lumenflow/schemas';
import type {Host} from '../../compose.ts';
import {activeTask, type SessionTask} from '../../sessions/follow-claims.ts';
import {diffFiles, type FileDiff} from '../../changes/diff-files.ts';
import {openCallSession, type CallSession} from './call-session.ts';
import type {CliContext, Outcome} from '../command.ts';
import {approveStep} from '../rendering/approve-step.ts';
import {commandLine, someoneElse} from '../rendering/command-line.ts';
import {systemFixIn} from '../failures/failure-from-error.ts';
import {handlerPlace, withoutCacheFolder} from './handler-place.ts';
import {cleanLine} from '../rendering/clean-text.ts';
import {renderFailure, renderNext, type FailureAdvice} from '../rendering/render-failure.ts';
import {renderDiff} from '../rendering/render-diff.ts';
import {renderDuration} from '../rendering/render-time.ts';
import {headForTerminal} from '../rendering/head-for-terminal.ts';
import {renderValue} from '../rendering/render-value.ts';

/** The call as a command line, for advice on repeating it. */
export interface WrittenCall {
  readonly input?: string | undefined;
  readonly lane?: string | undefined;
  readonly task?: string | undefined;
  /** An existing session; default LUMENFLOW_SESSION. */
  readonly session?: string | undefined;
  readonly dryRun?: boolean | undefined;
  readonly fields: readonly string[];
}

export interface CallRequest {
  readonly tool: string;
  readonly input: unknown;
  readonly by: string;
  /** The identity of `by`, for a person that signed in. */
  readonly person?: Person | undefined;
  readonly written: WrittenCall;
  /** Of code: its name for people, in place of the engine's. */
  readonly file?: string;
}

/** Throws CliError if no session can be opened. */
export async function runCallCommand(
  context: CliContext,
  host: Host,
  request: CallRequest,
): Promise<Outcome & {readonly output: ToolOutput}> {
  const {tool, input, by, person, written, file} = request;
  const {lane, task, session: named = context.env['LUMENFLOW_SESSION'] || undefined} = written;
  const session = await openCallSession(host, {by, person, lane, task, session: named});
  const started = performance.now();
  const dry_run = written.dryRun === true;
  const output = await call(context, host, {tool, input, session, by, person, dry_run});
  const receipt = output.metadata?.receipt_id;
  const files = dry_run && receipt !== undefined ? await filesOf(host, receipt) : undefined;
  const duration = performance.now() - started;
  // A task that waits for an approval stays open, so that the same call can be repeated in it.
  if (output.error?.code !== 'APPROVAL_REQUIRED') await session.end();
  const {session_id, task_id} = session.context;
  const held = named === session_id ? undefined : activeTask(host.runtime, session_id);
  const heldBy = held?.task_id === task_id ? undefined : held;
  const inEngine = handlerPlace(output.error?.details?.['stack']);
  const place = file === undefined ? inEngine : inEngine?.replace(/^code\.js/u, file);
  const finished = {
    tool,
    written,
    output,
    duration,
    place,
    taskId: task_id,
    heldBy,
    files,
  };
  return {...outcomeOf(context, finished), output};
}

interface CallMade extends Pick<CallRequest, 'by' | 'person'> {
  readonly tool: string;
  readonly input: unknown;
  readonly session: CallSession;
  readonly dry_run: boolean;
}

async function call(
  context: CliContext,
  {runtime}: Host,
  {tool, input, session, by, person, dry_run}: CallMade,
): Promise<ToolOutput> {
  return await context.spin(tool, (say) =>
    runtime.executeTool(tool, input, {
      ...session.context,
      by,
      person,
      surface: 'cli',
      ...(dry_run && {dry_run}),
      signal: context.signal,
      onProgress: (payload) => say(`${tool}  ${progressText(payload)}`),
    }),
  );
}

async function filesOf({runtime}: Host, receiptId: string): Promise<readonly FileDiff[] | undefined> {
  const set = (await runtime.changes.of(receiptId))?.set;
  return set && (await diffFiles(runtime, set));
}

/** Handlers can report any value: prints text as it is, and fields as a list. */
function progressText(payload: unknown): string {
  if (typeof payload === 'string') return payload;
  if (typeof payload !== 'object' || payload === null) return JSON.stringify(payload) ?? '';
  const fields = Object.entries(payload).filter(([, value]) => ['string', 'number', 'boolean'].includes(typeof value));
  return fields.map(([key, value]) => `${key} ${String(value)}`).join(' · ');
}

interface FinishedCall {
  readonly tool: string;
  readonly written: WrittenCall;
  readonly output: ToolOutput;
  readonly duration: number;
  /** The location of the handler's error. */
  readonly place: string | undefined;
  readonly taskId: string;
  /** The next session, if the call claimed a task and no session was named. */
  readonly heldBy: SessionTask | undefined;
  /** The changes that a dry run would have made. */
  readonly files: readonly FileDiff[] | undefined;
}

function outcomeOf(context: CliContext, finished: FinishedCall): Outcome {
  const {tool, output, duration, taskId, heldBy, files} = finished;
  const {style, errorStyle} = context;
  const receipt = output.metadata?.receipt_id;
  const held = heldBy && {session_id: heldBy.session_id, held_task_id: heldBy.task_id};
  const ids = {tool, task_id: taskId, ...held, ...(receipt !== undefined && {receipt_id: receipt})};
  const trace = [...(receipt === undefined ? [] : [`receipt ${receipt}`]), renderDuration(duration)].join('  ');
  if (output.success) {
    return {
      data: {...ids, data: output.data ?? null, metadata: output.metadata ?? {}, ...(files && {files})},
      text: () =>
        files
          ? renderDiff(files, style)
          : output.data === undefined
            ? ''
            : headForTerminal(renderValue(output.data, style), style),
      note: () =>
        [
          `${errorStyle.good('✔')} ${errorStyle.bold(cleanLine(tool))}  ${errorStyle.dim(trace)}`,
          activeTaskNote(context, heldBy),
        ]
          .filter((line) => line !== '')
          .join('\n'),
    };
  }
  const failure = failureIn(finished);
  const advice = adviceOn(context, finished, failure);
  return {
    data: {...ids, ...(advice.next && {next: advice.next.map(({command}) => command)})},
    failure,
    note: () => `${renderFailure(failure, advice, errorStyle)}\n  ${errorStyle.dim(trace)}`,
  };
}

/** How to continue in the task that the call claimed. */
function activeTaskNote({errorStyle}: CliContext, held: SessionTask | undefined): string {
  if (!held) return '';
  const command = `export LUMENFLOW_SESSION=${held.session_id}`;
  return renderNext([{to: `continue in ${held.task_id}, here or with --session`, command}], errorStyle);
}

function failureIn({output, place}: FinishedCall): ToolFailure {
  const failure = output.error ?? {code: 'TOOL_EXECUTION_FAILED', message: 'the tool returned no error'};
  if (place === undefined) return failure;
  return {...failure, message: withoutCacheFolder(failure.message), details: {where: place, ...failure.details}};
}

/** Next steps after a failure. */
function adviceOn(context: CliContext, {tool, written, taskId}: FinishedCall, failure: ToolFailure): FailureAdvice {
  const {workspace} = context;
  const {input, fields} = written;
  const {code, details} = failure;
  if (code === 'APPROVAL_REQUIRED') {
    const request = String(details?.['request_id']);
    return {
      next: [
        {to: 'show the request', command: commandLine(['approvals', 'show', request], {workspace})},
        approveStep({to: 'approve it, under a name other than that of the requester', request, details, workspace}),
        {
          to: 'then make the same call again',
          command: commandLine(['tools', 'call', tool, ...fields], {input, task: taskId, workspace}),
        },
      ],
    };
  }
  if (code === 'CHANGES_PARKED') return parkedAdvice(workspace, details);
  if (code === 'TOOL_NOT_FOUND') {
    return {next: [{to: 'list the tools', command: commandLine(['tools', 'list'], {workspace})}]};
  }
  if (code === 'INVALID_INPUT') {
    return {next: [{to: 'show its input', command: commandLine(['tools', 'show', tool], {workspace})}]};
  }
  if (code === 'POLICY_DENIED' || code === 'SCOPE_DENIED') {
    const again = commandLine(['policy', 'explain', tool, ...fields], {
      input,
      lane: written.lane,
      task: written.task,
      workspace,
    });
    return {next: [{to: 'explain the decision', command: again}]};
  }
  const help = code === 'EVIDENCE_UNAVAILABLE' ? systemFixIn(failure.message) : undefined;
  return help === undefined ? {} : {help};
}

/** The call has ended, except for a person's answer. */
function parkedAdvice(workspace: string | undefined, details: ToolFailure['details']): FailureAdvice {
  const request = String(details?.['request_id']);
  const options = {as: someoneElse, workspace};
  const receipt = String(details?.['receipt_id']);
  return {
    next: [
      {to: 'show the diff', command: commandLine(['changes', 'show', receipt], {workspace})},
      approveStep({to: 'apply exactly this diff, with another name', request, details, workspace}),
      {to: 'or discard the diff', command: commandLine(['approvals', 'reject', request], options)},
    ],
  };
}
