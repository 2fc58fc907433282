// All that a worker of an engine advances: programs, and agents' sessions if a pack provides them.
import type {EngineWork} from '@lumenflow/kernel/adapters';
import {agentWork} from '../../agent/agent-work.ts';
import {taskOfAgentRun} from '../../agent/agent-run-id.ts';
import {programWork, type ProgramHost} from '../../exec/index.ts';

export function hostWork(host: ProgramHost): EngineWork {
  const [programs, agents] = [programWork(host), agentWork(host)];
  const workOf = (run_id: string): EngineWork => (taskOfAgentRun(run_id) === undefined ? programs : agents);
  return {
    advance: async (run_id, signal) => await workOf(run_id).advance(run_id, signal),
    read: async (run_id) => await workOf(run_id).read(run_id),
  };
}
