// The handler of attacks from a thread of the host, for packs whose pin allows it.
import {defineTool} from '@lumenflow/pack-sdk';
import {environmentInProcess, threadAttacks} from '../attacks/threads.ts';
import {makeAttempt, type AttemptOrder} from '../make-attempt.ts';

export const tryInProcess = defineTool<AttemptOrder, {said: string}>({
  run: (order, context) => makeAttempt([...environmentInProcess, ...threadAttacks], order, context),
});
