// Writes the spec files of work units that other clones created or edited, where this clone has none. The text is the recorded one.
import type {ToolContext} from '@lumenflow/pack-sdk';
import {writeDoc} from '../nested-calls/write-doc.ts';
import type {PackConfig} from '../pack-config.ts';
import {specHash} from '../work-units/spec-hash.ts';
import {specPath} from '../work-units/spec-place.ts';
import {writeSpec} from '../work-units/write-spec.ts';
import type {WuCreated, WuEdited} from '../work-units/wu-event.ts';
import type {SharedEvent} from './shared-event.ts';

export async function writeMissingSpecs(
  context: Pick<ToolContext<PackConfig>, 'callTool' | 'config' | 'fs'>,
  events: readonly SharedEvent[],
): Promise<void> {
  const newest = new Map(events.filter(hasSpec).map((event) => [event.id, event]));
  for (const {id, spec, spec_hash: recorded} of newest.values()) {
    const path = specPath(context.config, id);
    const content = writeSpec(spec);
    // Another text has comments that only git can bring.
    if (specHash(content) !== recorded || (await context.fs.stat(path)) !== undefined) continue;
    await writeDoc(context, {path, content, create_only: true});
  }
}

type WithSpec = SharedEvent & (WuCreated | WuEdited);

function hasSpec(event: SharedEvent): event is WithSpec {
  return event.type === 'wu_created' || event.type === 'wu_edited';
}
