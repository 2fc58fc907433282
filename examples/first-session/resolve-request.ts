// A person resolves a request for approval.
import type {CallOutput, Stage} from './stage.ts';

export interface PersonalAnswer {
  readonly title: string;
  readonly approved: boolean;
  readonly reason: string;
  /** What the resolution led to. */
  lines?(): readonly string[];
}

export async function resolveRequest(stage: Stage, asked: CallOutput, answer: PersonalAnswer): Promise<void> {
  const {title, approved, reason, lines} = answer;
  const started = performance.now();
  const request_id = String(asked.error?.details?.['request_id']);
  const resolved = await stage.host.runtime.resolveApproval({request_id, approved, approved_by: 'maintainer', reason});
  stage.report(
    {
      title,
      action: 'resolve approval',
      outcome: approved ? 'allowed' : 'denied',
      ran: 'kernel',
      lines: [`by maintainer: "${reason}"`, ...(lines?.() ?? [])],
      as_expected: resolved.success,
    },
    started,
  );
}
