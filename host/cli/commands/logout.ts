// `lumenflow logout`: ends the sign-in of `lumenflow login`, on all hosts.
import {hash} from 'node:crypto';
import type {Command} from '../command.ts';
import {signedInPerson} from '../sign-in/acting-person.ts';
import {keptTokenOf} from '../sign-in/kept-token.ts';
import {transitionOutcome} from '../transition-outcome.ts';
import {withHost} from '../with-host.ts';

export const logout: Command = async (context) =>
  await withHost(context, async (host) => {
    const kept = keptTokenOf(context.env, host.workspaceRoot);
    const token = kept.read();
    const person = await signedInPerson(context, host);
    if (token === undefined || !person) {
      await kept.remove();
      return {data: {}, note: () => context.errorStyle.dim('no one is signed in')};
    }
    const {name} = person;
    const ended = {name, by: name, token_sha256: hash('sha256', token), reason: 'the person signed out'};
    const result = await host.runtime.people.signOut(ended);
    if (result.success) await kept.remove();
    return transitionOutcome(context, {result, key: 'person', said: () => `signed out ${name}`});
  });
