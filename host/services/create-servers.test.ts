import {beforeEach, expect, it} from 'vitest';
import {createServers, type OrderServers, type Servers} from './create-servers.ts';

let now: number;
let servers: Servers;
const all = ['https://a.example', 'https://b.example'];
const call = (...tried: string[]) => ({pack: 'pets', tool: 'pets:list', tried: new Set(tried)});
const fail = (server: string, times: number): void => {
  for (let count = 0; count < times; count++) servers.report('pets', server, {isUp: false});
};

beforeEach(() => {
  now = 0;
  servers = createServers({now: () => now});
});

it('prefers the first server, and one that the call has not tried', () => {
  expect(servers.choose(all, call())).toEqual({server: 'https://a.example'});
  expect(servers.choose(all, call('https://a.example'))).toEqual({server: 'https://b.example'});
  expect(servers.choose(all, call(...all))).toEqual({server: 'https://a.example'});
});

it('leaves out a server that failed five times in a row, until a trial after a pause succeeds', () => {
  fail('https://a.example', 4);
  expect(servers.choose(all, call())).toEqual({server: 'https://a.example'});
  fail('https://a.example', 1);
  expect(servers.choose(all, call())).toEqual({server: 'https://b.example'});
  expect(servers.choose(all.slice(0, 1), call())).toEqual({server: undefined, waitMs: 10_000});
  now = 10_000;
  expect(servers.choose(all, call())).toEqual({server: 'https://a.example'});
  // Other calls wait for the result of the trial.
  expect(servers.choose(all, call())).toEqual({server: 'https://b.example'});
  servers.report('pets', 'https://a.example', {isUp: true});
  expect(servers.choose(all, call())).toEqual({server: 'https://a.example'});
});

it('does not count failures that a success interrupts, or those of another service', () => {
  fail('https://a.example', 4);
  servers.report('pets', 'https://a.example', {isUp: true});
  fail('https://a.example', 4);
  for (let count = 0; count < 9; count++) servers.report('other', 'https://a.example', {isUp: false});
  expect(servers.choose(all, call())).toEqual({server: 'https://a.example'});
});

it('uses the order of the program, and only servers of the pin', () => {
  const orderServers: OrderServers = (listed, {tool}) =>
    tool === 'pets:list' ? ['https://elsewhere.example', ...listed.toReversed()] : [];
  servers = createServers({now: () => now, orderServers});
  expect(servers.choose(all, call())).toEqual({server: 'https://b.example'});
  expect(servers.choose(all, {...call(), tool: 'pets:add'})).toEqual({server: undefined, waitMs: 0});
});
