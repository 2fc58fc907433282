// Writes the spec files of work units that other clones created or edited. The text is the recorded one. A file that differs from its
// record here is somebody's work, so it stays.
import type {ToolContext} from '@lumenflow/pack-sdk';
import {writeDoc} from '../nested-calls/write-doc.ts';
import type {PackConfig} from '../pack-config.ts';
import {specHash} from '../work-units/spec-hash.ts';
import {specPath} from '../work-units/spec-place.ts';
import type {WorkUnits} from '../work-units/work-unit-slice.ts';
import {writeSpec} from '../work-units/write-spec.ts';
import {newestSpecs} from './newest-specs.ts';
import type {SharedEvent} from './shared-event.ts';

/** `before` is the state without the events. */
export async function writeSharedSpecs(
  context: Pick<ToolContext<PackConfig>, 'callTool' | 'config' | 'fs'>,
  events: readonly SharedEvent[],
  {units: before}: WorkUnits,
): Promise<void> {
  for (const [id, {spec, spec_hash: recorded}] of newestSpecs(events)) {
    const path = specPath(context.config, id);
    const content = writeSpec(spec);
    // Another text has comments that only git can bring.
    if (specHash(content) !== recorded) continue;
    const isThere = (await context.fs.stat(path)) !== undefined;
    const isAsRecorded = isThere && specHash(await context.fs.readText(path)) === before[id]?.spec_hash;
    if (!isThere || isAsRecorded) await writeDoc(context, {path, content, ...(!isThere && {create_only: true})});
  }
}
