// What the compiler of policies needs, for tests: the regex engine of workspaces, and a clock that does not run.
import {RE2JS} from 're2js';
import {failed, ok} from '../outcome.ts';
import type {PolicyCompilerPorts} from './policy-compiler-ports.ts';

export const policyPorts: PolicyCompilerPorts = {
  monotonic: () => 0,
  compileRegex(source) {
    try {
      const regex = RE2JS.compile(source);
      return ok({test: (text) => regex.test(text), replaceAll: (text, by) => regex.matcher(text).replaceAll(by)});
    } catch (error) {
      return failed(String(error));
    }
  },
};
