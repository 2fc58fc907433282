// A workspace's records in PostgreSQL.
export {openPostgresState, type PostgresStateOptions} from './open-postgres-state.ts';
export {Database, type DatabaseOptions, type Question} from './connection/database.ts';
export {grantUse, migrate, migrations, newestVersion, versionOf, type Migration} from './schema/migrate.ts';
export {importToPostgres} from './import-to-postgres.ts';
