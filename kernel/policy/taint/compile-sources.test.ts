import {expect, test} from 'vitest';
import {policyPorts} from '../policy-ports.fixture.ts';
import type {MatcherSite} from '../matcher-site.ts';
import {salvageSource} from '../../taint/salvage-source.ts';
import {compileSources} from './compile-sources.ts';

const site = {...policyPorts, reject: (_: string, code: string) => expect.fail(code)} as unknown as MatcherSite;

test.each([[true], ['web:*'], [['mail:read', 'web:*']]])(
  '%j names its tools, and what a salvage of the events lost',
  (operand) => {
    const isNamed = compileSources(operand, '/tainted', site);
    expect(isNamed({tool_name: 'web:fetch'})).toBe(true);
    expect(isNamed({tool_name: 'file:read'})).toBe(operand === true);
    expect(isNamed({tool_name: salvageSource})).toBe(true);
  },
);
