// Checks the evidence log and the sandbox on request, because both checks are slow.
import type {HttpMinutes, HttpSandbox, HttpVerifyReport} from '@lumenflow/schemas';
import type {JSX} from 'preact';
import {useState} from 'preact/hooks';
import {Badge, Facts, Json, Loaded, Problem, Section} from '../elements.tsx';
import {useResource, useSession} from '../session.ts';

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
  const minutes = useResource<HttpMinutes>('/v1/calls/minutes');
  const report = useAsked(() => api.get<HttpVerifyReport>('/v1/evidence/verify'));
  const note = useAsked(() => api.post<{readonly checkpoint: string}>('/v1/evidence/checkpoint', {}));
  return (
    <Section title="Evidence">
      <Loaded from={minutes}>{(data) => <p>{data.evidence_records.toLocaleString('en')} records</p>}</Loaded>
      <button type="button" disabled={report.isBusy} onClick={report.ask}>
        Verify now
      </button>{' '}
      <button type="button" disabled={note.isBusy} onClick={note.ask}>
        Sign a checkpoint
      </button>
      <div role="status">
        {report.error && <Problem error={report.error} />}
        {report.data && (
          <>
            <Facts
              of={{
                verdict: <Badge of={report.data.status} />,
                records: `${report.data.records}, of which ${report.data.signed_records} are signed`,
                contents: report.data.blobs,
                root: <code>{report.data.root}</code>,
                key: report.data.verifier_key && <code>{report.data.verifier_key}</code>,
              }}
            />
            <ul>
              {report.data.findings.slice(0, 50).map((finding) => (
                <li key={finding}>{finding}</li>
              ))}
            </ul>
          </>
        )}
        {note.error && <Problem error={note.error} />}
        {note.data && <Json value={note.data.checkpoint} label="Checkpoint" />}
      </div>
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
  readonly isBusy: boolean;
  ask(): void;
} {
  const [state, setState] = useState<{data?: T; error?: Error; isBusy: boolean}>({isBusy: false});
  return {
    ...state,
    ask() {
      setState({isBusy: true});
      load().then(
        (data) => setState({data, isBusy: false}),
        (error: Error) => setState({error, isBusy: false}),
      );
    },
  };
}
