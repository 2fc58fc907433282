// The states in memory and behind a socket, which tests use, and the one on files, which users do, pass the same suite.
import {runStateConformance} from '@lumenflow/kernel/conformance';
import {describe, test} from 'vitest';
import {stateKinds} from '../support/state-home.ts';

describe.each(stateKinds)('a state $name', ({create}) => {
  runStateConformance({create, register: test});
});
