// The tables of one workspace, in a separate schema. Lines are stored exactly as on disk, so that an export is the same.

/** `prev` of the first line. */
const noLine = '0'.repeat(64);

export const tables: string = `
create table heads (
  log text primary key,
  seq bigint not null,
  hash text not null
) with (fillfactor = 20);
insert into heads values ('events', 0, '${noLine}'), ('traces', 0, '${noLine}');

-- Appends that were done, so that one which is repeated after a lost connection is done once.
create table batches (
  id uuid primary key,
  seq bigint not null,
  done_at timestamptz not null default now()
);
create index batches_done_at on batches (done_at);

create table events (
  seq bigint primary key,
  line text not null
);

-- Kinds: s, p, f for started, progress, finished. start_seq is the seq of the call's first record.
create table records (
  seq bigint primary key,
  line text not null,
  kind "char" not null,
  receipt_id text not null,
  start_seq bigint not null,
  task_id text,
  session_id text,
  tool_name text,
  made_by text,
  result text,
  started_at timestamptz
);
create index records_receipt on records (receipt_id, seq);
create index records_task on records (task_id, seq) where kind = 's';
create index records_session on records (session_id, seq) where kind = 's';
create index records_tool on records (tool_name, seq) where kind = 's';
create index records_by on records (made_by, seq) where kind = 's' and made_by is not null;
create index records_result on records (result, start_seq) where kind = 'f';

create table open_calls (
  receipt_id text primary key,
  start_seq bigint not null
);

-- Without bytes: a content that was shredded. Its ref is never used again.
create table contents (
  ref text primary key,
  hash text not null,
  bytes bytea
);
create index contents_hash on contents (hash);

-- The spec of a task, and with a hash an amended one.
create table specs (
  task_id text not null,
  amended_hash text not null default '',
  text text not null,
  primary key (task_id, amended_hash)
);

create table checkpoints (
  log text not null,
  size bigint not null,
  note text not null,
  primary key (log, size)
);

-- Hosts. One that was not seen for the time of its lease is suspected; if it is not seen for half of that time again, it has ended, and
-- its appends are refused. So an outage of the database itself ends no host that is back soon after it.
create table processes (
  process_id text primary key,
  seen_at timestamptz not null default clock_timestamp(),
  suspected_at timestamptz,
  ended_at timestamptz
);
`;
