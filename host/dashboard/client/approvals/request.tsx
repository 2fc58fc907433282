// One request: exactly what is asked, why, and the answer.
import {missingText} from '@lumenflow/kernel';
import type {HttpApproval} from '@lumenflow/schemas';
import type {JSX} from 'preact';
import {Content} from '../content.tsx';
import {Diff} from '../diff.tsx';
import {Badge, Decisions, Facts, grantTexts, Loaded, ScopeList, TaskLink, Time, Trace} from '../elements.tsx';
import {useResource} from '../page-session.ts';
import {Answer} from './answer.tsx';
import {Notifications} from './notifications.tsx';
import {subjectText} from './subject-text.ts';

interface RequestProps {
  readonly id: string;
  readonly isPending: boolean;
  onDone(approved: boolean, missing: HttpApproval['missing']): void;
}

export function Request({id, isPending, onDone}: RequestProps): JSX.Element {
  const asked = useResource<HttpApproval>(`/v1/approvals/${encodeURIComponent(id)}`);
  return (
    <Loaded from={asked}>
      {(approval) => {
        const {subject, explanation, input, preview_output, changes, notifications, signing} = approval;
        return (
          <article class="card request" aria-label="The request">
            <h2>{subjectText(approval)}</h2>
            <Facts
              of={{
                'requested by': approval.requested_by,
                task: <TaskLink id={subject.task_id} />,
                pack: subject.pack_id && `${subject.pack_id} ${subject.pack_version ?? ''}`,
                expires: <Time at={approval.expires_at} />,
                state: <Badge of={approval.state} />,
                ...answersOf(approval),
              }}
            />
            <h3>Reason for the request</h3>
            <Decisions of={approval.rules} />
            {changes && (
              <>
                <h3>Changes to apply</h3>
                <Diff of={changes} />
              </>
            )}
            {input !== undefined && (
              <>
                <h3>Arguments</h3>
                <Content of={input} label="Arguments" />
              </>
            )}
            {preview_output !== undefined && (
              <>
                <h3>Effect of the call</h3>
                <Content of={preview_output} label="Effect of the call" />
              </>
            )}
            {explanation?.granted_scopes && (
              <>
                <h3>Granted scopes</h3>
                <ScopeList of={grantTexts(explanation.granted_scopes)} />
              </>
            )}
            {explanation?.policy && (
              <details>
                <summary>Policy decision by layer</summary>
                <Trace of={explanation.policy.trace} />
              </details>
            )}
            {notifications && <Notifications of={notifications} />}
            {isPending && <Answer id={id} signing={signing} onDone={onDone} />}
          </article>
        );
      }}
    </Loaded>
  );
}

function answersOf({
  answers,
  missing,
  resolved_by,
  reason,
  withdrawn_reason,
}: HttpApproval): Record<string, string | undefined> {
  return {
    'approved by': answers
      ?.map(({by, passkey_id}) => `${by}${passkey_id === undefined ? '' : ', signed with a passkey'}`)
      .join('; '),
    'still needed': missing && missingText(missing),
    'answered by': resolved_by,
    reason,
    withdrawn: withdrawn_reason,
  };
}
