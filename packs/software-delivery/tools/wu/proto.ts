// wu:proto creates a prototype work unit from minimal input.
import {defineTool, type ToolDefinition} from '@lumenflow/pack-sdk';
import {openDeliveryLog} from '../../open-delivery-log.ts';
import type {PackConfig} from '../../pack-config.ts';
import {inSync, type Unsynced} from '../../sync/in-sync.ts';
import {createWorkUnit, type CreatedWorkUnit} from '../../creation/create-work-unit.ts';

interface WuProtoInput {
  readonly title: string;
  readonly lane: string;
  readonly code_paths: readonly string[];
  readonly question: string;
  readonly dry_run?: boolean;
}

export const wuProto: ToolDefinition<WuProtoInput, CreatedWorkUnit & Unsynced, PackConfig> = defineTool({
  async run({question, dry_run: dryRun = false, ...words}, context) {
    const draft = {
      ...words,
      type: 'chore' as const,
      priority: 'P3' as const,
      description: `A prototype, to be discarded or turned into work units. It should answer: ${question}`,
      acceptance: [`The answer is written down: ${question}`],
      labels: ['prototype'],
    };
    const create = async (): Promise<CreatedWorkUnit> =>
      await createWorkUnit(context, openDeliveryLog(context), draft, dryRun);
    return await inSync(context, dryRun, create);
  },
});
