// Compiles a rule's matcher object into one condition: all that it names must hold.
import type {Globs, PolicyMatcher} from '@lumenflow/schemas';
import {compileGlobs} from './compile-globs.ts';
import {compileValueMatcher} from './compile-value-matcher.ts';
import {escapePointerPart, parseJsonPointer, valueAt} from './json-pointer.ts';
import {isRecord, type MatcherSite} from './matcher-site.ts';
import type {Condition, PolicyRequest} from './policy-request.ts';

type Part = (operand: unknown, pointer: string, site: MatcherSite) => Condition;

const parts: Readonly<Record<keyof PolicyMatcher, Part>> = {
  tool: globsOver('tool', ({context}) => context.tool_name),
  task: globsOver('id', ({context}) => context.task_id),
  lane: globsOver('id', ({context}) => context.lane_id),
  permission: (operand, pointer, site) => {
    const known: readonly unknown[] = ['read', 'write', 'admin'];
    if (!Array.isArray(operand) || !operand.every((name) => known.includes(name))) {
      return site.fault(pointer, 'POLICY_MATCHER_INVALID', '`permission` needs a list of `read`, `write`, `admin`');
    }
    const permissions = new Set<unknown>(operand);
    return ({permission}) => permissions.has(permission);
  },
  arguments: valuesIn(({context}) => context.tool_arguments),
  metadata: valuesIn(({context}) => context.execution_metadata),
  all: (operand, pointer, site) => {
    const conditions = compileList(operand, pointer, site);
    return (request) => conditions.every((condition) => condition(request));
  },
  any: (operand, pointer, site) => {
    const conditions = compileList(operand, pointer, site);
    return (request) => conditions.some((condition) => condition(request));
  },
  not: (operand, pointer, site) => {
    const condition = compileMatcher(operand, pointer, site);
    return (request) => !condition(request);
  },
};

export function compileMatcher(matcher: unknown, pointer: string, site: MatcherSite): Condition {
  if (!isRecord(matcher) || Object.keys(matcher).length === 0) {
    return site.fault(pointer, 'POLICY_MATCHER_INVALID', 'a matcher needs at least one condition');
  }
  const conditions = Object.entries(matcher).map(([name, operand]): Condition => {
    if (Object.hasOwn(parts, name)) return parts[name as keyof PolicyMatcher](operand, `${pointer}/${name}`, site);
    return site.fault(
      `${pointer}/${escapePointerPart(name)}`,
      'POLICY_MATCHER_INVALID',
      `unknown condition \`${name}\``,
    );
  });
  const [first] = conditions;
  if (first !== undefined && conditions.length === 1) return first;
  return (request) => conditions.every((condition) => condition(request));
}

function compileList(operand: unknown, pointer: string, site: MatcherSite): readonly Condition[] {
  if (!Array.isArray(operand) || operand.length === 0) {
    return [site.fault(pointer, 'POLICY_MATCHER_INVALID', 'a list of at least one matcher belongs here')];
  }
  return operand.map((matcher, index) => compileMatcher(matcher, `${pointer}/${index}`, site));
}

function globsOver(kind: 'tool' | 'id', subject: (request: PolicyRequest) => string | undefined): Part {
  return (operand, pointer, site) => {
    const globs = compileGlobs(operand as Globs, kind, site.compileRegex);
    if ('problem' in globs) return site.fault(pointer, 'POLICY_GLOB_INVALID', globs.problem, globs.help);
    return (request) => {
      const text = subject(request);
      return text !== undefined && globs.test(text);
    };
  };
}

function valuesIn(root: (request: PolicyRequest) => unknown): Part {
  return (operand, pointer, site) => {
    if (!isRecord(operand))
      return site.fault(pointer, 'POLICY_MATCHER_INVALID', 'conditions by JSON pointer belong here');
    const conditions = Object.entries(operand).map(([key, matcher]) => {
      const at = `${pointer}/${escapePointerPart(key)}`;
      const path = parseJsonPointer(key);
      const help = 'write `/` before each part, as in `/path`';
      if (!path) return site.fault(at, 'POLICY_MATCHER_INVALID', `\`${key}\` is not a JSON pointer`, help);
      const test = compileValueMatcher(matcher, at, site);
      return (request: PolicyRequest) => test(valueAt(root(request), path));
    });
    return (request) => conditions.every((condition) => condition(request));
  };
}
