// `lumenflow people list`: lists the people who have signed in.
import type {PersonRecord} from '@lumenflow/kernel';
import type {Command} from '../command.ts';
import {renderTable} from '../rendering/render-table.ts';
import {renderTime} from '../rendering/render-time.ts';
import {withHost} from '../with-host.ts';

export const peopleList: Command = async (context) =>
  await withHost(context, async ({runtime}) => {
    await runtime.refresh();
    const people = runtime.people.list();
    const {style, errorStyle} = context;
    const now = Date.now();
    return {
      data: {people},
      text: () =>
        people.length === 0
          ? ''
          : renderTable<PersonRecord>(
              people,
              [
                {title: 'NAME', cell: ({name}) => name, shrinksTo: 12, paint: () => style.bold},
                {title: 'PERSON', cell: ({person}) => person.display_name ?? '', shrinksTo: 12},
                {title: 'SUBJECT', cell: ({person}) => person.subject, shrinksTo: 12},
                {title: 'SIGNED IN', cell: ({last_signed_in_at}) => renderTime(last_signed_in_at, now)},
              ],
              style,
            ),
      note: () => (people.length === 0 ? errorStyle.dim('no one has signed in') : ''),
    };
  });
