// Writes the rendered files, except those that are up to date.
import type {ToolContext} from '@lumenflow/pack-sdk';
import {findFile} from '../files/current-file.ts';
import {sha256Hex} from '../files/sha256-hex.ts';
import type {PackConfig} from '../pack-config.ts';
import {specFolder} from '../work-units/spec-place.ts';
import type {RenderedView} from './render-views.ts';

export interface WrittenView {
  readonly path: string;
  readonly sha256: string;
  /** The file was missing or different. */
  readonly changed: boolean;
}

export async function writeViews(
  {fs, config}: Pick<ToolContext<PackConfig>, 'fs' | 'config'>,
  views: readonly RenderedView[],
  dryRun: boolean,
): Promise<readonly WrittenView[]> {
  const written: WrittenView[] = [];
  for (const {name, text} of views) {
    const path = viewPath(config, name);
    const sha256 = await sha256Hex(text);
    const changed = (await findFile(fs, path))?.sha256 !== sha256;
    if (changed && !dryRun) await fs.write(path, text);
    written.push({path, sha256, changed});
  }
  return written;
}

export function viewPath(config: PackConfig, name: RenderedView['name']): string {
  return `${specFolder(config)}/${name}`;
}
