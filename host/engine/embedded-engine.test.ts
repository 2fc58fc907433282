import {runEngineConformance} from '@lumenflow/kernel/conformance';
import {describe, it} from 'vitest';
import {createEmbeddedEngine} from './create-embedded-engine.ts';

describe('the embedded engine', () => {
  runEngineConformance({
    create: () => ({
      async open(work) {
        const engine = createEmbeddedEngine(work, {attemptsMax: 3, delayAfter: () => 1});
        return await Promise.resolve({engine, close: () => engine.close()});
      },
      remove: () => undefined,
    }),
    register: (name, run) => it(name, run),
  });
});
