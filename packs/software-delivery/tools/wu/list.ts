// wu:list: work units by what one asks for.
import {defineTool, type ToolDefinition} from '@lumenflow/pack-sdk';
import {openDeliveryLog} from '../../delivery-log.ts';
import {listUnits, type ListQuery, type UnitPage} from '../../listing/list-units.ts';
import {workUnits} from '../../work-units/work-units.ts';

export const wuList: ToolDefinition<ListQuery, UnitPage> = defineTool({
  async run(query, context) {
    return listUnits(await openDeliveryLog(context).read(workUnits), query, Date.now());
  },
});
