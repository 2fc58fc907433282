// The list of requests beside the chosen one. After an answer nothing is chosen, so that no key can answer a request that was not
// read.
import {missingText} from '@lumenflow/kernel';
import type {HttpApproval} from '@lumenflow/schemas';
import type {JSX} from 'preact';
import {useEffect, useRef, useState} from 'preact/hooks';
import {Age} from '../elements.tsx';
import {useKeys} from '../keys.ts';
import {isPhone} from './is-phone.ts';
import {cardOf, groupByTask, RequestList} from './request-list.tsx';
import {Request} from './request.tsx';
import {subjectText} from './subject-text.ts';
import {useChoice} from './use-choice.ts';

interface InboxProps {
  readonly state: string;
  readonly approvals: readonly HttpApproval[];
  isMatch(approval: HttpApproval): boolean;
  readonly more: number;
  /** The request that the address names. */
  readonly linked: string;
  onAnswered(): void;
}

export function Inbox({state, approvals: loaded, isMatch, more, linked, onAnswered}: InboxProps): JSX.Element {
  const [answered, setAnswered] = useState<ReadonlySet<string>>(new Set());
  const [said, setSaid] = useState('');
  const isPending = state === 'pending';
  const known = loaded.filter(({request_id}) => !isPending || !answered.has(request_id));
  const groups = groupByTask(known.filter((one) => isMatch(one)));
  const approvals = groups.flatMap(({requests}) => requests);
  const {chosen, choose, next, forget} = useChoice(approvals, linked);
  useKeys({j: () => next(1), k: () => next(-1)}, {repeats: true});
  const chosenBefore = useRef(chosen);
  useEffect(() => {
    // On a phone the list returns, which was hidden.
    if (chosen === '' && isPhone()) cardOf(chosenBefore.current)?.focus();
    chosenBefore.current = chosen;
  }, [chosen]);
  const shown = known.find(({request_id}) => request_id === chosen);
  const done = (approval: HttpApproval, approved: boolean, missing: HttpApproval['missing']): void => {
    const subject = `${subjectText(approval)} ${approval.input_summary ?? ''}`.trim();
    setSaid(`${approved ? 'Approved' : 'Rejected'} ${subject}${missing ? `: ${missingText(missing)}` : ''}`);
    setAnswered((before) => new Set([...before, approval.request_id]));
    forget(approval.request_id);
    onAnswered();
  };
  const [first] = approvals;
  const isFilteredOut = !first && known.length > 0;
  return (
    <>
      <p class={said === '' ? 'hidden' : 'said'} role="status">
        {said}
      </p>
      {first || (chosen !== '' && !isFilteredOut) ? (
        <div class={chosen === '' ? 'inbox' : 'inbox reading'}>
          <RequestList
            of={groups}
            more={more}
            chosen={chosen}
            heading={
              isPending && first ? (
                <Waiting count={approvals.length + more} oldest={first} />
              ) : (
                `${approvals.length + more} ${state}`
              )
            }
            onChoose={choose}
          />
          <Pane
            chosen={chosen}
            isOpen={shown !== undefined || (chosen !== '' && chosen === linked)}
            isPending={isPending && shown !== undefined}
            onBack={() => choose('')}
            onDone={(approved, missing) => shown && done(shown, approved, missing)}
          />
        </div>
      ) : (
        <p class="empty">{isFilteredOut ? 'No request matches.' : `No ${state} requests.`}</p>
      )}
    </>
  );
}

interface PaneProps {
  readonly chosen: string;
  /** The chosen request exists. */
  readonly isOpen: boolean;
  readonly isPending: boolean;
  onBack(): void;
  onDone(approved: boolean, missing: HttpApproval['missing']): void;
}

function Pane({chosen, isOpen, isPending, onBack, onDone}: PaneProps): JSX.Element {
  return (
    <div class="pane">
      <BackButton key={chosen} onBack={onBack} />
      {isOpen ? (
        <Request key={chosen} id={chosen} isPending={isPending} onDone={onDone} />
      ) : (
        <p class="empty" role="status">
          {chosen === ''
            ? 'Choose a request, or press j for the next one.'
            : 'This request was answered or withdrawn, or it expired. Choose another.'}
        </p>
      )}
    </div>
  );
}

function Waiting({count, oldest}: {readonly count: number; readonly oldest: HttpApproval}): JSX.Element {
  return (
    <>
      {count} waiting, oldest for <Age since={oldest.requested_at} fresh="less than 1 min" />
    </>
  );
}

/** Shown on a phone only, where the request takes the place of the list. It gets the focus, because the card is hidden. */
function BackButton({onBack}: {readonly onBack: () => void}): JSX.Element {
  const button = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    if (!isPhone() || button.current?.checkVisibility() !== true) return;
    button.current.focus({preventScroll: true});
    scrollTo(0, 0);
  }, []);
  return (
    <button type="button" class="back" ref={button} onClick={onBack}>
      ← Back to the list
    </button>
  );
}
