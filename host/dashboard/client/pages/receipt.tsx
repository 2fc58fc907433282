// One call: its stages, scopes, policy decision, input and output.
import type {HttpLaneList, HttpReceipt, HttpTask} from '@lumenflow/schemas';
import type {JSX} from 'preact';
import {useState} from 'preact/hooks';
import {decisionOfCall} from '../../../receipts/decision-of-call.ts';
import {Content} from '../content.tsx';
import {Changes} from '../changes.tsx';
import {
  Decisions,
  Facts,
  grantTexts,
  Json,
  Loaded,
  Problem,
  ReceiptLink,
  ScopeList,
  TaskLink,
  scopeText,
  Section,
  Time,
  Verdict,
} from '../elements.tsx';
import {RunAgain} from '../run-again.tsx';
import {useResource, useSession} from '../page-session.ts';

export function ReceiptPage({id}: {readonly id: string}): JSX.Element {
  const receipt = useResource<HttpReceipt>(`/v1/evidence/${encodeURIComponent(id)}`);
  return <Loaded from={receipt}>{(data) => <Shown receipt={data} />}</Loaded>;
}

function CallFacts({receipt}: {readonly receipt: HttpReceipt}): JSX.Element {
  const {started, finished} = receipt;
  return (
    <Facts
      of={{
        outcome: <Verdict receipt={receipt} />,
        error: finished?.error_message,
        receipt: <code>{receipt.receipt_id}</code>,
        by: started.by && `${started.by}, over ${started.surface ?? 'api'}`,
        task: <TaskLink id={started.task_id} />,
        'called by': started.parent_receipt_id && <ReceiptLink id={started.parent_receipt_id} />,
        lane: started.lane_id,
        pack: started.pack_id && `${started.pack_id} ${started.pack_version ?? ''}`,
        started: <Time at={started.timestamp} />,
        took: finished && `${Math.round(finished.duration_ms)} ms`,
      }}
    />
  );
}

function Shown({receipt}: {readonly receipt: HttpReceipt}): JSX.Element {
  const {started, finished} = receipt;
  const path = `/v1/evidence/${encodeURIComponent(receipt.receipt_id)}`;
  return (
    <>
      <Section title={started.tool_name}>
        <CallFacts receipt={receipt} />
        <Stages receipt={receipt} />
      </Section>
      <Scopes receipt={receipt} />
      <Section title="Policy">
        <Decisions of={finished?.policy_decisions ?? started.policy_decisions} />
      </Section>
      {started.input_ref !== undefined && <Kept title="Input" path={`${path}/input`} />}
      {finished?.output_ref !== undefined && <Kept title="Output" path={`${path}/output`} />}
      {finished?.enforcement && (
        <Section title="Enforcement">
          <Json value={finished.enforcement} label="Enforcement" />
        </Section>
      )}
      {finished?.changes && <Changes receipt={receipt} />}
      <RunAgain receipt={receipt} />
      <Proof path={`${path}/proof`} />
    </>
  );
}

const stages = ['look up', 'scopes', 'policy', 'validate', 'intent recorded', 'dispatch', 'outcome recorded'];
/** The stage at which each refusal stops a call. Any other failure stops it at dispatch. */
const stoppedAt: Readonly<Record<string, string>> = {
  SPEC_TAMPERED: 'look up',
  TASK_NOT_ACTIVE: 'look up',
  TASK_SPEC_CHANGED: 'look up',
  TOOL_NOT_FOUND: 'look up',
  SCOPE_DENIED: 'scopes',
  POLICY_DENIED: 'policy',
  APPROVAL_REQUIRED: 'policy',
  INVALID_INPUT: 'validate',
};

function Stages({receipt: {finished}}: {readonly receipt: HttpReceipt}): JSX.Element {
  const isFailed = finished !== undefined && finished.result !== 'success';
  // A call can leave its scopes after it has started, too.
  const hasStarted = finished?.result === 'failure';
  const stop = isFailed ? ((hasStarted ? undefined : stoppedAt[finished.error_code ?? '']) ?? 'dispatch') : undefined;
  const tone = decisionOfCall(finished) === 'approval_required' ? 'wait' : 'bad';
  const last = stop === undefined ? (finished ? stages.length : stages.indexOf('dispatch')) : stages.indexOf(stop);
  return (
    <ol class="stages" aria-label="Stages of the call">
      {stages.map((stage, index) => {
        const state = index < last ? 'good' : index === last ? (stop === undefined ? 'plain' : tone) : 'quiet';
        const text = {
          good: 'passed',
          plain: 'running',
          wait: 'waits for approval',
          bad: 'stopped here',
          quiet: 'not reached',
        }[state];
        return (
          <li key={stage} class={state}>
            {stage}
            <small>{text}</small>
          </li>
        );
      })}
    </ol>
  );
}

/** The current scopes of the layers, and the grant at the time of the call. */
function Scopes({receipt: {started}}: {readonly receipt: HttpReceipt}): JSX.Element {
  const lanes = useResource<HttpLaneList>('/v1/lanes');
  const task = useResource<HttpTask>(`/v1/tasks/${encodeURIComponent(started.task_id)}`);
  const lane = lanes.data?.lanes.find(({spec}) => spec.id === started.lane_id);
  const ofTask = task.data?.spec?.declared_scopes;
  const layers: readonly (readonly [string, readonly string[] | undefined])[] = [
    ['workspace', lanes.data?.allowed_scopes.map(scopeText)],
    [`lane ${started.lane_id ?? ''}`, lane?.spec.allowed_scopes.map(scopeText)],
    ['task', ofTask ? ofTask.map(scopeText) : ['same as its lane']],
    ['tool requests', started.scope_requested?.map(scopeText)],
  ];
  return (
    <Section title="Scopes">
      <ol class="layers">
        {layers.map(([name, texts]) => (
          <li key={name}>
            <h3>{name}</h3>
            {texts ? <ScopeList of={texts} /> : <span class="quiet">unknown</span>}
          </li>
        ))}
        <li class="granted">
          <h3>granted</h3>
          {started.scope_enforced ? (
            <ScopeList of={grantTexts(started.scope_enforced)} />
          ) : (
            <span class="quiet">nothing</span>
          )}
        </li>
      </ol>
    </Section>
  );
}

function Kept({title, path}: {readonly title: string; readonly path: string}): JSX.Element {
  const content = useResource<unknown>(path);
  return (
    <Section title={title}>
      <Loaded from={content}>{(data) => <Content of={data} label={title} />}</Loaded>
    </Section>
  );
}

interface ProofData {
  readonly checkpoint: string;
  readonly verifier_key: string;
  readonly records: readonly {readonly index: number; readonly path: readonly string[]}[];
}

/** A proof can sign a checkpoint, so it is created on request only. */
function Proof({path}: {readonly path: string}): JSX.Element {
  const {api} = useSession();
  const [proof, setProof] = useState<ProofData>();
  const [error, setError] = useState<Error>();
  return (
    <Section title="Proof">
      {proof ? (
        <>
          <Facts
            of={{
              records: proof.records
                .map(({index, path: hashes}) => `no. ${index + 1} (${hashes.length} hashes)`)
                .join(', '),
              'signed by': <code>{proof.verifier_key}</code>,
            }}
          />
          <Json value={proof.checkpoint} label="Checkpoint" />
        </>
      ) : (
        <button type="button" onClick={() => void api.get<ProofData>(path).then(setProof, setError)}>
          Make a proof
        </button>
      )}
      {error && <Problem error={error} />}
    </Section>
  );
}
