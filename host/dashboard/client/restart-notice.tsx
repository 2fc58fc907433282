// A notice on every page while workspace.yaml differs from the file that was loaded.
import type {HttpHealth} from '@lumenflow/schemas';
import type {JSX} from 'preact';
import {useEvery, useResource} from './page-session.ts';

const pollMs = 5_000;

export function RestartNotice(): JSX.Element {
  const {data, reload} = useResource<HttpHealth>('/healthz');
  useEvery(pollMs, reload);
  return (
    <div role="status">
      {data?.workspace === 'changed' && (
        <p class="problem">
          workspace.yaml has changed since it was loaded, so all calls fail. Restart <code>lumenflow serve</code> to
          load it.
        </p>
      )}
    </div>
  );
}
