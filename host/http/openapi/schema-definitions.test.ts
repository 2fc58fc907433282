import {expect, test} from 'vitest';
import {componentOf, readDefinitions} from './schema-definitions.ts';

test('a definition includes everything that it refers to, in other files too, under names of the description', () => {
  const definitions = readDefinitions(['http_checkpoint', 'http_lane']);
  expect(Object.keys(definitions)).toEqual(
    expect.arrayContaining(['http_checkpoint', 'http_lane', 'lane_spec', 'scope', 'path_scope', 'policy_rule']),
  );
  expect(definitions['http_lane']).toMatchObject({
    properties: {spec: componentOf('workspace.schema.json#/$defs/lane_spec')},
  });
  expect(JSON.stringify(definitions)).not.toContain('.schema.json#');
});

test('a name of no definition is a mistake of ours', () => {
  expect(() => readDefinitions(['http_nothing'])).toThrow('there is no definition `http_nothing` in http.schema.json');
  expect(() => readDefinitions(['event.schema.json#/$defs/nothing'])).toThrow('in event.schema.json');
});
