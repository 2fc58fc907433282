// `permission`: that of the tool.
import type {Permission} from '@lumenflow/schemas';
import {certain} from './certainty.ts';
import {inAnyRule, type MatcherKey} from './matcher-key.ts';

const permissions: readonly unknown[] = ['read', 'write', 'admin'] satisfies Permission[];

export const permissionKey: MatcherKey = {
  compile(operand, pointer, site) {
    if (!Array.isArray(operand) || !operand.every((name) => permissions.includes(name))) {
      return site.reject(pointer, 'POLICY_MATCHER_INVALID', '`permission` needs a list of `read`, `write`, `admin`');
    }
    const named = new Set<unknown>(operand);
    return ({permission}) => named.has(permission);
  },
  reach:
    (named: readonly string[]) =>
    ({tool}) =>
      certain(tool !== undefined && named.includes(tool.permission)),
  *requires(named: readonly Permission[]) {
    yield {subject: 'permission', read: ({permission}) => permission, values: named, prefixes: []};
  },
  names: () => [],
  example: ({permission}) => (permission === undefined ? {} : {permission}),
  ...inAnyRule,
};
