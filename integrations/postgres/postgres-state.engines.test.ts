// The conformance suite of states, over a real server.
import {runStateConformance} from '@lumenflow/kernel/conformance';
import {afterAll, beforeAll, describe, test} from 'vitest';
import {openPostgresState} from './open-postgres-state.ts';
import {createPostgresServer, noServer, type PostgresServer} from './testing/create-postgres-server.ts';

let server: PostgresServer;

describe.skipIf(noServer !== undefined)('a state in PostgreSQL', () => {
  beforeAll(async () => {
    server = await createPostgresServer();
  });
  afterAll(() => server.remove());

  runStateConformance({
    async create() {
      const url = await server.createDatabase();
      return {open: (processes) => openPostgresState({url, processes, connectionsMax: 4}), remove: () => undefined};
    },
    register: (name, run) => test(name, run),
  });
});
