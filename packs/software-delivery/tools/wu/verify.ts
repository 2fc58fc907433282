// wu:verify returns the tree that a task would be completed with, and the gates that passed on it. The kernel calls it before it
// completes a task. The pack's policy compares its output with the recorded gates.
import {defineTool, type ToolDefinition} from '@lumenflow/pack-sdk';
import {openDeliveryLog} from '../../open-delivery-log.ts';
import {verifyTree, type VerifiedTree} from '../../done/verify-tree.ts';
import {gateRecords} from '../../gates/gate-records.ts';
import {planGates} from '../../gates/plan-gates.ts';
import type {PackConfig} from '../../pack-config.ts';

interface WuVerifyInput {
  /** Default: the call's task. */
  readonly id?: string;
}

interface WuVerifyOutput extends VerifiedTree {
  readonly id: string;
  readonly gates: readonly {
    readonly name: string;
    readonly optional: boolean;
    /** In the latest run on this tree. */
    readonly state: 'passed' | 'failed' | 'waived' | 'not_run';
  }[];
}

export const wuVerify: ToolDefinition<WuVerifyInput, WuVerifyOutput, PackConfig> = defineTool({
  async run({id: asked}, context) {
    const id = asked ?? context.task_id;
    const log = openDeliveryLog(context);
    const verified = await verifyTree(context, log, id);
    const {tree_hash: tree, config_hash: config} = verified;
    const {runs} = await log.read(gateRecords);
    const results = runs
      .filter((run) => run.tree_hash === tree && run.config_hash === config)
      .flatMap((run) => run.gates);
    const stateOf = (name: string): WuVerifyOutput['gates'][number]['state'] => {
      const last = results.findLast((gate) => gate.name === name && gate.skipped !== true);
      if (last === undefined) return 'not_run';
      if (last.waived !== undefined) return 'waived';
      return last.passed ? 'passed' : 'failed';
    };
    const gates = planGates(context.config).map(({name, optional}) => ({name, optional, state: stateOf(name)}));
    return {id, ...verified, gates};
  },
});
