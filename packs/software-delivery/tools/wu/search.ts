// wu:search finds work units by words in title, description, acceptance, labels and comments, best match first.
import {defineTool, type ToolDefinition} from '@lumenflow/pack-sdk';
import {unitTexts} from '../../history/unit-texts.ts';
import {searchNodes} from '../../memory/search-nodes.ts';
import {openDeliveryLog} from '../../open-delivery-log.ts';
import type {WuStatus} from '../../work-units/work-unit.ts';
import {workUnitSlice} from '../../work-units/work-unit-slice.ts';

interface WuSearchInput {
  readonly query: string;
  readonly status?: readonly WuStatus[];
  readonly lane?: string;
  /** Default 20. */
  readonly limit?: number;
}

interface FoundUnit {
  readonly id: string;
  readonly title: string;
  readonly lane: string;
  readonly status: WuStatus;
  readonly snippet: string;
  readonly score: number;
}

interface WuSearchOutput {
  readonly units: readonly FoundUnit[];
  readonly total: number;
}

export const wuSearch: ToolDefinition<WuSearchInput, WuSearchOutput> = defineTool({
  async run({query, status, lane, limit = 20}, context) {
    const log = openDeliveryLog(context);
    const texts = await log.read(unitTexts);
    const {units} = await log.read(workUnitSlice);
    const documents = Object.values(texts).flatMap(({id, created_at, tags, spec, comments}) => {
      const unit = units[id];
      if (unit === undefined || (lane !== undefined && unit.spec.lane !== lane)) return [];
      if (status?.includes(unit.status) === false) return [];
      return [{unit, created_at, tags, content: [spec, ...comments].join('\n')}];
    });
    const {hits, total} = searchNodes(documents, query);
    const found = hits.slice(0, limit).map(({node: {unit}, snippet, score}): FoundUnit => {
      const {spec, status: now} = unit;
      return {id: spec.id, title: spec.title, lane: spec.lane, status: now, snippet, score};
    });
    return {units: found, total};
  },
});
