import {KernelError} from '@lumenflow/kernel';
import {describe, expect, it} from 'vitest';
import type {CliContext} from './command.ts';
import {createContext} from './terminal/create-context.ts';
import {runCommand} from './run-command.ts';
import type {Terminal} from './terminal/terminal.ts';

function staged(signal: AbortSignal): {terminal: Terminal; context: CliContext; printed: () => string} {
  let text = '';
  const stream = {write: (more: string): void => void (text += more)};
  const terminal = {
    stdin: (async function* none(): AsyncGenerator<string> {})(),
    stdout: stream,
    stderr: stream,
    cwd: '/',
    env: {},
    signal,
  };
  return {terminal, context: createContext(terminal, {json: true}), printed: () => text};
}

describe('runCommand', () => {
  const broken = async (): Promise<never> => await Promise.reject(new KernelError('LOAD_FAILED', 'it died too'));

  it('reports the error that ended a command', async () => {
    const {terminal, context, printed} = staged(new AbortController().signal);
    expect(await runCommand(terminal, context, {load: async () => broken, args: [], options: {}})).toBe(2);
    expect(JSON.parse(printed())).toMatchObject({ok: false, error: {code: 'LOAD_FAILED'}});
  });

  it('does not report a failure that Ctrl-C caused', async () => {
    const {terminal, context, printed} = staged(AbortSignal.abort());
    expect(await runCommand(terminal, context, {load: async () => broken, args: [], options: {}})).toBe(130);
    expect(JSON.parse(printed())).toMatchObject({ok: false, error: {code: 'INTERRUPTED'}});
  });
});
