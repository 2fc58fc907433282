// A state that is closed accepts nothing more; closing it again does nothing.
import {expect, test} from 'vitest';
import {createProcessTable} from '../support/process-table.ts';
import type {StateKind} from '../support/state-home.ts';
import {recordsOf} from './evidence-proof.conformance.ts';

export function runClosedStateConformance({name, create}: StateKind): void {
  test(`a state ${name} accepts nothing after it was closed`, async () => {
    const home = create();
    const state = await home.open(createProcessTable().start());
    await state.close();
    await state.close();
    const closed = {code: 'RUNTIME_CLOSED'};
    await expect(state.evidence.append(recordsOf('r1'), {fsync: false})).rejects.toMatchObject(closed);
    await expect(state.contents.put('a')).rejects.toMatchObject(closed);
    await expect(state.contents.shred('0'.repeat(64))).rejects.toMatchObject(closed);
    await expect(state.signed.checkpoint()).rejects.toMatchObject(closed);
    home.remove();
  });
}
