import type {PackManifest} from '@lumenflow/schemas';
import {expect, test} from 'vitest';
import {checkCapabilities, checkRules} from './check-factory-results.ts';

const manifest: PackManifest = {
  id: 'a',
  version: '1.0.0',
  manifest_version: 1,
  task_types: ['x'],
  tools: [{name: 'a:b', description: 'x', handler_entry: 'x.ts#x', permission: 'read'}],
  policies: [{id: 'taken', trigger: 'on_claim', decision: 'deny'}],
};

const rule = {id: 'a', trigger: 'on_claim', decision: 'deny', has_when: false};

test('returns valid rules unchanged', () => {
  const rules = [rule, {...rule, id: 'b', reason: 'because', has_when: true}];
  expect(checkRules(rules, manifest)).toEqual({rules, faults: []});
});

test.each([
  ['no list', null, 'it must return a list of rules'],
  ['too many', Array.from({length: 1001}, (_, i) => ({...rule, id: `a${i}`})), 'it returned more than 1000 rules'],
  ['no object', [5], 'rule 0: it is not an object'],
  ['no id', [{...rule, id: undefined}], 'rule 0: `id` is missing, which is not a valid id'],
  ['an odd id', [{...rule, id: '../x'}], 'rule 0: `id` is `../x`, which is not a valid id'],
  ['an id of the manifest', [{...rule, id: 'taken'}], 'rule 0: the id `taken` is taken by another rule of the pack'],
  ['an id twice', [rule, rule], 'rule 1: the id `a` is taken by another rule of the pack'],
  [
    'an unknown trigger',
    [{...rule, trigger: 'on_boot'}],
    'rule 0: `trigger` is `on_boot`, which is not one of on_tool_request, on_claim, on_completion, on_evidence_added, on_changes, on_tool_result',
  ],
  [
    'an unknown decision',
    [{...rule, decision: 5}],
    'rule 0: `decision` is `5`, which is not one of allow, deny, approval_required',
  ],
  ['a long reason', [{...rule, reason: 'x'.repeat(501)}], 'rule 0: `reason` must be a text of at most 500 characters'],
  ['no function', [{...rule, has_when: 'no function'}], 'rule 0: `when` must be a function'],
  ['odd evidence', [{...rule, evidence_data: 'x'}], 'rule 0: `evidence_data` must be a list of names'],
  ['an unknown key', [{...rule, wen: 'a function'}], 'rule 0: unknown key `wen`'],
])('rules with %s are refused', (_, value, fault) => {
  expect(checkRules(value, manifest)).toEqual({rules: [], faults: [fault]});
});

test('returns valid capabilities unchanged', () => {
  const capabilities = {
    required_scopes: {'a:b': [{type: 'path', pattern: 'data/**', access: 'read'}]},
    required_env: {'a:b': ['TOKEN']},
    network_allowlist: {'a:b': ['e.example:443', {url_env: 'URL'}]},
    by_input: {'a:b': {property: 'p', default: 'x', values: {x: {required_env: ['KEY']}, y: {}}}},
  };
  expect(checkCapabilities(capabilities, manifest)).toEqual({capabilities, faults: []});
});

test.each([
  ['no object', 5, 'it must return an object'],
  ['an unknown key', {env: {}}, 'unknown key `env`'],
  ['a scope', {required_scopes: {'a:b': {}}}, '`required_scopes` of `a:b` must be a list of path scopes'],
  [
    'a network scope',
    {required_scopes: {'a:b': [{type: 'network', posture: 'full'}]}},
    '`required_scopes` of `a:b` must be a list of path scopes',
  ],
  [
    'an odd access',
    {required_scopes: {'a:b': [{type: 'path', pattern: '**', access: 'all'}]}},
    '`required_scopes` of `a:b` must have an `access`: read or write',
  ],
  [
    'no pattern',
    {required_scopes: {'a:b': [{type: 'path', access: 'read'}]}},
    '`required_scopes` of `a:b` must have a `pattern`',
  ],
  [
    'an absolute pattern',
    {required_scopes: {'a:b': [{type: 'path', pattern: '/etc', access: 'read'}]}},
    '`required_scopes` of `a:b` contains the invalid pattern `/etc` (the path is absolute): write it relative to the workspace root',
  ],
  [
    'a scope with more keys',
    {required_scopes: {'a:b': [{type: 'path', pattern: '**', access: 'read', layer: 'x'}]}},
    '`required_scopes` of `a:b` has an unknown key `layer`',
  ],
  ['a list', {required_env: []}, '`required_env` must be an object by the names of tools'],
  ['another tool', {required_env: {'x:y': ['A']}}, '`required_env` names `x:y`, which is not a tool of the pack'],
  ['an odd variable', {required_env: {'a:b': ['A B']}}, '`required_env` of `a:b` must be a list of names of variables'],
  [
    'no list of entries',
    {network_allowlist: {'a:b': 'e.example'}},
    '`network_allowlist` of `a:b` must be a list of host:port',
  ],
  [
    'an odd variable of an address',
    {network_allowlist: {'a:b': [{url_env: 'A B'}]}},
    '`network_allowlist` of `a:b` must be a list of host:port',
  ],
  ['no inputs', {by_input: {'a:b': []}}, '`by_input` of `a:b` must be an object'],
  ['an odd key', {by_input: {'a:b': {when: 1}}}, '`by_input` of `a:b` has an unknown key `when`'],
  ['no property', {by_input: {'a:b': {values: {}}}}, '`by_input` of `a:b` must name a `property`'],
  [
    'an odd default',
    {by_input: {'a:b': {property: 'p', default: 1, values: {}}}},
    '`by_input` of `a:b` has a `default` that is not a string',
  ],
  ['no values', {by_input: {'a:b': {property: 'p'}}}, '`by_input` of `a:b` must have `values`, an object'],
  [
    'odd needs of a value',
    {by_input: {'a:b': {property: 'p', values: {x: 1}}}},
    '`by_input` of `a:b` of `x` must be an object',
  ],
  [
    'an unknown need of a value',
    {by_input: {'a:b': {property: 'p', values: {x: {env: []}}}}},
    '`by_input` of `a:b` of `x` has an unknown key `env`',
  ],
  [
    'an odd need of a value',
    {by_input: {'a:b': {property: 'p', values: {x: {required_env: [1]}}}}},
    '`by_input` of `a:b` of `x` `required_env` must be a list of names of variables',
  ],
  ['an empty entry', {network_allowlist: {'a:b': ['']}}, '`network_allowlist` of `a:b` must be a list of host:port'],
])('capabilities with %s are refused', (_, value, fault) => {
  expect(checkCapabilities(value, manifest)).toEqual({capabilities: {}, faults: [fault]});
});
