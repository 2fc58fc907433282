// The story, act by act. The repository, the sandbox, the gate and the log are real.
import type {Session} from '@lumenflow/host';
import {answerChanges} from './answer-changes.ts';
import {commitWithApproval} from './commit-with-approval.ts';
import {dataOf} from './data-of.ts';
import {runReview} from './run-review.ts';
import {runAgent} from './run-agent.ts';
import {showTampering} from './show-tampering.ts';
import type {CallOutput, Stage} from './stage.ts';

const file = 'examples/first-session/greeting.ts';

export async function playStory(stage: Stage): Promise<void> {
  await runAgent(stage);
  const session = await stage.host.openSession({
    by: 'agent',
    lane: 'docs',
    session_id: 'greet-the-reader',
    task: {
      type: 'work-unit',
      title: 'Greet the reader',
      declared_scopes: [
        {type: 'path', pattern: '**', access: 'read'},
        {type: 'path', pattern: 'examples/first-session/**', access: 'write'},
        {type: 'path', pattern: '.git/**', access: 'write'},
      ],
    },
  });
  if (!session.success) throw new Error(session.error.message);
  await discoverTools(stage, session);
  await workInScope(stage, session);
  await leaveTheScope(stage, session);
  await answerChanges(stage, session);
  await goAroundTheSdk(stage, session);
  await runReview(stage, session);
  await passTheGate(stage, session);
  await commitWithApproval(stage, session, file);
  await complete(stage, session, 'passed');
  await showTampering(stage);
}

async function discoverTools(stage: Stage, session: Session): Promise<void> {
  stage.act('A session sees only the tools that policy allows');
  const started = performance.now();
  const tools = await session.tools();
  const asking = tools.filter(({decision}) => decision === 'approval_required').map(({tool}) => tool.name);
  const {policy} = await session.explain('file:delete', {path: 'README.md'});
  stage.report(
    {
      title: 'tools discovered',
      action: 'list tools',
      outcome: 'allowed',
      ran: 'kernel',
      lines: [
        `${tools.length} tools, ${asking.length} of them with approval, git:commit among them`,
        `file:delete is not offered: rule ${policy?.deciding.rule_id ?? '?'} of the ${policy?.deciding.layer ?? '?'} layer, ${policy?.deciding.where ?? '?'}`,
      ],
      as_expected: asking.includes('git:commit') && !tools.some(({tool}) => tool.name === 'file:delete'),
    },
    started,
  );
}

async function workInScope(stage: Stage, session: Session): Promise<void> {
  stage.act('It reads in the thread pool and edits in the sandbox');
  await stage.call(
    session,
    'file:read',
    {path: file},
    {
      title: 'read a file',
      expect: 'success',
      outcome: 'allowed',
      lines: (output) => [`${file}: ${String(dataOf(output)['total_lines'])} lines`],
    },
  );
  await edit(stage, session, {old_text: "'Hello'", new_text: '"Hello, reader"'});
}

async function edit(stage: Stage, session: Session, change: {old_text: string; new_text: string}): Promise<void> {
  await stage.call(
    session,
    'file:edit',
    {path: file, ...change},
    {
      title: 'edit a file',
      expect: 'success',
      outcome: 'allowed',
      lines: (output) => [
        `${change.old_text} became ${change.new_text} in ${String(output.metadata?.artifacts_written)}`,
      ],
    },
  );
}

async function leaveTheScope(stage: Stage, session: Session): Promise<void> {
  stage.act('A write outside the task is denied, with the reason');
  await stage.call(
    session,
    'file:write',
    {path: 'package.json', content: '{}'},
    {
      title: 'outside the lane',
      expect: 'SCOPE_DENIED',
      outcome: 'denied',
      lines: whyDenied,
    },
  );
  await stage.call(
    session,
    'file:write',
    {path: 'docs/new.md', content: 'new'},
    {
      title: 'outside the task',
      expect: 'SCOPE_DENIED',
      outcome: 'denied',
      lines: whyDenied,
    },
  );
}

async function goAroundTheSdk(stage: Stage, session: Session): Promise<void> {
  stage.act('The sandbox stops a tool that bypasses the SDK');
  await stage.call(
    session,
    'probe:read-file',
    {path: 'README.md'},
    {
      title: 'a granted file',
      expect: 'success',
      outcome: 'allowed',
      lines: (output) => [`README.md: ${String(dataOf(output)['bytes'])} bytes, read with Node's own fs`],
    },
  );
  await stage.call(
    session,
    'probe:read-file',
    {path: '.env'},
    {
      title: 'a secret file',
      expect: 'success',
      outcome: 'refused',
      check: (output) => dataOf(output)['found'] === 'EACCES',
      lines: (output) => [`.env, 35 bytes on the host: the handler found ${String(dataOf(output)['found'])}`],
    },
  );
  await stage.call(
    session,
    'probe:connect',
    {host: '192.0.2.1', port: 443},
    {
      title: 'the network',
      expect: 'success',
      outcome: 'refused',
      lines: (output) => [
        `192.0.2.1:443: ${String(dataOf(output)['outcome'])}; the network of the sandbox has no other hosts`,
      ],
    },
  );
}

async function passTheGate(stage: Stage, session: Session): Promise<void> {
  stage.act('Evidence decides when the task is done');
  await complete(stage, session, 'denied');
  await gate(stage, session, false);
  await edit(stage, session, {old_text: '"Hello, reader"', new_text: "'Hello, reader'"});
  await gate(stage, session, true);
}

async function gate(stage: Stage, session: Session, passes: boolean): Promise<void> {
  await stage.call(
    session,
    'gates',
    {},
    {
      title: passes ? 'the formatter agrees' : 'the formatter disagrees',
      expect: 'success',
      outcome: passes ? 'passed' : 'failed',
      check: (output) => gatesOf(output).every(({passed}) => passed === passes),
      lines(output) {
        return gatesOf(output).map(
          ({name, passed, duration_ms}) =>
            `gate ${name}: ${passed ? 'passed' : 'failed'} in ${duration_ms.toFixed(0)} ms, by the repository's own oxfmt`,
        );
      },
    },
  );
}

interface Gate {
  readonly name: string;
  readonly passed: boolean;
  readonly duration_ms: number;
}

function gatesOf(output: CallOutput): readonly Gate[] {
  return dataOf(output)['gates'] as readonly Gate[];
}

async function complete(stage: Stage, session: Session, outcome: 'denied' | 'passed'): Promise<void> {
  if (outcome === 'passed') stage.act('With this evidence, the task can be completed');
  const started = performance.now();
  const result = await session.complete();
  stage.report(
    {
      title: outcome === 'denied' ? 'no gate has passed' : 'the gate has passed',
      action: 'complete task',
      outcome,
      ran: 'kernel',
      lines: [result.success ? 'the task is done' : result.error.message],
      as_expected: result.success === (outcome === 'passed'),
    },
    started,
  );
}

function whyDenied({error}: CallOutput): readonly string[] {
  const {layer, where, remedy} = error?.details ?? {};
  return [String(error?.message), `${String(layer)} layer, ${String(where)}`, `to allow it: ${String(remedy)}`];
}
