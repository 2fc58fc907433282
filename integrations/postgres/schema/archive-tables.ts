// What version 2 of the schema adds: what was moved to an archive, snapshots of the state, and cosignatures of witnesses.

export const archiveTables: string = `
-- Null: the line is in the archive. What finds calls stays here.
alter table records alter column line drop not null;

-- Of a content in the archive: the pack that has it, and the range. Without bytes and pack, it was shredded.
alter table contents
  add column stored_at timestamptz,
  add column pack text,
  add column pack_offset bigint,
  add column pack_length bigint;
alter table contents alter column stored_at set default clock_timestamp();
create index contents_pack on contents (pack) where pack is not null;

-- Lines that are in the archive. hashes: the SHA-256 of each line, so that a checkpoint needs no archive.
create table archived_segments (
  log text not null,
  first_seq bigint not null,
  last_seq bigint not null,
  head text not null,
  archive text not null,
  key text not null,
  sha256 text not null,
  bytes bigint not null,
  hashes bytea not null,
  primary key (log, first_seq)
);

-- Packs of contents in the archive. Without a key: one that is on its way there, or has no content any more. superseded: objects to delete.
create table archived_packs (
  name text primary key,
  archive text not null,
  key text,
  sha256 text not null,
  bytes bigint not null,
  superseded text[] not null default '{}'
);

-- The state after the first events. One counts only if a later event has its hash.
create table snapshots (
  through_seq bigint primary key,
  head text not null,
  text text not null
);

-- Checkpoints as witnesses cosigned them.
create table cosignatures (
  log text not null,
  size bigint not null,
  key_id text not null,
  note text not null,
  primary key (log, size, key_id)
);
`;

/** Roles that could read the other tables can read these, too. */
export const copyGrants: string = `
do $$
declare reader name;
begin
  for reader in
    select distinct role.rolname from pg_class, aclexplode(relacl) as acl, pg_roles as role
    where relnamespace = current_schema()::regnamespace and relname = 'records'
      and acl.privilege_type = 'SELECT' and role.oid = acl.grantee and acl.grantee <> relowner
  loop
    execute format(
      'grant select on archived_segments, archived_packs, snapshots, cosignatures to %I', reader
    );
  end loop;
end $$`;

/** Before these tables are removed: what they name would be lost. */
export const requireNothingArchived: string = `
do $$
begin
  if exists (select from archived_segments) or exists (select from archived_packs) then
    raise exception 'version 1 cannot read the archive: move the records to files with \`lumenflow state copy --to files\`';
  end if;
end $$`;

export const dropArchiveTables: readonly string[] = [
  'drop table archived_segments, archived_packs, snapshots, cosignatures',
  'alter table contents drop column stored_at, drop column pack, drop column pack_offset, drop column pack_length',
  // There are none, unless all records are deleted.
  'delete from records where line is null',
  'alter table records alter column line set not null',
];
