// A kernel whose handler answers at once and whose journal is an array: what is left is the pipeline itself.
import type {ContentStore, EvidenceStore, NewEvidenceRecord} from '@lumenflow/kernel/adapters';
import {sha256Hex} from '@lumenflow/kernel/node';
import type {PolicyRule} from '@lumenflow/schemas';
import {createStage} from '../support/stage.ts';
import {memoryState} from '../support/state-home.ts';

/** As a tool that lists files returns it. */
const data = Array.from({length: 20}, (_, index) => ({path: `src/part-${index}/index.ts`, size: 1_000 + index}));
const input = {path: 'a/b', command: 'cd web && npm test -- --watch=false | tail -5'};

export interface LoneKernel {
  call(): Promise<void>;
  close(): Promise<void>;
}

export async function openLoneKernel(rules: readonly PolicyRule[]): Promise<LoneKernel> {
  const stage = createStage(memoryState);
  const runtime = await stage.open({
    workspace: {policies: {default_decision: 'allow', rules: [...rules]}},
    scripts: {'files:read': () => ({output: {success: true, data}})},
    evidence: inArray,
    contents: unkept,
  });
  const context = await runtime.startTask();
  return {
    async call() {
      const {success, error} = await runtime.executeTool('files:read', input, context);
      if (!success) throw new Error(`the call failed: ${JSON.stringify(error)}`);
    },
    close: () => stage.close(),
  };
}

function inArray(store: EvidenceStore): EvidenceStore {
  const kept: NewEvidenceRecord[] = [];
  return {...store, append: async (records) => void kept.push(...records)};
}

function unkept(store: ContentStore): ContentStore {
  return {
    ...store,
    async put(text) {
      const hash = sha256Hex(text);
      return {hash, ref: `inputs/${hash}`};
    },
  };
}
