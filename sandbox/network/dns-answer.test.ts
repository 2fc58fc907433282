import * as fc from 'fast-check';
import {expect, test} from 'vitest';
import {createAddressBook} from './address-book.ts';
import {answerDns} from './dns-answer.ts';
import {parseNetworkRule} from './network-rules.ts';

const book = createAddressBook(['api.test:443', '*.sub.test:443'].flatMap((text) => parseNetworkRule(text) ?? []));
const unlisted = {kind: 'refused', problem: 'no entry lists the name'} as const;
const answer = (query: Buffer) =>
  answerDns(query, (name) => {
    const found = book.addressesOf(name);
    return found === undefined ? unlisted : {kind: 'found', ipv4: [found.ipv4], ipv6: [found.ipv6]};
  });

function query(name: string, type: number, flags = 0x0100): Buffer {
  const labels = name.split('.').map((label) => Buffer.concat([Buffer.from([label.length]), Buffer.from(label)]));
  const header = Buffer.from([0xab, 0xcd, flags >> 8, flags & 255, 0, 1, 0, 0, 0, 0, 0, 0]);
  return Buffer.concat([header, ...labels, Buffer.from([0, 0, type, 0, 1])]);
}

function read(response: Buffer | undefined) {
  if (response === undefined) return undefined;
  const data = response.subarray(-16).toString('hex');
  return {id: response.readUInt16BE(0), code: response.readUInt8(3) & 15, answers: response.readUInt16BE(6), data};
}

test('a listed name has one address of each family, and no other records', async () => {
  const addresses = book.addressesOf('api.test');
  const a = await answer(query('api.test', 1));
  expect(read(a.response)).toMatchObject({id: 0xabcd, code: 0, answers: 1});
  expect([...(a.response ?? [])].slice(-4).join('.')).toBe(addresses?.ipv4);
  expect(read((await answer(query('API.Test', 28))).response)).toMatchObject({
    code: 0,
    answers: 1,
    data: `fd006c66${'0'.repeat(23)}2`,
  });
  for (const type of [15, 16, 65, 255])
    expect(read((await answer(query('api.test', type))).response)).toMatchObject({code: 0, answers: 0});
  expect(book.nameAt(addresses?.ipv4 ?? '')).toBe('api.test');
});

test('a name that is not listed does not exist', async () => {
  for (const name of ['secret.evil.test', 'x.api.test', 'sub.test', 'api.test.evil']) {
    const {response, refused} = await answer(query(name, 1));
    expect([name, read(response)?.code, refused]).toEqual([name, 3, {name, problem: 'no entry lists the name'}]);
  }
});

test('names below a listed one get addresses when they are queried', () => {
  const [one, two] = ['a.sub.test', 'b.a.sub.test'].map((name) => book.addressesOf(name));
  expect(one?.ipv4).not.toBe(two?.ipv4);
  expect(book.addressesOf('a.sub.test')).toEqual(one);
  expect(book.nameAt(two?.ipv6 ?? '')).toBe('b.a.sub.test');
  expect(book.addressesOf('white space.sub.test')).toBeUndefined();
});

test('when addresses run out, none is reassigned to another name', () => {
  const small = createAddressBook(['*.sub.test:443'].flatMap((text) => parseNetworkRule(text) ?? []));
  const given = Array.from({length: 5000}, (_, index) => small.addressesOf(`n${index}.sub.test`)?.ipv4);
  const made = given.filter((address) => address !== undefined);
  expect(new Set(made).size).toBe(made.length);
  expect(made.length).toBeLessThan(5000);
});

test('anything but one plain query is safely refused', async () => {
  expect((await answer(query('api.test', 1, 0x8100))).response).toBeUndefined();
  expect(read((await answer(query('api.test', 1, 0x2800))).response)?.code).toBe(4);
  expect(read((await answer(query('api.test', 1).subarray(0, 20))).response)?.code).toBe(1);
  await fc.assert(
    fc.asyncProperty(fc.uint8Array({maxLength: 600}), async (bytes) => {
      const {response} = await answer(Buffer.from(bytes));
      if (response !== undefined) expect(response.length).toBeLessThanOrEqual(bytes.length + 28);
    }),
  );
});
