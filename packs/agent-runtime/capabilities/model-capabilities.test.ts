import {describe, expect, it} from 'vitest';
import type {RemoteModel} from '../pack-config.ts';
import {modelCapabilities} from './model-capabilities.ts';

const remote = (rest: Partial<RemoteModel>): RemoteModel => ({provider: 'openai_compatible', model: 'm', ...rest});

describe('modelCapabilities', () => {
  it('requires nothing if all models are scripted', () => {
    expect(modelCapabilities({config: undefined})).toEqual({});
    expect(modelCapabilities({config: {models: {a: {provider: 'scripted', model: 'm', script: 's'}}}})).toEqual({});
  });

  it("gives each model's turns its own variables and address alone", () => {
    const models = {
      a: remote({base_url: 'https://Models.example/v1', api_key_env: 'KEY'}),
      b: remote({base_url_env: 'URL', api_key_env: 'OTHER'}),
      c: remote({base_url: 'http://10.0.0.1:8080/v1'}),
      d: remote({base_url: 'http://[::1]/'}),
      e: {provider: 'scripted' as const, model: 'm', script: 's'},
    };
    const values = {
      a: {required_env: ['KEY'], network_allowlist: ['models.example:443']},
      b: {required_env: ['OTHER', 'URL'], network_allowlist: [{url_env: 'URL'}]},
      c: {network_allowlist: ['10.0.0.1:8080']},
      d: {network_allowlist: ['[::1]:80']},
    };
    const byModel = {property: 'model_profile', values};
    expect(modelCapabilities({config: {models}})).toEqual({by_input: {'agent:execute-turn': byModel}});
    expect(modelCapabilities({config: {models, default_model: 'a'}})).toEqual({
      by_input: {'agent:execute-turn': {...byModel, default: 'a'}},
    });
  });

  it.each(['ftp://x', 'https://user@host/', 'host:80', 'https://host:x/'])('rejects %s', (base_url) => {
    expect(() => modelCapabilities({config: {models: {a: remote({base_url})}}})).toThrow(
      'not an http or https address',
    );
  });
});
