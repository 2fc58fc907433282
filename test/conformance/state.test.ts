// The state in memory, which tests use, and the state on files, which users do, keep to the same contract.
import {createProcessTable} from '../support/process-table.ts';
import {stateKinds, type State, type StateKind} from '../support/state-home.ts';
import {runEventLogConformance} from './event-log.conformance.ts';
import {runEvidenceCheckpointConformance} from './evidence-checkpoint.conformance.ts';
import {runEvidenceLogConformance} from './evidence-log.conformance.ts';
import {runEvidenceProofConformance} from './evidence-proof.conformance.ts';
import type {OpenAdapters} from './open-adapters.ts';
import {runTaskStoreConformance} from './task-store.conformance.ts';

function adapters<Adapter>(kind: StateKind, pick: (state: State) => Adapter): OpenAdapters<Adapter> {
  return {
    name: kind.name,
    create() {
      const home = kind.create();
      const processes = createProcessTable();
      const opened: State[] = [];
      return {
        async open() {
          const state = await home.open(processes.start());
          opened.push(state);
          return pick(state);
        },
        async remove() {
          await Promise.all(opened.map((state) => state.close()));
          home.remove();
        },
      };
    },
  };
}

for (const kind of stateKinds) {
  runEventLogConformance(adapters(kind, ({events}) => events));
  runEvidenceLogConformance(adapters(kind, ({evidence}) => evidence));
  runEvidenceCheckpointConformance(adapters(kind, ({evidence}) => evidence));
  runEvidenceProofConformance(adapters(kind, ({evidence}) => evidence));
  runTaskStoreConformance(adapters(kind, ({tasks}) => tasks));
}
