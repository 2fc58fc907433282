// Requests as cards, grouped by task, with their age. The chosen card stays in view.
import type {HttpApproval} from '@lumenflow/schemas';
import type {JSX} from 'preact';
import {useEffect} from 'preact/hooks';
import {Age, TaskLink} from '../elements.tsx';
import {subjectText} from './subject-text.ts';

interface RequestListProps {
  readonly of: readonly RequestGroup[];
  /** Requests that the server has, but the page does not show. */
  readonly more: number;
  readonly chosen: string;
  readonly heading: JSX.Element | string;
  onChoose(id: string): void;
}

export interface RequestGroup {
  readonly taskId: string;
  readonly requests: readonly HttpApproval[];
}

/** Tasks in the order of their first request. */
export function groupByTask(approvals: readonly HttpApproval[]): readonly RequestGroup[] {
  const groups = new Map<string, HttpApproval[]>();
  for (const approval of approvals) {
    const {task_id} = approval.subject;
    groups.set(task_id, [...(groups.get(task_id) ?? []), approval]);
  }
  return [...groups].map(([taskId, requests]) => ({taskId, requests}));
}

export function RequestList({of, more, chosen, heading, onChoose}: RequestListProps): JSX.Element {
  useEffect(() => cardOf(chosen)?.scrollIntoView({block: 'nearest'}), [chosen]);
  return (
    <section class="requests" aria-label="Requests">
      <p class="quiet">{heading}</p>
      {of.map(({taskId, requests}) => (
        <section key={taskId}>
          <h2>
            {requests[0]?.requested_by} <TaskLink id={taskId} />
          </h2>
          <ul>
            {requests.map((request) => (
              <li key={request.request_id}>
                <Card of={request} isChosen={request.request_id === chosen} onChoose={onChoose} />
              </li>
            ))}
          </ul>
        </section>
      ))}
      {more > 0 && <p class="quiet">and {more} more</p>}
    </section>
  );
}

interface CardProps {
  readonly of: HttpApproval;
  readonly isChosen: boolean;
  onChoose(id: string): void;
}

function Card({of, isChosen, onChoose}: CardProps): JSX.Element {
  const {request_id, requested_at, input_summary} = of;
  return (
    <button type="button" id={cardId(request_id)} aria-pressed={isChosen} onClick={() => onChoose(request_id)}>
      <b>{subjectText(of)}</b>
      <Age since={requested_at} />
      {input_summary !== undefined && <span>{input_summary}</span>}
    </button>
  );
}

function cardId(requestId: string): string {
  return `card-${requestId}`;
}

export function cardOf(requestId: string): HTMLElement | null {
  return document.getElementById(cardId(requestId));
}
