// An approval of a commit covers its staged diff. If more is staged afterwards, the approval no longer applies.
import type {Session} from '@lumenflow/host';
import {dataOf} from './data-of.ts';
import {resolveRequest} from './resolve-request.ts';
import type {CallOutput, Stage} from './stage.ts';

const later = 'examples/first-session/later.md';
// Without `allow_empty`, the last call would already fail in its preview, because nothing is staged any more.
const input = {message: 'Greet the reader', allow_empty: true};

/** `file`: the file to commit. */
export async function commitWithApproval(stage: Stage, session: Session, file: string): Promise<void> {
  stage.act('An approval covers one diff and one commit');
  await add(stage, session, {path: file, title: 'stage the change'});
  await askAndApprove(stage, session, 'reads well');
  await slipIn(stage, session);
  await askAndApprove(stage, session, 'still reads well');
  await commit(stage, session, {
    title: 'the same call succeeds',
    expect: 'success',
    lines(output) {
      const {sha, summary} = dataOf(output)['commit'] as {sha: string; summary: string};
      return [`${sha.slice(0, 12)} ${summary}`];
    },
  });
  await commit(stage, session, {
    title: 'but only once',
    expect: 'APPROVAL_REQUIRED',
    lines: () => ['the approval is used up: this is a new request'],
  });
}

async function askAndApprove(stage: Stage, session: Session, reason: string): Promise<void> {
  const asked = await commit(stage, session, {
    title: 'ask a person',
    expect: 'APPROVAL_REQUIRED',
    lines: ({error}) => [`request ${String(error?.details?.['request_id'])}, by ${String(error?.details?.['where'])}`],
  });
  await resolveRequest(stage, asked, {title: 'a person approves', approved: true, reason});
}

async function slipIn(stage: Stage, session: Session): Promise<void> {
  const written = await stage.call(
    session,
    'file:write',
    {path: later, content: 'Not reviewed yet.\n'},
    {
      title: 'one more file',
      expect: 'success',
      outcome: 'allowed',
      lines: () => [later],
    },
  );
  await add(stage, session, {path: later, title: 'staged after the approval'});
  await commit(stage, session, {
    title: 'rejected',
    expect: 'APPROVAL_REQUIRED',
    lines: () => ['the staged changes differ from the approved ones: the approval is void'],
  });
  await stage.call(
    session,
    'kernel:revert-changes',
    {receipt_id: written.metadata?.receipt_id},
    {
      title: 'reverted',
      expect: 'success',
      outcome: 'allowed',
      lines: (output) => [`reverted: ${String(dataOf(output)['paths'])}`],
    },
  );
  await add(stage, session, {path: later, title: 'and unstaged'});
}

async function add(stage: Stage, session: Session, {path, title}: {path: string; title: string}): Promise<void> {
  await stage.call(
    session,
    'git:add',
    {paths: [path]},
    {
      title,
      expect: 'success',
      outcome: 'allowed',
      lines: () => [path],
    },
  );
}

interface ExpectedCommit {
  readonly title: string;
  readonly expect: 'success' | 'APPROVAL_REQUIRED';
  lines(output: CallOutput): readonly string[];
}

async function commit(stage: Stage, session: Session, expected: ExpectedCommit): Promise<CallOutput> {
  const outcome = expected.expect === 'success' ? 'passed' : 'paused';
  return await stage.call(session, 'git:commit', input, {...expected, outcome});
}
