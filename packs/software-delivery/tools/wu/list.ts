// wu:list lists work units by filters.
import {defineTool, type ToolDefinition} from '@lumenflow/pack-sdk';
import {readHeldUnits} from '../../claims/signs-of-life.ts';
import {openDeliveryLog} from '../../open-delivery-log.ts';
import {listUnits, type ListQuery, type UnitPage} from '../../listing/list-units.ts';
import type {PackConfig} from '../../pack-config.ts';
import {personOf} from '../../work-units/assign-work-unit.ts';

export const wuList: ToolDefinition<ListQuery, UnitPage, PackConfig> = defineTool({
  async run({assignee, ...query}, context) {
    const whose = assignee === undefined ? {} : {assignee: personOf(context, assignee)};
    return listUnits(await readHeldUnits(context, openDeliveryLog(context)), {...query, ...whose}, Date.now());
  },
});
