import {describe, expect, it} from 'vitest';
import type {Host} from '../../compose.ts';
import type {CliContext} from '../command.ts';
import {createStyle} from '../rendering/style.ts';
import {approvalAsker} from './approval-asker.ts';

interface Asked {
  readonly reported: string[];
  readonly resolved: unknown[];
  readonly answer: 'resolved' | 'later' | undefined;
}

async function ask(
  said: string | undefined,
  more: {isInteractive?: boolean; refuses?: boolean; hasIssuer?: boolean} = {},
): Promise<Asked> {
  const reported: string[] = [];
  const resolved: unknown[] = [];
  const stop = new AbortController();
  const context = {
    env: {LUMENFLOW_ACTOR: 'ada'},
    isInteractive: more.isInteractive ?? true,
    errorStyle: createStyle({colour: false, width: 80}),
    signal: stop.signal,
    notify: (text: string) => void reported.push(text),
    onLine(listener: (line: string) => void) {
      if (said === undefined) queueMicrotask(() => stop.abort());
      else queueMicrotask(() => listener(said));
      return () => undefined;
    },
  } as Partial<CliContext> as CliContext;
  const runtime = {
    workspace: {spec: more.hasIssuer === true ? {sign_in: {issuer: 'https://login.example'}} : {}},
    refresh: async () => undefined,
    resolveApproval: async (resolution: unknown) => {
      resolved.push(resolution);
      return more.refuses === true
        ? {success: false, error: {code: 'SELF_APPROVAL', message: 'not by oneself'}}
        : {success: true, data: {subject: {kind: 'call'}}};
    },
  };
  const host = {runtime, workspaceRoot: '/nowhere'} as unknown as Host;
  const asker = approvalAsker(context, host);
  const answer = await asker?.({request_id: 'apr-1', tool_name: 'note:add', input: {line: 'eggs'}});
  return {reported, resolved, answer};
}

describe('approvalAsker', () => {
  it.each([
    ['y', true],
    ['YES', true],
    ['n', false],
    ['no', false],
  ])('takes `%s` to the kernel, with what is asked in view', async (said, approved) => {
    const {answer, resolved, reported} = await ask(said);
    expect(answer).toBe('resolved');
    expect(resolved).toEqual([{request_id: 'apr-1', approved, approved_by: 'ada'}]);
    expect(reported.join('\n')).toContain('eggs');
  });

  it.each(['', 'l', 'yep', undefined])('leaves it for later at `%s`', async (said) => {
    expect(await ask(said)).toMatchObject({answer: 'later', resolved: []});
  });

  it('reports a rejection by the kernel, and leaves it for later', async () => {
    const {answer, reported} = await ask('y', {refuses: true});
    expect(answer).toBe('later');
    expect(reported.at(-1)).toContain('SELF_APPROVAL');
  });

  it('requires a person who signed in, where workspace.yaml has an issuer', async () => {
    const {answer, resolved, reported} = await ask('y', {hasIssuer: true});
    expect({answer, resolved}).toEqual({answer: 'later', resolved: []});
    expect(reported.at(-1)).toContain('SIGN_IN_REQUIRED');
  });

  it('does not ask without an interactive terminal', async () => {
    expect(await ask('y', {isInteractive: false})).toMatchObject({answer: undefined, reported: []});
  });
});
