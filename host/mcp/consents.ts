// Consent in the conversation: the client shows the exact call to the person, who answers there. It counts only if policy lets
// the requester approve; otherwise a person answers outside of the conversation.
import type {KernelRuntime, StandingApproval} from '@lumenflow/kernel';
import {
  inputRequired,
  inputResponse,
  ProtocolError,
  ProtocolErrorCode,
  type ClientCapabilities,
  type InputRequiredResult,
  type ServerContext,
} from '@modelcontextprotocol/server';
import {randomUUID} from 'node:crypto';
import {readPreview} from '../approvals/read-preview.ts';
import type {Session} from '../sessions/open-session.ts';
import {canAnswer, declaredCapabilities} from './client-capabilities.ts';
import {clientText, type ToolNames} from './client-text.ts';
import {mentionableTools} from './mentionable-tools.ts';
import type {CarriedInput, Seal, SealedState} from './request-state.ts';

export interface ConsentQuestion {
  readonly approval: StandingApproval;
  readonly tool: string;
  /** The call's data in addition to its arguments: returned with the answer. */
  readonly carried: CarriedInput;
  readonly input: unknown;
  readonly context: ServerContext;
  /** For a client that completed the handshake; others send their capabilities with each request. */
  readonly capabilities: ClientCapabilities | undefined;
}

export interface Consents {
  /** Undefined if consent would not count, cannot be requested, or the call cannot be shown completely. */
  ask(question: ConsentQuestion): Promise<InputRequiredResult | undefined>;
  /**
   * Passes the answer in a request to the runtime. Returns true if there was an answer, or if the person dismissed the question.
   * Throws ProtocolError for an answer to a question that is not open.
   */
  settle(context: ServerContext): Promise<boolean>;
}

const answerKey = 'consent';
const openMax = 1_000;
/** Nobody can consent to content that they were not shown. */
const shownMax = 4_000;

/** For one conversation: state that another conversation sealed is rejected. */
export function createConsents(runtime: KernelRuntime, session: Session, seal: Seal): Consents {
  const open = new Set<string>();

  return {
    async ask({approval, tool, carried, input, context, capabilities}) {
      const shown = questionOf(
        approval,
        {input, preview: await readPreview(runtime, approval)},
        mentionableTools({runtime}),
      );
      const canAsk = canAnswer('elicitation/create', declaredCapabilities(context, capabilities));
      const counts = approval.self_approval || approval.inband === true;
      if (!counts || shown.length > shownMax || !canAsk) return undefined;
      const nonce = randomUUID();
      const [oldest] = open;
      if (open.size >= openMax && oldest !== undefined) open.delete(oldest);
      open.add(nonce);
      const {request_id} = approval;
      return inputRequired({
        inputRequests: {[answerKey]: inputRequired.elicit({message: shown, requestedSchema: answerSchema})},
        requestState: await seal.mint({tool, consent: {request_id, nonce}, carried}, context),
      });
    },
    async settle(context) {
      const consent = context.mcpReq.requestState<SealedState>()?.consent;
      if (consent === undefined) return false;
      if (!open.delete(consent.nonce)) {
        throw new ProtocolError(ProtocolErrorCode.InvalidParams, 'this question is no longer open: repeat the call');
      }
      const answer = answerIn(context);
      // The first answer counts, here or elsewhere; the call that follows reports the result.
      if (answer) {
        const {request_id} = consent;
        await runtime.resolveApproval({request_id, approved_by: session.by, channel: 'inband', ...answer});
      }
      return true;
    },
  };
}

const answerSchema = {
  type: 'object' as const,
  properties: {
    approve: {type: 'boolean' as const, title: 'Let this call through, once'},
    reason: {type: 'string' as const, title: 'Reason', maxLength: 1_000},
  },
  required: ['approve'],
};

function questionOf(
  {subject, rules}: StandingApproval,
  {input, preview}: {readonly input: unknown; readonly preview: unknown},
  names: ToolNames,
): string {
  const what = clientText(subject.tool_name ?? subject.kind, names);
  const asking = rules.map(({rule_id, reason}) =>
    reason === undefined ? rule_id : `${rule_id}: ${clientText(reason, names)}`,
  );
  const would = preview === undefined ? '' : `\nWhat it would do:\n${JSON.stringify(preview, undefined, 2)}`;
  return visible(
    `Let ${what} through, once?\n${JSON.stringify(input, undefined, 2)}${would}\nAsked for by ${asking.join('; ')}`,
  );
}

/** Escapes characters that would make the text look like another one. */
function visible(text: string): string {
  return text.replaceAll(/[\p{Cf}\p{Zl}\p{Zp}]/gu, (sign) => `\\u{${(sign.codePointAt(0) ?? 0).toString(16)}}`);
}

/** Undefined if the person dismissed the question without an answer. */
function answerIn({mcpReq}: ServerContext): {readonly approved: boolean; readonly reason?: string} | undefined {
  const response = inputResponse(mcpReq.inputResponses, answerKey);
  if (response.kind !== 'elicit' || response.action === 'cancel') return undefined;
  const {approve, reason} = response.content ?? {};
  return {
    approved: response.action === 'accept' && approve === true,
    ...(typeof reason === 'string' && reason !== '' && {reason}),
  };
}
