// Sessions through their tools: valid transitions, and what the loop receives.
import type {ToolContext, ToolDefinition} from '@lumenflow/pack-sdk';
import {runTool} from '@lumenflow/pack-sdk/testing';
import {beforeEach, describe, expect, it} from 'vitest';
import type {AgentRuntimeConfig} from '../pack-config.ts';
import {sessionCancel} from '../tools/session-cancel.ts';
import {sessionList} from '../tools/session-list.ts';
import {sessionResume} from '../tools/session-resume.ts';
import {sessionSettle} from '../tools/session-settle.ts';
import {sessionStart} from '../tools/session-start.ts';
import {sessionStatus} from '../tools/session-status.ts';

const config: AgentRuntimeConfig = {
  default_model: 'a',
  models: {a: {provider: 'scripted', model: 'm', script: 's'}},
  intents: {notes: {description: 'Keep notes', allow_tools: ['note:add']}, other: {}},
};
let state: Readonly<Record<string, string>> = {};
beforeEach(() => {
  state = {};
});

const ann = {name: 'ann', surface: 'cli'};

/** The output's data, or its error code. */
async function run<Input, Output, Config>(
  tool: ToolDefinition<Input, Output, Config>,
  input: object,
  principal: NonNullable<ToolContext['principal']> = ann,
): Promise<Output | string> {
  const done = await runTool(tool, input, {config: config as Config, state, principal});
  state = done.state;
  return done.output.success ? (done.output.data as Output) : String(done.output.error?.code);
}

const start = async (session_id: string, more: object = {}) =>
  await run(sessionStart, {session_id, task: 'Do it', ...more});

describe('a session', () => {
  it('starts with its task and gives the loop the possible intents', async () => {
    expect(await start('one')).toMatchObject({
      status: 'ready',
      turns: 0,
      brief: {task: 'Do it'},
      messages: [{role: 'system'}, {role: 'user', content: 'Do it'}],
      intent_catalog: [{id: 'notes', description: 'Keep notes'}, {id: 'other'}],
      continuations: [{reason: 'created'}],
    });
    expect(await start('two', {intent: 'notes', system: 'Be brief.'})).toMatchObject({
      messages: [{role: 'system', content: 'Be brief.'}, {role: 'user'}],
      intent_catalog: [{id: 'notes'}],
    });
    expect(await start('one')).toBe('SESSION_EXISTS');
    expect(await run(sessionList, {})).toMatchObject({sessions: [{session_id: 'one'}, {session_id: 'two'}]});
    expect(await run(sessionList, {status: 'ended'})).toEqual({sessions: []});
  });

  it.each([
    ['model', {model_profile: 'nobody'}, 'MODEL_NOT_CONFIGURED'],
    ['intent', {intent: 'nothing'}, 'INTENT_NOT_CONFIGURED'],
  ])('does not start with a %s that is not configured', async (_, more, code) => {
    expect(await start('one', more)).toBe(code);
    expect(await run(sessionStatus, {session_id: 'one'})).toBe('SESSION_NOT_FOUND');
  });

  it('can be settled only from its own task', async () => {
    await start('one');
    expect(await run(sessionSettle, {session_id: 'one', status: 'ended', turns: 1})).toBe('SESSION_OF_ANOTHER_TASK');
  });

  it('can be cancelled once, and does not continue', async () => {
    await start('one');
    expect(await run(sessionCancel, {session_id: 'one', reason: 'enough'})).toMatchObject({
      status: 'cancelled',
      message: 'enough',
    });
    const before = state;
    expect(await run(sessionCancel, {session_id: 'one', reason: 'again'})).toMatchObject({message: 'enough'});
    expect(state).toEqual(before);
    expect(await run(sessionResume, {session_id: 'one'})).toBe('SESSION_OVER');
  });

  it('continues with people’s messages after its earlier turns', async () => {
    await start('one');
    const decisions = [{turn_index: 0, tool_call_id: 'c', happened: true}];
    expect(await run(sessionResume, {session_id: 'one', message: 'More.', decisions})).toMatchObject({
      status: 'ready',
      said: [{after_turns: 0, content: 'More.', by: 'ann'}],
      started_by: {name: 'ann', session_id: 'session-test'},
      decisions,
      continuations: [{reason: 'created'}, {reason: 'resumed'}],
    });
  });

  it('is resumed, messaged and cancelled by its starter, an operator, or a call that a person approved', async () => {
    const others = [
      {name: 'mallory', surface: 'cli'},
      {name: 'mallory', surface: 'mcp'},
    ];
    for (const tool of [sessionResume, sessionCancel] as readonly ToolDefinition[]) {
      await start('one');
      const before = state;
      for (const mallory of others) expect(await run(tool, {session_id: 'one'}, mallory)).toBe('SESSION_OF_ANOTHER');
      expect(state).toEqual(before);
      for (const allowed of [
        ann,
        {name: 'olga', surface: 'http', is_operator: true as const},
        {name: 'mallory', surface: 'cli', approval_request_id: 'apr-1'},
      ]) {
        state = before;
        expect(await run(tool, {session_id: 'one'}, allowed)).toMatchObject({session_id: 'one'});
      }
      state = {};
    }
  });

  it('rejects agents of other sessions, even of the same principal', async () => {
    const started = {created: {type: 'created', at: '', reason: 'created', brief: {task: 't'}}};
    const by = (session_id: string) => JSON.stringify({...started.created, by: {name: 'agent', session_id}});
    const agent = {name: 'agent', surface: 'agent'};
    state = {'workflow/sessions/own': `${by('session-test')}\n`, 'workflow/sessions/other': `${by('session-2')}\n`};
    const message = 'do evil';
    expect(await run(sessionResume, {session_id: 'other', message}, agent)).toBe('SESSION_OF_ANOTHER');
    expect(await run(sessionCancel, {session_id: 'other'}, agent)).toBe('SESSION_OF_ANOTHER');
    expect(await run(sessionResume, {session_id: 'own', message}, agent)).toMatchObject({said: [{by: 'agent'}]});
  });

  it('that does not exist is reported', async () => {
    for (const tool of [sessionStatus, sessionResume, sessionCancel]) {
      expect(await run(tool as ToolDefinition, {session_id: 'none'})).toBe('SESSION_NOT_FOUND');
    }
  });
});
