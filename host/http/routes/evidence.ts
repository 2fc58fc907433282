// Evidence: receipts, inputs and outputs of calls, and verification of the log.
import type {KeptChanges, EvidenceFilter, KernelRuntime, Receipt, VerifyReport} from '@lumenflow/kernel';
import {diffFiles} from '../../changes/diff-files.ts';
import {callOutcomes, type CallSearch} from '../../receipts/matches-call.ts';
import {searchCalls} from '../call-ledger/search-calls.ts';
import type {ErrorCode} from '../error-status.ts';
import {okReply, refuse, Verbatim, type Reply} from '../reply.ts';
import type {Route, RouteCall, RouteOf} from '../route.ts';
import {visibleTask} from './own-task.ts';

const identifier = {type: 'string', maxLength: 128};
const anyJson = {contentType: 'application/json'};
const instant = {type: 'string', format: 'date-time', maxLength: 40};

/** For an agent, whose tasks are checked first. */
const receiptRefusals: readonly ErrorCode[] = [
  'RECEIPT_NOT_FOUND',
  'SESSION_DENIED',
  'TASK_NOT_FOUND',
  'TASK_SPEC_CHANGED',
  'EVIDENCE_UNAVAILABLE',
];

type EvidenceQuery = EvidenceFilter & CallSearch & {readonly refused?: boolean};

const listEvidence: RouteOf<EvidenceQuery, unknown> = {
  method: 'GET',
  path: '/v1/evidence',
  summary: 'Lists receipts, newest first',
  role: 'operator',
  query: {
    type: 'object',
    properties: {
      task_id: identifier,
      session_id: identifier,
      tool_name: {type: 'string', maxLength: 256},
      by: identifier,
      result: {type: 'string', enum: ['success', 'failure', 'denied', 'invalid', 'crashed', 'open']},
      refused: {
        type: 'boolean',
        description: 'Only calls with a denial: policy, scope, path, network or system',
      },
      text: {
        type: 'string',
        maxLength: 256,
        description: 'Words. Each must be a part of the name of tool, lane, task or principal, in any case',
      },
      outcome: {type: 'string', enum: [...callOutcomes]},
      without_by: {...identifier, description: 'Leaves out the successful calls of this principal'},
      since: instant,
      until: instant,
      limit: {type: 'integer', minimum: 1, maximum: 1000},
      before_seq: {type: 'integer', minimum: 1},
    },
    additionalProperties: false,
  },
  answers: {200: 'http_receipt_page'},
  async handle({runtime, query}) {
    const {since, until, text, outcome, without_by, ...names} = query;
    const bounds = {
      ...(since !== undefined && {since: inUtc(since)}),
      ...(until !== undefined && {until: inUtc(until)}),
    };
    const filter = {...names, ...bounds};
    const search = {
      ...(text !== undefined && {text}),
      ...(outcome && {outcome}),
      ...(without_by !== undefined && {without_by}),
    };
    const isSearch = Object.keys(search).length > 0;
    return okReply(isSearch ? await searchCalls(runtime, filter, search) : await runtime.evidence.readTraces(filter));
  },
};

/** Compares times as text, which requires one format. */
function inUtc(instant: string): string {
  return new Date(instant).toISOString();
}

/** Verification reads the whole log, so concurrent requests share one report. */
function createVerify(): RouteOf<unknown, unknown> {
  const underWay = new WeakMap<KernelRuntime, Promise<VerifyReport>>();
  return {
    method: 'GET',
    path: '/v1/evidence/verify',
    summary: 'Verifies the whole log',
    role: 'operator',
    answers: {200: 'http_verify_report'},
    async handle({runtime}) {
      let report = underWay.get(runtime);
      if (!report) {
        report = runtime.evidence.verify().finally(() => underWay.delete(runtime));
        underWay.set(runtime, report);
      }
      return okReply(await report);
    },
  };
}

