import {chmodSync, mkdirSync, readdirSync, rmSync, symlinkSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {defineTool} from '@lumenflow/pack-sdk';

/** Modifies files, removes and makes a directory, replaces a link, and changes permissions. */
export const write = defineTool<{area: string; generation: number}, {written: number}>({
  run({area, generation}, {workspace_root}) {
    const top = join(workspace_root, area);
    const files = readdirSync(top, {recursive: true, withFileTypes: true}).filter(
      (entry) => entry.isFile() && entry.name.startsWith('page-'),
    );
    for (const {parentPath, name} of files) writeFileSync(join(parentPath, name), String(generation));
    for (const name of readdirSync(top).filter((each) => each.startsWith('made-'))) {
      rmSync(join(top, name), {recursive: true});
    }
    mkdirSync(join(top, `made-${generation}/deep`), {recursive: true});
    writeFileSync(join(top, `made-${generation}/deep/file`), String(generation));
    rmSync(join(top, 'newest'), {force: true});
    symlinkSync(`made-${generation}`, join(top, 'newest'));
    chmodSync(join(top, 'folder-0/page-0'), generation % 2 === 0 ? 0o644 : 0o755);
    return {written: files.length};
  },
});
