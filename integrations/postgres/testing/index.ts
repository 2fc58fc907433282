// For tests that need a PostgreSQL server.
export {createPostgresServer, noServer, type PostgresServer} from './create-postgres-server.ts';
