// What wu:delete would delete: the work unit's current spec.
import {defineTool, type ToolDefinition} from '@lumenflow/pack-sdk';
import type {PackConfig} from '../../pack-config.ts';
import {specPath} from '../../work-units/spec-place.ts';
import {wuDelete} from '../wu/delete.ts';

interface DeleteInput {
  readonly id: string;
  readonly reason: string;
}

interface DeletePreview {
  readonly id: string;
  readonly path: string;
  /** Null if the file is missing. */
  readonly spec: string | null;
}

export const previewWuDelete: ToolDefinition<DeleteInput, DeletePreview, PackConfig> = defineTool({
  async run(input, context) {
    await wuDelete.run({...input, dry_run: true}, context);
    const {id} = input;
    const path = specPath(context.config, id);
    const isThere = (await context.fs.stat(path)) !== undefined;
    return {id, path, spec: isThere ? await context.fs.readText(path) : null};
  },
});
