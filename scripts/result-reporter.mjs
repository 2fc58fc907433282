// A reporter for vitest: writes the result of each file for run-tests.mjs.
import {writeFileSync} from 'node:fs';

const described = (error) => error && `${error.name}: ${error.message}`.split('\n', 1)[0];

export default class ResultReporter {
  /** Writes `{files: [{name, ms, tests: [{title, state, why}], why}], strays}`; `strays` counts errors outside of any test. */
  onTestRunEnd(modules, unhandledErrors) {
    const files = modules.map((module) => ({
      name: module.moduleId,
      ms: module.diagnostic().duration,
      tests: [...module.children.allTests()].map((test) => {
        const {state, errors} = test.result();
        return {title: test.fullName, state, why: described(errors?.[0])};
      }),
      why: described(module.errors()[0]),
    }));
    writeFileSync(process.env.LUMENFLOW_TEST_RESULT, JSON.stringify({files, strays: unhandledErrors.length}));
  }
}
