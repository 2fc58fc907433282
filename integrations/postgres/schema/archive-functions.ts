// What hosts and the role that archives can do from version 2 of the schema on. Only that role can remove lines and contents, and lines
// only if they are what a recorded event says is in the archive.

/** Replaces that of version 1: a content in the archive keeps its ref. */
export const putArchivedContents = `create or replace function put_contents(hashes text[], texts bytea[], spares text[]) returns text[] language plpgsql as $$
  declare found_ref text; refs text[] := '{}';
  begin
    for i in 1 .. cardinality(hashes) loop
      select ref into found_ref from contents where hash = hashes[i] and (bytes is not null or pack is not null) limit 1;
      if not found then
        insert into contents (ref, hash, bytes) values ('inputs/' || hashes[i], hashes[i], texts[i])
          on conflict (ref) do nothing returning ref into found_ref;
        if not found then
          -- Another host may have stored it a moment ago; only a shredded one needs a ref of its own.
          select ref into found_ref from contents where hash = hashes[i] and (bytes is not null or pack is not null) limit 1;
        end if;
        if found_ref is null then
          insert into contents (ref, hash, bytes) values (spares[i], hashes[i], texts[i]) returning ref into found_ref;
        end if;
      end if;
      refs := refs || found_ref;
      found_ref := null;
    end loop;
    return refs;
  end $$`;

/** For all hosts. */
export const hostFunctions: readonly string[] = [
  // Names an object without some contents instead of one that has them; without a key if nothing is left.
  `create function replace_pack(pack_name text, old_key text, new_key text, new_sha256 text, new_bytes bigint, shredded text[])
  returns void language plpgsql as $$
  begin
    update archived_packs set key = new_key, sha256 = new_sha256, bytes = new_bytes, superseded = superseded || old_key
      where name = pack_name and key = old_key;
    if not found and not exists (select from archived_packs where name = pack_name and sha256 = new_sha256) then
      raise exception 'the pack % was changed meanwhile: repeat the deletion', pack_name using errcode = 'LF003';
    end if;
    update contents set pack = null, pack_offset = null, pack_length = null where pack = pack_name and hash = any(shredded);
  end $$`,

  // Once these objects are deleted in the archive.
  `create function forget_objects(pack_name text, deleted text[]) returns void language plpgsql as $$
  begin
    update archived_packs set superseded = array(select object from unnest(superseded) as object where object <> all(deleted))
      where name = pack_name;
    delete from archived_packs where name = pack_name and key is null and superseded = '{}'
      and not exists (select from contents where pack = pack_name);
  end $$`,

  `create function keep_snapshot(through bigint, head text, body text) returns void language plpgsql as $$
  begin
    insert into snapshots values (through, head, body) on conflict do nothing;
    -- One whose event was not recorded must not replace the only good one.
    delete from snapshots where through_seq not in (select through_seq from snapshots order by through_seq desc limit 2);
  end $$`,

  `create function keep_cosignature(of_log text, of_size bigint, of_key text, of_note text) returns void language sql as $$
    insert into cosignatures values (of_log, of_size, of_key, of_note) on conflict do nothing
  $$`,
];

/** For the role that archives. */
export const archivingFunctions: readonly string[] = [
  // Removes lines that are in the archive: they must be signed, closed, and exactly what an event has recorded.
  `create function archive_segment(
    of_log text, first bigint, last bigint, of_archive text, of_key text, of_sha256 text, event_seq bigint
  ) returns void language plpgsql as $$
  declare event json; body text; lines bigint; leaves bytea; newest text; next bigint;
  begin
    lock table archived_segments in share row exclusive mode;
    perform 1 from archived_segments where log = of_log and first_seq = first and last_seq = last and key = of_key;
    if found then return; end if;
    select coalesce(max(last_seq), 0) + 1 into next from archived_segments where log = of_log;
    select e.line::json into event from events e where seq = event_seq;
    if next <> first or event is null or event ->> 'type' <> 'evidence_archived' or event ->> 'log' <> of_log
      or (event ->> 'first_seq')::bigint <> first or (event ->> 'last_seq')::bigint <> last
      or event ->> 'key' <> of_key or position(of_sha256 in of_key) = 0
    then
      raise exception 'no event records that % lines % to % are in the archive', of_log, first, last using errcode = 'LF002';
    end if;
    if not exists (select from checkpoints where log = of_log and size >= last) then
      raise exception '% lines % to % are not signed', of_log, first, last using errcode = 'LF002';
    end if;
    if of_log = 'events' then
      if not exists (select from snapshots where through_seq >= last) then
        raise exception 'no snapshot of the state includes events % to %', first, last using errcode = 'LF002';
      end if;
      select string_agg(e.line || chr(10), '' order by seq), count(*),
        string_agg(sha256(convert_to(e.line, 'UTF8')), ''::bytea order by seq)
        into body, lines, leaves from events e where seq between first and last;
    else
      if exists (select from open_calls where start_seq <= last) then
        raise exception 'a call among records % to % is open', first, last using errcode = 'LF002';
      end if;
      select string_agg(r.line || chr(10), '' order by seq), count(r.line),
        string_agg(sha256(convert_to(r.line, 'UTF8')), ''::bytea order by seq)
        into body, lines, leaves from records r where seq between first and last;
    end if;
    if lines <> last - first + 1 or encode(sha256(convert_to(body, 'UTF8')), 'hex') <> of_sha256 then
      raise exception '% lines % to % are not what is in the archive', of_log, first, last using errcode = 'LF002';
    end if;
    newest := encode(substring(leaves from octet_length(leaves) - 31), 'hex');
    insert into archived_segments
      values (of_log, first, last, newest, of_archive, of_key, of_sha256, octet_length(convert_to(body, 'UTF8')), leaves);
    if of_log = 'events' then delete from events where seq between first and last;
    else update records set line = null where seq between first and last;
    end if;
  end $$`,

  // Before an object is stored, so that one which an interrupted archiving left is found.
  `create function begin_pack(pack_name text, of_archive text, of_key text, of_sha256 text, of_bytes bigint) returns void language sql as $$
    insert into archived_packs values (pack_name, of_archive, null, of_sha256, of_bytes, array[of_key]) on conflict do nothing
  $$`,

  // Removes contents that are in the archive.
  `create function finish_pack(pack_name text, of_key text, refs text[], offsets bigint[], lengths bigint[]) returns void
  language plpgsql as $$
  declare moved bigint;
  begin
    perform 1 from archived_packs where name = pack_name and key = of_key;
    if found then return; end if;
    update archived_packs set key = of_key, superseded = '{}' where name = pack_name and key is null and superseded = array[of_key];
    if not found then
      raise exception 'the pack % was removed meanwhile: archive again', pack_name using errcode = 'LF003';
    end if;
    update contents set bytes = null, pack = pack_name, pack_offset = given.at, pack_length = given.length
      from unnest(refs, offsets, lengths) as given(ref, at, length)
      where contents.ref = given.ref and bytes is not null and octet_length(bytes) = given.length;
    get diagnostics moved = row_count;
    if moved <> cardinality(refs) then
      raise exception 'contents of the pack % were shredded meanwhile: archive again', pack_name using errcode = 'LF003';
    end if;
  end $$`,
];
