// Everything that changes a table, as functions with the rights of their owner: a host needs no other right than to call them and to
// read, so it can append and not change or delete.

const appendLine = `
  s := s + 1;
  line := '{"seq":' || s || ',"prev":"' || h || '"' || case bodies[i] when '{}' then '}' else ',' || substr(bodies[i], 2) end;
  h := encode(sha256(convert_to(line, 'UTF8')), 'hex');`;

/** Each is run as is, with the workspace's schema first in the search path. */
export const functions: readonly string[] = [
  // Locks the head of a log until the end of the transaction: one host appends at a time.
  `create function check_writer(writer text) returns void language plpgsql as $$
  begin
    perform 1 from processes where process_id = writer and ended_at is not null;
    if found then
      raise exception 'the host % was not seen for longer than its lease, so others have ended its calls', writer using errcode = 'LF001';
    end if;
  end $$`,

  // Null if the log has grown since the writer read it.
  `create function append_events(batch uuid, writer text, expected bigint, bodies text[]) returns bigint language plpgsql as $$
  declare s bigint; h text; line text; done bigint;
  begin
    select seq, hash into s, h from heads where log = 'events' for update;
    select seq into done from batches where id = batch;
    if found then return done; end if;
    perform check_writer(writer);
    if s <> expected then return null; end if;
    for i in 1 .. cardinality(bodies) loop ${appendLine}
      insert into events values (s, line);
    end loop;
    update heads set seq = s, hash = h where log = 'events';
    insert into batches (id, seq) values (batch, s);
    perform pg_notify('lumenflow', current_schema() || ' ' || s);
    return s;
  end $$`,

  // The arrays describe the bodies, one element for each.
  `create function append_records(
    batch uuid, writer text, bodies text[], kinds text[], receipts text[], tasks text[], sessions text[], tools text[], makers text[],
    results text[], starts timestamptz[]
  ) returns bigint language plpgsql as $$
  declare s bigint; h text; line text; done bigint; first bigint;
  begin
    select seq, hash into s, h from heads where log = 'traces' for update;
    select seq into done from batches where id = batch;
    if found then return done; end if;
    perform check_writer(writer);
    for i in 1 .. cardinality(bodies) loop
      -- Of hosts that end the calls of another one, the first is enough.
      continue when kinds[i] = 'f' and results[i] = 'crashed'
        and exists (select 1 from records where receipt_id = receipts[i] and kind = 'f');
      ${appendLine}
      first := s;
      if kinds[i] = 's' then
        insert into open_calls values (receipts[i], s) on conflict do nothing;
      else
        select start_seq into first from open_calls where receipt_id = receipts[i];
        if not found then
          select coalesce(min(seq), s) into first from records where receipt_id = receipts[i] and kind = 's';
        elsif kinds[i] = 'f' then
          delete from open_calls where receipt_id = receipts[i];
        end if;
      end if;
      insert into records values
        (s, line, kinds[i]::"char", receipts[i], first, tasks[i], sessions[i], tools[i], makers[i], results[i], starts[i]);
    end loop;
    update heads set seq = s, hash = h where log = 'traces';
    insert into batches (id, seq) values (batch, s);
    return s;
  end $$`,

  // Returns a ref for each content. One that was shredded gets another ref: \`spare\`, which names a pack with this content alone.
  `create function put_contents(hashes text[], texts bytea[], spares text[]) returns text[] language plpgsql as $$
  declare found_ref text; refs text[] := '{}';
  begin
    for i in 1 .. cardinality(hashes) loop
      select ref into found_ref from contents where hash = hashes[i] and bytes is not null limit 1;
      if not found then
        insert into contents values ('inputs/' || hashes[i], hashes[i], texts[i])
          on conflict (ref) do nothing returning ref into found_ref;
        if not found then
          -- Another host may have stored it a moment ago; only a shredded one needs a ref of its own.
          select ref into found_ref from contents where hash = hashes[i] and bytes is not null limit 1;
        end if;
        if found_ref is null then
          insert into contents values (spares[i], hashes[i], texts[i]) returning ref into found_ref;
        end if;
      end if;
      refs := refs || found_ref;
      found_ref := null;
    end loop;
    return refs;
  end $$`,

  `create function shred_content(given text) returns setof text language sql as $$
    update contents set bytes = null where hash = given and bytes is not null returning ref
  $$`,

  // False if there is one already.
  `create function put_spec(task text, amended text, spec text) returns boolean language plpgsql as $$
  begin
    insert into specs values (task, amended, spec) on conflict do nothing;
    return found;
  end $$`,

  `create function keep_checkpoint(of_log text, of_size bigint, of_note text) returns void language sql as $$
    insert into checkpoints values (of_log, of_size, of_note) on conflict do nothing
  $$`,

  `create function start_process(id text) returns void language sql as $$
    insert into processes (process_id) values (id) on conflict do nothing
  $$`,

  `create function end_process(id text) returns void language sql as $$
    update processes set ended_at = clock_timestamp() where process_id = id and ended_at is null
  $$`,

  // Changes whenever a process ends.
  `create function last_end() returns text language sql as $$
    select max(ended_at)::text from processes
  $$`,

  // Extends the own lease, and ends processes that were not seen for a lease and a half. Returns which of the given processes have ended or are unknown.
  `create function keep_lease(id text, lease interval, asked text[]) returns setof text language plpgsql as $$
  begin
    update processes set seen_at = clock_timestamp(), suspected_at = null where process_id = id and ended_at is null;
    update processes set ended_at = clock_timestamp() where ended_at is null and suspected_at < clock_timestamp() - lease / 2;
    update processes set suspected_at = clock_timestamp()
      where ended_at is null and suspected_at is null and seen_at < clock_timestamp() - lease;
    -- What is needed no more: an ended process counts as ended without its row, and no host repeats an append for so long.
    delete from processes where ended_at < clock_timestamp() - interval '1 day';
    delete from batches where done_at < clock_timestamp() - interval '1 day';
    return query select other from unnest(asked) as other
      where not exists (select 1 from processes where process_id = other and ended_at is null);
  end $$`,
];
