// The state as a text, for snapshots: a line with everything that changes, then the closed records of each table.
import {isOpen, type ApprovalRecord} from '../approvals/approval-record.ts';
import {isUnsettled, type KeptChanges} from '../changes/kept-changes.ts';
import {isFinal} from '../tasks/is-final.ts';
import type {TaskRecord} from '../tasks/task-record.ts';
import {createUsage, type Usage, type UsageState} from '../usage/usage.ts';
import {isLive, type NotificationRecord} from '../notifications/notification-record.ts';
import type {PasskeyRecord} from '../passkeys/passkey-record.ts';
import type {PersonRecord, ProvisionedPerson, SignIn} from '../people/person-record.ts';
import type {ProvisionedGroup} from '../people/provisioned-group.ts';
import {RecordTable, type TableState} from '../records/record-table.ts';
import {noRetention, type RetentionState} from '../retention/retention.ts';
import type {TaintOrigin, TaintTable} from '../taint/taint.ts';

/** Must be raised with every change of the fold or of this text: an older snapshot is then not used. A test notices such changes. */
const version = 5;

export interface StateParts {
  readonly tasks: RecordTable<TaskRecord>;
  readonly approvals: RecordTable<ApprovalRecord>;
  readonly changes: RecordTable<KeptChanges>;
  /** The newest request for each binding. */
  readonly bindings: RecordTable<string>;
  /** What is tainted, by its name. */
  readonly taint: TaintTable;
  readonly people: RecordTable<PersonRecord>;
  readonly sign_ins: RecordTable<SignIn>;
  readonly provisioned: RecordTable<ProvisionedPerson>;
  readonly groups: RecordTable<ProvisionedGroup>;
  readonly passkeys: RecordTable<PasskeyRecord>;
  readonly notifications: RecordTable<NotificationRecord>;
  readonly usage: Usage;
  readonly redacted: string[];
  retention: RetentionState;
}

type TableName = Exclude<keyof StateParts, 'usage' | 'redacted'>;

interface Head {
  readonly version: number;
  readonly usage: UsageState;
  readonly redacted: string[];
  readonly retention: RetentionState;
  /** Claimed tasks in the order of their claims. */
  readonly claimed: readonly string[];
  /** `length`: of the closed lines. */
  readonly tables: Readonly<Record<TableName, TableState<never> & {readonly length: number}>>;
}

export function emptyState(): StateParts {
  return partsOf((_, isOpenRecord) => new RecordTable(isOpenRecord));
}

export function writeState(parts: StateParts, claimed: readonly string[]): string {
  const {usage, redacted, retention, ...tables} = parts;
  const closed = Object.values(tables).map((table) => table.closedLines());
  const states = Object.entries(tables).map(([name, table], at) => [
    name,
    {...table.state(), length: closed[at]?.length ?? 0},
  ]);
  const head = {
    version,
    usage: usage.state(),
    redacted,
    retention,
    claimed,
    tables: Object.fromEntries(states) as unknown,
  };
  return `${JSON.stringify(head)}\n${closed.join('')}`;
}

/** Undefined for the text of another version. */
export function readState(text: string): {readonly parts: StateParts; readonly claimed: readonly string[]} | undefined {
  let at = text.indexOf('\n') + 1;
  const head = JSON.parse(text.slice(0, at)) as Head;
  if (head.version !== version) return undefined;
  const parts = partsOf((name, isOpenRecord) => {
    const {length, ...state} = head.tables[name];
    const closed = text.slice(at, at + length);
    at += length;
    return new RecordTable(isOpenRecord, state, closed);
  }, head);
  return {parts, claimed: head.claimed};
}

/** In the order of the text. */
function partsOf(
  table: <V>(name: TableName, isOpenRecord: (value: V) => boolean) => RecordTable<V>,
  {usage, redacted = [], retention = noRetention}: Partial<Head> = {},
): StateParts {
  return {
    tasks: table<TaskRecord>('tasks', (task) => !isFinal(task)),
    approvals: table<ApprovalRecord>('approvals', isOpen),
    changes: table<KeptChanges>('changes', isUnsettled),
    bindings: table<string>('bindings', () => false),
    taint: table<readonly TaintOrigin[]>('taint', () => false),
    people: table<PersonRecord>('people', () => false),
    sign_ins: table<SignIn>('sign_ins', () => false),
    provisioned: table<ProvisionedPerson>('provisioned', () => false),
    groups: table<ProvisionedGroup>('groups', () => false),
    passkeys: table<PasskeyRecord>('passkeys', () => false),
    notifications: table<NotificationRecord>('notifications', isLive),
    usage: createUsage(usage),
    redacted,
    retention,
  };
}
