// wu:list lists work units by filters.
import {defineTool, type ToolDefinition} from '@lumenflow/pack-sdk';
import {readHeldUnits} from '../../claims/signs-of-life.ts';
import {openDeliveryLog} from '../../open-delivery-log.ts';
import {listUnits, type ListQuery, type UnitPage} from '../../listing/list-units.ts';
import type {PackConfig} from '../../pack-config.ts';

export const wuList: ToolDefinition<ListQuery, UnitPage, PackConfig> = defineTool({
  async run(query, context) {
    return listUnits(await readHeldUnits(context, openDeliveryLog(context)), query, Date.now());
  },
});
