// The states in memory and behind a socket, which tests use, and the one on files, which users do, keep to the same contract.
import {createProcessTable} from '../support/process-table.ts';
import {stateKinds, type State, type StateKind} from '../support/state-home.ts';
import {runContentStoreConformance} from './content-store.conformance.ts';
import {runEventLogConformance} from './event-log.conformance.ts';
import {runEvidenceCheckpointConformance} from './evidence-checkpoint.conformance.ts';
import {runEvidenceStoreConformance} from './evidence-store.conformance.ts';
import {runEvidenceProofConformance} from './evidence-proof.conformance.ts';
import type {OpenAdapters} from './open-adapters.ts';
import {runClosedStateConformance} from './closed-state.conformance.ts';
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
  runEvidenceStoreConformance(adapters(kind, ({evidence}) => evidence));
  runContentStoreConformance(adapters(kind, ({contents}) => contents));
  runEvidenceCheckpointConformance(adapters(kind, (state) => state));
  runEvidenceProofConformance(adapters(kind, (state) => state));
  runClosedStateConformance(kind);
  runTaskStoreConformance(adapters(kind, ({tasks}) => tasks));
}
