// The health of the evidence and the sandbox. Verification runs in the background, because it reads the whole log.
import type {HttpSandbox, HttpVerifyReport} from '@lumenflow/schemas';
import type {JSX} from 'preact';
import {useEffect, useState} from 'preact/hooks';
import {Badge, Facts, Json, Loaded, Problem, Section, Time} from '../elements.tsx';
import {useResource, useSession} from '../page-session.ts';

export function HealthPage(): JSX.Element {
  return (
    <>
      <Evidence />
      <SandboxDoctor />
    </>
  );
}

function Evidence(): JSX.Element {
  const {api} = useSession();
  const report = useAsked(() => api.get<HttpVerifyReport>('/v1/evidence/verify'));
  useEffect(report.ask, []);
  const note = useAsked(() => api.post<{readonly checkpoint: string}>('/v1/evidence/checkpoint', {}));
  return (
    <Section title="Evidence">
      <div role="status">
        {report.isBusy && <p class="quiet">Verifying the log …</p>}
        {report.error && <Problem error={report.error} />}
        {report.data && (
          <>
            <Facts
              of={{
                verdict: <Badge of={report.data.status} />,
                verified: report.at && <Time at={report.at} />,
                records: `${report.data.records}, of which ${report.data.signed_records} are signed`,
                contents: report.data.blobs,
                root: <code>{report.data.root}</code>,
                key: report.data.verifier_key && <code>{report.data.verifier_key}</code>,
              }}
            />
            <ul class="findings">
              {report.data.findings.slice(0, 50).map((finding) => (
                <li key={finding}>{finding}</li>
              ))}
            </ul>
          </>
        )}
        {note.error && <Problem error={note.error} />}
        {note.data && <Json value={note.data.checkpoint} label="Checkpoint" />}
      </div>
      <p class="actions">
        <button type="button" disabled={report.isBusy} onClick={report.ask}>
          Verify again
        </button>{' '}
        <button type="button" disabled={note.isBusy} onClick={note.ask}>
          Sign a checkpoint
        </button>
      </p>
    </Section>
  );
}

function SandboxDoctor(): JSX.Element {
  const sandbox = useResource<HttpSandbox>('/v1/sandbox');
  return (
    <Section title="Sandbox">
      <Loaded from={sandbox}>
        {({report, warm_pool}) => (
          <>
            <Facts of={{tier: report.tier, platform: report.platform, user: report.user}} />
            <ul class="checks">
              {report.checks.map(({name, ok, detail, fix}) => (
                <li key={name}>
                  <span class={`badge ${ok ? 'good' : 'wait'}`}>{ok ? 'enforced' : 'check'}</span>
                  <span>
                    <b>{name}</b> {detail}
                    {!ok && fix !== undefined && <small> Fix: {fix}</small>}
                  </span>
                </li>
              ))}
            </ul>
            {warm_pool && (
              <details>
                <summary>Spares</summary>
                <Json value={warm_pool} label="Spares" />
              </details>
            )}
          </>
        )}
      </Loaded>
    </Section>
  );
}

function useAsked<T>(load: () => Promise<T>): {
  readonly data?: T;
  readonly error?: Error;
  /** When the answer came. */
  readonly at?: string;
  readonly isBusy: boolean;
  ask(): void;
} {
  const [state, setState] = useState<{data?: T; at?: string; error?: Error; isBusy: boolean}>({isBusy: false});
  return {
    ...state,
    ask() {
      // The earlier answer stays until the new one comes.
      setState(({data, at}) => ({...(data !== undefined && {data}), ...(at !== undefined && {at}), isBusy: true}));
      load().then(
        (data) => setState({data, at: new Date().toISOString(), isBusy: false}),
        (error: Error) => setState({error, isBusy: false}),
      );
    },
  };
}
