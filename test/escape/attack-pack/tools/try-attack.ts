// The handler of attacks in the sandbox: it may use all of Node.
import {defineTool} from '@lumenflow/pack-sdk';
import {attackGroups} from '../attacks/attack-groups.ts';
import {makeAttempt, type AttemptOrder} from '../make-attempt.ts';

export const tryAttack = defineTool<AttemptOrder, {said: string}>({
  run: (order, context) => makeAttempt(attackGroups[order.attack.split('/')[0] ?? ''] ?? [], order, context),
});
