// Finds the state of a workspace, or of a copy, that has evidence.
import {existsSync} from 'node:fs';
import {join, resolve} from 'node:path';
import type {CliContext} from '../command.ts';
import {CliError} from '../failures/cli-error.ts';
import {findWorkspace} from './find-workspace.ts';

/** `folder`: a copy of a workspace, of its .lumenflow or of .lumenflow/kernel. Throws CliError EVIDENCE_NOT_FOUND. */
export function findStateFolder(context: CliContext, folder?: string): string {
  const start = folder === undefined ? findWorkspace(context) : resolve(context.cwd, folder);
  const candidates = [join(start, '.lumenflow', 'kernel'), join(start, 'kernel'), start];
  const found = candidates.find((candidate) => existsSync(join(candidate, 'evidence')));
  if (found !== undefined) return found;
  if (folder === undefined) return join(start, '.lumenflow', 'kernel');
  if (existsSync(join(start, 'records.checkpoint'))) {
    throw new CliError('EVIDENCE_NOT_FOUND', `\`${start}\` is an exported bundle, which is for other tools`, {
      help: 'verify it as docs/verify-without-us.md shows, or name a copy of the workspace or of its .lumenflow',
    });
  }
  throw new CliError('EVIDENCE_NOT_FOUND', `\`${start}\` contains no evidence`, {
    help: 'name a copy of a workspace, its .lumenflow or its .lumenflow/kernel',
  });
}
