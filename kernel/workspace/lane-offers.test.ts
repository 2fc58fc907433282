import type {LaneSpec} from '@lumenflow/schemas';
import {policyPorts} from '../policy/policy-ports.fixture.ts';
import {describe, expect, test} from 'vitest';
import type {RegisteredTool} from '../packs/loaded-pack.ts';
import {compileLaneOffers, type LaneOffers} from './lane-offers.ts';

const tool = (name: string, isForHost = false): RegisteredTool =>
  ({
    name,
    declaration: {audience: isForHost ? 'host' : 'everyone'},
    pack: {manifest: {id: name.split(':')[0]}},
  }) as RegisteredTool;
const tools = [tool('file:read'), tool('file:sweep', true), tool('kernel:show-request')];

function compile(offers: readonly string[] | undefined): LaneOffers {
  const lane = {id: 'main', allowed_scopes: [], offers} as unknown as LaneSpec;
  return compileLaneOffers(lane, tools, {
    where: (index) => `workspace.yaml/lanes/0/offers/${index}`,
    compileRegex: policyPorts.compileRegex,
  });
}
const offered = ({offers}: LaneOffers) => tools.filter(offers).map(({name}) => name);

describe('a lane', () => {
  test('offers all tools that are listed', () => {
    expect(offered(compile(undefined))).toEqual(['file:read', 'kernel:show-request']);
  });

  test('offers the tools that it names, and those of the kernel', () => {
    expect(offered(compile(['git:*']))).toEqual(['kernel:show-request']);
    expect(offered(compile(['git:*', 'file:*']))).toEqual(['file:read', 'kernel:show-request']);
  });

  test('reports a pattern that matches no tool or cannot match', () => {
    expect(compile(['file:*', 'git:*', '/']).problems).toMatchObject([
      {code: 'OFFERS_WITHOUT_EFFECT', severity: 'warning', where: 'workspace.yaml/lanes/0/offers/1'},
      {code: 'WORKSPACE_INVALID', severity: 'error', where: 'workspace.yaml/lanes/0/offers/2'},
    ]);
  });
});
