// Cosignatures of witnesses, for all hosts.
import type {SharedCosignatures} from '@lumenflow/kernel/node';
import type {Database} from '../connection/database.ts';

export function createCosignatureTable(database: Database): SharedCosignatures {
  return {
    location: `${database.location} cosignatures`,
    async ids(log) {
      const rows = await database.ask<{size: string; key_id: string}>({
        text: 'select size, key_id from cosignatures where log = $1 order by size, key_id',
        values: [log],
      });
      return rows.map(({size, key_id}) => ({size: Number(size), keyId: key_id}));
    },
    async read(log, {size, keyId}) {
      const [row] = await database.ask<{note: string}>({
        text: 'select note from cosignatures where log = $1 and size = $2 and key_id = $3',
        values: [log, size, keyId],
      });
      return row?.note;
    },
    async keep(log, {size, keyId}, note) {
      await database.ask({text: 'select keep_cosignature($1, $2, $3, $4)', values: [log, size, keyId, note]});
    },
  };
}
