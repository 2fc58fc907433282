// `lumenflow people sign-out`: ends all sign-ins of a person on all hosts.
import type {Command} from '../command.ts';
import {actingPerson} from '../sign-in/acting-person.ts';
import {transitionOutcome} from '../transition-outcome.ts';
import {withHost} from '../with-host.ts';

interface Options {
  readonly as?: string;
  readonly reason?: string;
}

export const peopleSignOut: Command<Options> = async (context, [name = ''], {as, reason}) =>
  await withHost(context, async (host) => {
    const {by} = await actingPerson(context, host, as);
    const ended = {name, by, reason: reason ?? 'an admin signed the person out'};
    return transitionOutcome(context, {
      result: await host.runtime.people.signOut(ended),
      key: 'person',
      said: (person) => `signed out ${person.name} on all hosts`,
      advice: {help: '`lumenflow people list` lists the people'},
    });
  });
