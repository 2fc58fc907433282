import {mkdtemp, rm, writeFile} from 'node:fs/promises';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {afterAll, beforeAll, describe, expect, it} from 'vitest';
import {readCallInput} from './call-input.ts';

const schema = {
  properties: {
    path: {type: 'string'},
    count: {type: 'integer'},
    deep: {type: ['boolean', 'null']},
    kinds: {type: 'array'},
    either: {type: ['string', 'integer']},
    limit: {$ref: '#/$defs/limit'},
  },
  $defs: {limit: {type: 'integer'}},
};

let cwd: string;
beforeAll(async () => {
  cwd = await mkdtemp(join(tmpdir(), 'lf-input-'));
  await writeFile(join(cwd, 'input.json'), '{"path": "from file"}');
});
afterAll(() => rm(cwd, {recursive: true}));

function read(fields: readonly string[], input?: string): Promise<unknown> {
  const context = {cwd, readStdin: () => Promise.resolve('{"path": "from stdin"}')};
  return readCallInput(context, {input, fields, schema});
}

describe('readCallInput', () => {
  it('reads fields as the tool declares them', async () => {
    expect(await read(['path=7', 'count=7', 'deep=true', 'kinds=["a"]', 'either=7', 'limit=7', 'other=7'])).toEqual({
      path: '7',
      count: 7,
      deep: true,
      kinds: ['a'],
      either: '7',
      limit: 7,
      other: '7',
    });
  });

  it('takes a list by its commas, and JSON where it is asked for', async () => {
    expect(await read(['kinds=a,b', 'other:={"x": 1}'])).toEqual({kinds: ['a', 'b'], other: {x: 1}});
  });

  it('keeps what does not fit, for the tool to refuse', async () => {
    expect(await read(['count=many'])).toEqual({count: 'many'});
  });

  it('takes everything after the first equals sign', async () => {
    expect(await read(['path=a=b:=c\nd', 'other='])).toEqual({path: 'a=b:=c\nd', other: ''});
  });

  it('reads JSON as given, from a file and from stdin; fields win', async () => {
    expect(await read([], '[1]')).toEqual([1]);
    expect(await read([], '@input.json')).toEqual({path: 'from file'});
    expect(await read(['count=2'], '-')).toEqual({path: 'from stdin', count: 2});
    expect(await read(['path=field'], '@input.json')).toEqual({path: 'field'});
    expect(await read([])).toEqual({});
  });

  it.each([
    [['nonsense'], undefined, /`nonsense` is not a field/],
    [['=x'], undefined, /`=x` is not a field/],
    [['{"path": "a"}'], undefined, /`{"path": "a"}` is JSON, not a field/],
    [['path=a', ' [1, "b=c"]'], undefined, /is JSON, not a field/],
    [['a:={'], undefined, /the value of `a` is not JSON/],
    [[], '{oops', /`--input` is not JSON/],
    [['a=b'], '[1]', /is not a JSON object/],
  ])('refuses %j with %j', async (fields, input, message) => {
    await expect(read(fields, input)).rejects.toThrow(message);
  });

  it('reports that stdin is empty', async () => {
    const empty = readCallInput({cwd: '/', readStdin: async () => '\n'}, {input: '-', fields: [], schema: undefined});
    await expect(empty).rejects.toThrow('`--input -` reads stdin, but stdin is empty');
  });

  it('cannot be led to another prototype', async () => {
    const input = (await read(['__proto__:={"polluted": true}'])) as Record<string, unknown>;
    expect(input['polluted']).toBeUndefined();
    expect(Object.keys(input)).toEqual(['__proto__']);
  });
});
