import {describe, expect, it} from 'vitest';
import {commandLine, someoneElse} from './command-line.ts';

describe('commandLine', () => {
  it('quotes what a shell would take apart', () => {
    expect(
      commandLine(['tools', 'call', 'file:write', "content=it's $HOME"], {workspace: '/a b', input: undefined}),
    ).toBe(`lumenflow tools call file:write 'content=it'\\''s $HOME' --workspace '/a b'`);
  });

  it('leaves a place for a name that no shell takes as it is', () => {
    expect(commandLine(['approvals', 'approve', 'apr-1'], {as: someoneElse})).toBe(
      'lumenflow approvals approve apr-1 --as <you>',
    );
  });
});
