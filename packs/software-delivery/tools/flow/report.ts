// flow:report returns the figures of a range of days, including DORA's.
import {defineTool, type ToolDefinition} from '@lumenflow/pack-sdk';
import {openDeliveryLog} from '../../open-delivery-log.ts';
import {readFigures, type Figures, type WorkUnitFilter} from '../../flow/read-figures.ts';
import type {WindowWords} from '../../flow/window.ts';

export const flowReport: ToolDefinition<WindowWords & WorkUnitFilter, Figures> = defineTool({
  run: async (asked, context) => await readFigures(openDeliveryLog(context), asked, Date.now()),
});
