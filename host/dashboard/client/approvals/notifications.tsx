// Whether receivers of workspace.yaml were notified about a request, and when.
import type {HttpNotification} from '@lumenflow/schemas';
import type {JSX} from 'preact';
import {Time} from '../elements.tsx';

export function Notifications({of}: {readonly of: readonly HttpNotification[]}): JSX.Element {
  return (
    <>
      <h3>Notifications</h3>
      <ul>
        {of.map((notification) => (
          <li key={notification.receiver}>
            <code>{notification.receiver}</code>: <Outcome of={notification} />
          </li>
        ))}
      </ul>
    </>
  );
}

function Outcome({of: {outcome, occasion = '', at, retry_at, detail}}: {readonly of: HttpNotification}): JSX.Element {
  if (at === undefined) return <>not yet notified</>;
  if (outcome === 'delivered')
    return (
      <>
        {occasionText(occasion)} delivered <Time at={at} />
      </>
    );
  return (
    <>
      {occasionText(occasion)} failed <Time at={at} />, {detail ?? 'no answer'}
      {retry_at === undefined ? '; it is not sent again' : '; it is sent again later'}
    </>
  );
}

function occasionText(occasion: string): string {
  if (occasion === 'requested') return 'new request';
  return occasion === 'closed' ? 'end of the request' : 'reminder';
}
