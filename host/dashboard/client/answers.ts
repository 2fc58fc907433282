// What the API answers with, as far as the pages show it.
import type {
  ApprovalSubject,
  EvidenceRecord,
  GrantedScopes,
  LaneSpec,
  PolicyDecision,
  PolicyOutcome,
  Scope,
  TaskSpec,
} from '@lumenflow/schemas';

export interface Caller {
  readonly name: string;
  readonly role: 'agent' | 'operator' | 'admin';
}

export interface Receipt {
  readonly receipt_id: string;
  readonly started: Extract<EvidenceRecord, {type: 'tool_call_started'}>;
  readonly progress: readonly Extract<EvidenceRecord, {type: 'tool_call_progress'}>[];
  readonly finished?: Extract<EvidenceRecord, {type: 'tool_call_finished'}>;
}

export interface ReceiptPage {
  readonly receipts: readonly Receipt[];
  readonly next_before_seq?: number;
}

export interface Minute {
  readonly minute: string;
  readonly calls: number;
  readonly denied: number;
  readonly approval_required: number;
  readonly failed: number;
  readonly p50_ms?: number;
  readonly p95_ms?: number;
}

export interface Minutes {
  readonly minutes: readonly Minute[];
  readonly open: number;
  readonly evidence_records: number;
}

export interface LayerTrace {
  readonly layer: string;
  readonly decisions: readonly PolicyDecision[];
  readonly rejected: readonly PolicyDecision[];
  readonly decision: PolicyOutcome;
}

export interface Explanation {
  readonly decision: PolicyOutcome;
  readonly failure?: {readonly code: string; readonly message: string};
  readonly granted_scopes?: GrantedScopes;
  readonly policy?: {readonly trace: readonly LayerTrace[]; readonly would_change: readonly string[]};
  readonly policy_decisions: readonly PolicyDecision[];
  readonly input_issues: readonly {readonly pointer: string; readonly message: string}[];
  readonly execution_mode?: string;
}

export interface Approval {
  readonly request_id: string;
  readonly subject: ApprovalSubject;
  readonly requested_by: string;
  readonly requested_at: string;
  readonly expires_at: string;
  readonly rules: readonly PolicyDecision[];
  readonly state: 'pending' | 'approved' | 'rejected' | 'used';
  readonly resolved_by?: string;
  readonly reason?: string;
}

export interface AskedApproval extends Approval {
  readonly input?: unknown;
  readonly explanation?: Explanation;
}

export interface Lanes {
  readonly workspace_id: string;
  readonly allowed_scopes: readonly Scope[];
  readonly lanes: readonly (LaneSpec & {readonly in_progress: number})[];
}

export interface Task {
  readonly task_id: string;
  readonly lane_id: string;
  readonly state: 'ready' | 'active' | 'blocked' | 'done';
  readonly created_at: string;
  readonly completed_at?: string;
  readonly blocked_reason?: string;
  readonly run?: {readonly by: string; readonly claimed_at: string; readonly session_id: string};
  readonly spec?: TaskSpec;
}