const showReceipt: RouteOf<unknown, unknown> = {
  method: 'GET',
  path: '/v1/evidence/:receipt',
  summary: 'Returns all records of one call',
  role: 'agent',
  answers: {200: 'http_receipt'},
  refuses: receiptRefusals,
  handle: (call) => withReceipt(call, (receipt) => okReply(receipt)),
};

const showInput: RouteOf<unknown, unknown> = {
  method: 'GET',
  path: '/v1/evidence/:receipt/input',
  summary: 'Returns the input of a call',
  role: 'agent',
  answers: {200: anyJson},
  refuses: receiptRefusals,
  handle: (call) => withReceipt(call, async ({started}) => await blob(call, started.input_ref)),
};

const showOutput: RouteOf<unknown, unknown> = {
  method: 'GET',
  path: '/v1/evidence/:receipt/output',
  summary: 'Returns the output of a call',
  role: 'agent',
  answers: {200: anyJson},
  refuses: receiptRefusals,
  handle: (call) => withReceipt(call, async ({finished}) => await blob(call, finished?.output_ref)),
};

const showChanges: RouteOf<unknown, unknown> = {
  method: 'GET',
  path: '/v1/evidence/:receipt/changes',
  summary: 'Returns the changes of a transactional call by file, and their state',
  role: 'agent',
  answers: {200: 'http_changes'},
  refuses: receiptRefusals,
  handle: (call) =>
    withReceipt(call, async ({receipt_id}) => {
      const view = await call.runtime.changes.of(receipt_id);
      if (!view) return refuse('RECEIPT_NOT_FOUND', `the call \`${receipt_id}\` has no change set`);
      const {tool_name, state, recorded, set, reverted_by, kept = {}} = view;
      const {settled_by, settled_by_person, settled_at, reason, conflicts} = kept as Partial<KeptChanges>;
      return okReply({
        receipt_id,
        tool_name,
        state,
        recorded,
        ...(settled_by !== undefined && {settled_by}),
        ...(settled_by_person && {settled_by_person}),
        ...(settled_at !== undefined && {settled_at}),
        ...(reason !== undefined && {reason}),
        ...(conflicts && {conflicts}),
        ...(reverted_by !== undefined && {reverted_by}),
        files: set === undefined ? [] : await diffFiles(call.runtime, set),
      });
    }),
};

/** A caller with access to the receipt can get its proof, which contains the records but neither input nor output. */
const showProof: RouteOf<unknown, unknown> = {
  method: 'GET',
  path: '/v1/evidence/:receipt/proof',
  summary: 'Returns a proof that verifies the receipt without access to the workspace',
  role: 'agent',
  answers: {200: 'evidence-proof.schema.json#/$defs/evidence_proof'},
  refuses: receiptRefusals,
  handle: (call) =>
    withReceipt(call, async ({receipt_id}) => {
      const proof = await call.runtime.evidence.prove(receipt_id);
      return proof ? okReply(proof) : refuse('RECEIPT_NOT_FOUND', `there is no receipt \`${receipt_id}\``);
    }),
};

async function withReceipt(
  call: RouteCall<unknown, unknown>,
  show: (receipt: Receipt) => Reply | Promise<Reply>,
): Promise<Reply> {
  const receiptId = call.param('receipt');
  const receipt = await call.runtime.evidence.receipt(receiptId);
  if (!receipt) return refuse('RECEIPT_NOT_FOUND', `there is no receipt \`${receiptId}\``);
  const found = await visibleTask(call, receipt.started.task_id);
  return !found.ok && call.caller.role === 'agent' ? found.problem : await show(receipt);
}

async function blob({runtime}: RouteCall<unknown, unknown>, ref: string | undefined): Promise<Reply> {
  const text = ref === undefined ? undefined : await runtime.evidence.readBlob(ref);
  if (text === undefined) return refuse('RECEIPT_NOT_FOUND', 'the log contains no such content for this call');
  return okReply(new Verbatim(text));
}

export function createEvidenceRoutes(): readonly Route[] {
  return [listEvidence, createVerify(), showReceipt, showInput, showOutput, showChanges, showProof];
}
