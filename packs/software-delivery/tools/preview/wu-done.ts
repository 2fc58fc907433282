// What wu:done would merge: the committed work, and the main branch's commit to merge onto.
import {defineTool, type ToolDefinition} from '@lumenflow/pack-sdk';
import {requireHolder} from '../../claims/lease.ts';
import {openDeliveryLog} from '../../open-delivery-log.ts';
import {checkWork, readWork} from '../../done/check-work.ts';
import {boundedPatch, type BoundedPatch} from '../../git/bounded-patch.ts';
import {forkPoint} from '../../git/changed-paths.ts';
import {findCommit} from '../../git/find-commit.ts';
import {mainBranch} from '../../git/main-branch.ts';
import type {PackConfig} from '../../pack-config.ts';
import {workUnitSlice} from '../../work-units/work-unit-slice.ts';

interface DoneInput {
  readonly id: string;
  readonly lease_token: number;
}

interface DonePreview extends BoundedPatch {
  readonly id: string;
  readonly title: string;
  readonly branch: string;
  /** Latest commit of the work. */
  readonly head: string;
  readonly main_branch: string;
  /** The main branch's current commit. */
  readonly onto: string;
  readonly changed: readonly string[];
}

export const previewWuDone: ToolDefinition<DoneInput, DonePreview, PackConfig> = defineTool({
  async run({id, lease_token}, context) {
    const holder = {token: lease_token, session_id: context.session_id};
    const unit = requireHolder(await openDeliveryLog(context).read(workUnitSlice), id, holder);
    const work = await readWork(context, unit);
    await checkWork(context, work, unit);
    const main = await mainBranch(context, context.config);
    const {branch, head, changed} = work;
    return {
      id,
      title: unit.spec.title,
      branch,
      head,
      main_branch: main,
      onto: await findCommit(context, `refs/heads/${main}`),
      changed,
      ...(await boundedPatch(context, [await forkPoint(context, context.config, head), head])),
    };
  },
});
