// What hosts can do from version 3 of the schema on: append records only while the contents that they name are there.

export const namedRecordFunctions: readonly string[] = [
  // Returns the refs whose contents were shredded; then nothing is appended. Otherwise like append_records. A rule deletes contents under
  // the same lock, so none of them is shredded between the check and the records.
  `create function append_named_records(
    batch uuid, writer text, refs text[], bodies text[], kinds text[], receipts text[], tasks text[], sessions text[], tools text[],
    makers text[], results text[], starts timestamptz[]
  ) returns text[] language plpgsql as $$
  declare gone text[];
  begin
    perform 1 from heads where log = 'traces' for update;
    -- A repetition of what was done is done, whatever was shredded since.
    if not exists (select 1 from batches where id = batch) then
      select array_agg(ref) into gone from contents where ref = any(refs) and bytes is null and pack is null;
      if gone is not null then return gone; end if;
    end if;
    perform append_records(batch, writer, bodies, kinds, receipts, tasks, sessions, tools, makers, results, starts);
    return '{}';
  end $$`,
];
