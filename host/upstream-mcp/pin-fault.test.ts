// Pins that contradict themselves.
import type {PackPin} from '@lumenflow/schemas';
import {describe, expect, it} from 'vitest';
import {pinFault} from './pin-fault.ts';

const pin = (more: Partial<PackPin>): PackPin => ({
  id: 'a',
  version: '1.0.0',
  integrity: 'dev',
  source: 'mcp',
  ...more,
});
const scope = (access: 'read' | 'write', pattern = 'a/**') => ({
  permission: 'read' as const,
  required_scopes: [{type: 'path' as const, pattern, access}],
});
const bearer = {Authorization: 'Bearer ${TOKEN}'};

describe('a pin of a server that lasts', () => {
  it('cannot grant writes, nor different things to its tools', () => {
    const writes = {tools: {put: scope('write')}};
    expect(pinFault(pin(writes))).toBeUndefined();
    expect(pinFault(pin({...writes, lifetime: 'task'}))?.message).toContain('`put` of the pack `a` writes');
    const differs = {tools: {get: scope('read'), list: scope('read', 'b/**')}};
    expect(pinFault(pin(differs))).toBeUndefined();
    expect(pinFault(pin({...differs, lifetime: 'session'}))?.message).toContain('`get` and `list`');
    const env = {get: {permission: 'read' as const}, put: {permission: 'read' as const, required_env: ['KEY']}};
    expect(pinFault(pin({tools: env, lifetime: 'workspace'}))?.message).toContain('`required_env`');
    expect(pinFault(pin({tools: {get: scope('read'), list: scope('read')}, lifetime: 'session'}))).toBeUndefined();
  });
});

describe('a pin of a server at a URL', () => {
  it.each(['https://', 'ftp://mcp.example/', 'https://ann:secret@mcp.example/'])(
    'cannot have the address %s',
    (url) => {
      expect(pinFault(pin({url}))?.message).toContain('is not an http or https address');
    },
  );

  it('sends credentials only encrypted, or to this machine', () => {
    expect(pinFault(pin({url: 'http://mcp.example/', headers: bearer}))?.message).toContain('without encryption');
    for (const url of ['http://127.0.0.1:80/', 'https://mcp.example/'])
      expect(pinFault(pin({url, headers: bearer}))).toBeUndefined();
  });

  it('grants no scopes', () => {
    expect(pinFault(pin({url: 'https://mcp.example/', tools: {get: scope('read')}}))?.message).toContain('`get`');
  });
});
