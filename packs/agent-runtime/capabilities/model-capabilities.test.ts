import {describe, expect, it} from 'vitest';
import type {RemoteModel} from '../pack-config.ts';
import {modelCapabilities} from './model-capabilities.ts';

const remote = (rest: Partial<RemoteModel>): RemoteModel => ({provider: 'openai_compatible', model: 'm', ...rest});

describe('modelCapabilities', () => {
  it('asks for nothing when all is scripted', () => {
    expect(modelCapabilities({config: undefined})).toEqual({});
    expect(modelCapabilities({config: {models: {a: {provider: 'scripted', model: 'm', script: 's'}}}})).toEqual({});
  });

  it('asks for the variables and hosts of the others, each once', () => {
    const models = {
      a: remote({base_url: 'https://Models.example/v1', api_key_env: 'KEY'}),
      b: remote({base_url: 'https://models.example', api_key_env: 'KEY'}),
      c: remote({base_url_env: 'URL', api_key_env: 'OTHER'}),
      d: remote({base_url: 'http://10.0.0.1:8080/v1'}),
      e: remote({base_url: 'http://[::1]/'}),
      f: {provider: 'scripted' as const, model: 'm', script: 's'},
    };
    expect(modelCapabilities({config: {models}})).toEqual({
      required_env: {'agent:execute-turn': ['KEY', 'OTHER', 'URL']},
      network_allowlist: {'agent:execute-turn': ['models.example:443', '10.0.0.1:8080', '[::1]:80']},
    });
  });

  it.each(['ftp://x', 'https://user@host/', 'host:80', 'https://host:x/'])('refuses %s', (base_url) => {
    expect(() => modelCapabilities({config: {models: {a: remote({base_url})}}})).toThrow(
      'not an http or https address',
    );
  });
});
