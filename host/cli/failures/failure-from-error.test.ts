import {KernelError} from '@lumenflow/kernel';
import {mkdir} from 'node:fs/promises';
import {describe, expect, it} from 'vitest';
import {CliError} from './cli-error.ts';
import {AgentSessionError} from '../../agent/agent-session-error.ts';
import {failureFromError} from './failure-from-error.ts';

describe('failureFromError', () => {
  it('keeps the code, the help and the exit code of a command', () => {
    const reported = failureFromError(new CliError('USAGE', 'no', {help: 'do', exitCode: 2, details: {a: 1}}));
    expect(reported).toEqual({
      failure: {code: 'USAGE', message: 'no', details: {a: 1, help: 'do'}},
      problems: [],
      help: 'do',
      exitCode: 2,
    });
  });

  it('gives the problems of a load apart from its first line', () => {
    const problem = {code: 'X', severity: 'error', message: 'm', where: 'w'} as const;
    const reported = failureFromError(
      new KernelError('LOAD_FAILED', 'cannot: one problem\nw: m', {problems: [problem]}),
    );
    expect(reported).toMatchObject({
      failure: {code: 'LOAD_FAILED', message: 'cannot: one problem', details: {problems: [problem]}},
      problems: [problem],
      exitCode: 2,
    });
  });

  it('counts the warnings of a load beside its errors', () => {
    const error = {code: 'X', severity: 'error', message: 'm', where: 'w'} as const;
    const warning = {...error, severity: 'warning'} as const;
    const messageOf = (...problems: readonly (typeof error | typeof warning)[]): string =>
      failureFromError(new KernelError('LOAD_FAILED', 'cannot: one problem\nw: m', {problems})).failure.message;
    expect(messageOf(error, warning)).toBe('cannot: one problem, and 1 warning');
    expect(messageOf(warning, error, warning)).toBe('cannot: one problem, and 2 warnings');
  });

  it('reports the operation that the system rejected, and its path', async () => {
    const error: unknown = await mkdir('/proc/lumenflow').catch((caught: unknown) => caught);
    const {failure, exitCode} = failureFromError(error);
    expect(failure.code).toMatch(/^E[A-Z]+$/);
    expect(failure.message).not.toContain(`${failure.code}: `);
    expect(failure.details).toEqual({path: '/proc/lumenflow'});
    expect(exitCode).toBe(2);
  });

  it('suggests a fix for a log that is corrupt, and about what the system refused below', () => {
    expect(failureFromError(new KernelError('LOG_CORRUPT', 'line 3 is no line')).help).toContain(
      'lumenflow evidence verify',
    );
    const readOnly = new KernelError('LOCK_UNAVAILABLE', 'cannot be taken: Error: EROFS: read-only file system, open');
    expect(failureFromError(readOnly)).toMatchObject({help: expect.stringContaining('mounted read-only'), exitCode: 2});
    expect(failureFromError(new KernelError('LOCK_UNAVAILABLE', 'held by EVERYBODY')).help).toBeUndefined();
  });

  it('calls anything else a defect', () => {
    expect(failureFromError('thrown')).toMatchObject({failure: {code: 'INTERNAL', message: 'thrown'}, exitCode: 1});
    expect(failureFromError(new Error('boom')).failure.details?.['stack']).toContain('boom');
  });
});

it('an error of the host keeps its code and its remedy', () => {
  const failure = {code: 'SPEC_TAMPERED', message: 'it has changed', details: {remedy: 'restart'}};
  expect(failureFromError(new AgentSessionError(failure))).toMatchObject({failure, help: 'restart'});
});
