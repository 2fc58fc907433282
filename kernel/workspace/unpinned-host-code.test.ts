import type {PackPin, WorkspaceSpec} from '@lumenflow/schemas';
import {expect, test} from 'vitest';
import {unpinnedHostCode} from './unpinned-host-code.ts';

const local = {id: 'x', version: '1.0.0', integrity: 'dev', source: 'local', path: 'packs/x'} as const;

function codes(...packs: readonly PackPin[]): readonly string[] {
  const spec = {packs} as unknown as WorkspaceSpec;
  return unpinnedHostCode({spec, locate: (pointer) => pointer}).map(({code, where}) => `${code} ${where}`);
}

test('a local dev pack that runs in the host is warned of, and no other', () => {
  const inProcess = {...local, trust: 'in_process'} as const;
  expect(codes(local, inProcess)).toEqual(['PACK_SOURCE_RUNS_IN_HOST /packs/1/integrity']);
  expect(codes({...inProcess, integrity: `sha256:${'0'.repeat(64)}`}, {...local, trust: 'sandboxed'})).toEqual([]);
});
