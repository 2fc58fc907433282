// The host's side of ctx.state for a tool under test: the same answers, kept in memory.
import {checkExpected, checkStateName, joinLines, noVersion} from '../state-rules.ts';

type Params = Readonly<Record<string, unknown>>;

export interface MemoryStates {
  /** Undefined when the method is not about state. */
  answer(method: string, params: Params): unknown;
  /** Every text by name. */
  texts(): Readonly<Record<string, string>>;
}

interface Text {
  readonly text: string;
  /** How often texts had changed when this one did. */
  readonly change: number;
}

export function createMemoryStates(texts: Readonly<Record<string, string>> = {}): MemoryStates {
  const states = new Map(Object.entries(texts).map(([name, text]): [string, Text] => [name, {text, change: 0}]));
  let changes = 0;

  const versionOf = (found: Text | undefined) =>
    found === undefined
      ? {version: noVersion, size: 0}
      : {version: `change-${found.change}`, size: Buffer.byteLength(found.text)};
  const put = (name: string, text: string) => {
    states.set(name, {text, change: ++changes});
    return versionOf(states.get(name));
  };
  const check = (name: string, {expect}: Params): void =>
    checkExpected(name, expect, versionOf(states.get(name)).version);

  const operations: Readonly<Record<string, (name: string, params: Params) => unknown>> = {
    state_read(name) {
      const found = states.get(name);
      return found && {text: found.text, ...versionOf(found)};
    },
    state_lines(name, {from}) {
      const found = states.get(name);
      const rest = Buffer.from(found?.text ?? '')
        .subarray(Number(from))
        .toString('utf8');
      return {lines: rest === '' ? [] : rest.slice(0, -1).split('\n'), ...versionOf(found), more: false};
    },
    state_write(name, params) {
      check(name, params);
      return put(name, String(params['text']));
    },
    state_append(name, params) {
      check(name, params);
      return put(name, `${states.get(name)?.text ?? ''}${joinLines(params['lines'] as readonly string[])}`);
    },
    state_remove(name, params) {
      check(name, params);
      states.delete(name);
      return {};
    },
    state_names(_, {prefix}) {
      return [...states.keys()].filter((name) => name.startsWith(String(prefix))).toSorted();
    },
  };

  return {
    answer(method, params) {
      const name = String(params['name']);
      if (method !== 'state_names') checkStateName(name);
      return operations[method]?.(name, params);
    },
    texts: () => Object.fromEntries([...states].map(([name, {text}]) => [name, text])),
  };
}
