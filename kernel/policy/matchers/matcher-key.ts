// The parts of a key of a rule's matcher. One entry of matcher-table.ts has all of them: no key can be known to the compiler and unknown
// to the review, the index or the examples.
import type {Permission, PathAccess, PolicyExample, PolicyMatcher, PolicyTrigger, ToolSink} from '@lumenflow/schemas';
import type {MatcherSite} from '../matcher-site.ts';
import type {Condition, PolicyRequest} from '../policy-request.ts';

/** What is known of a request before it is made. */
export interface Situation {
  readonly trigger: PolicyTrigger;
  readonly lane: string;
  /** Absent on a claim or a completion. */
  readonly tool?: {
    readonly name: string;
    readonly permission: Permission;
    readonly sink?: ToolSink | undefined;
    /** What its path inputs are for; absent when it is not known. */
    readonly touches?: readonly PathAccess[];
  };
}

export type Certainty = 'never' | 'maybe' | 'always';
export type Reach = (situation: Situation) => Certainty;

/** One of these JSON scalars, or a text that begins with one of these. */
export interface RequiredTexts {
  readonly values: readonly unknown[];
  readonly prefixes: readonly string[];
}

export interface RequiredValue extends RequiredTexts {
  /** Names what is read: equal for two rules that look at the same value. */
  readonly subject: string;
  /** It is about the paths that the request touches. */
  readonly isOfPaths?: true;
  /** `read` returns a list of values, one of which must fit; anything else if it may be any value. */
  readonly isList?: true;
  /** `read` returns a list of texts, one of which must contain one of `values`; anything else if they are not known. */
  readonly isText?: true;
  /** What the request has there. May throw on a caller's own objects. */
  read(request: PolicyRequest): unknown;
}

/** A tool or a lane that a matcher names in full. */
export interface NamedInMatcher {
  readonly kind: 'tool' | 'lane';
  readonly name: string;
  /** JSON pointer. */
  readonly at: string;
}

/** Compiles, or reads, a matcher within a matcher. */
export type Nested<Result> = (matcher: PolicyMatcher) => Result;

export interface CompileNested {
  /** `isPermissive`: as of the site, unless the matcher is turned round. */
  compile(matcher: unknown, pointer: string, site: MatcherSite): Condition;
}

export interface MatcherKey {
  /** The condition of a value that may have any form: what is wrong with it goes to the site. */
  compile(operand: unknown, pointer: string, site: MatcherSite, nested: CompileNested['compile']): Condition;
  /** When a well-formed operand matches. */
  reach(operand: never, site: MatcherSite, nested: Nested<Reach>): Reach;
  /** Values that a matching request must have; those that distinguish requests best come first. */
  requires(operand: never, nested: Nested<Iterable<RequiredValue>>): Iterable<RequiredValue>;
  names(
    operand: never,
    at: string,
    nested: (matcher: PolicyMatcher, at: string) => Iterable<NamedInMatcher>,
  ): Iterable<NamedInMatcher>;
  /** What an example says of it, as a request has it. */
  example(call: PolicyExample['call']): Omit<Partial<PolicyRequest>, 'context'> & {
    readonly context?: Partial<PolicyRequest['context']>;
  };
  /** What to use instead in a rule of a trigger where the key has no meaning; undefined where it has one. */
  insteadIn(trigger: PolicyTrigger): string | undefined;
}

/** For a key that has a meaning in rules of every trigger. */
export const inAnyRule: Pick<MatcherKey, 'insteadIn'> = {insteadIn: () => undefined};
