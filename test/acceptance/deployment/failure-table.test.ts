// The failures in docs/operations.md: each one is a text that the product prints, and is provoked by a test.
import {existsSync, readdirSync, readFileSync} from 'node:fs';
import {join} from 'node:path';
import {expect, test} from 'vitest';

const repository = join(import.meta.dirname, '../../..');
const read = (path: string): string => readFileSync(join(repository, path), 'utf8');
const [, section = ''] = read('docs/operations.md').split('\n## Failures\n');
const seen = (section.split('\n## ')[0] ?? '')
  .split('\n')
  .filter((line) => line.startsWith('| ') && !line.startsWith('| what you see'))
  .map((line) => line.split(' | ')[0]?.slice(2) ?? '');

const elsewhere = 'printed by PostgreSQL';
const several = 'integrations/postgres/several-hosts.engines.test.ts';
const reports = 'test/acceptance/cli/serve-reports.long.test.ts';
const upgrade = 'test/acceptance/upgrade/upgrade.long.test.ts';

/** By what one sees: where the text is in the sources, the test that provokes it, and what that test expects. */
const rows: readonly (readonly [seen: string, source: string, test: string, expected: string])[] = [
  ['LOG_UNAVAILABLE', 'host/http/health/readiness.ts', reports, "reasons: ['LOG_UNAVAILABLE']"],
  ['WORKSPACE_CHANGED', 'host/http/health/readiness.ts', 'host/http/health/readiness.test.ts', 'WORKSPACE_CHANGED'],
  ['DRAINING', 'host/http/health/readiness.ts', reports, 'DRAINING'],
  ['HOST_DENIED', 'host/http/requests/guard-request.ts', 'host/http/requests/guard-request.test.ts', 'HOST_DENIED'],
  ['RATE_LIMITED', 'host/http/http-app.ts', 'test/acceptance/http/doors.long.test.ts', 'RATE_LIMITED'],
  ['crashed', 'kernel/calls', 'test/acceptance/kernel/evidence/reconciliation.test.ts', 'crashed'],
  [
    'was not seen for longer than its lease',
    'integrations/postgres/schema/functions.ts',
    several,
    'was not seen for longer',
  ],
  ['is read-only', 'integrations/postgres/open-postgres-state.ts', several, 'is read-only'],
  ['the database system is starting up', elsewhere, several, 'what is under way while the server is killed'],
  ['too many clients already', elsewhere, 'integrations/postgres/connection/is-passing.test.ts', '53300'],
  ['permission denied for', elsewhere, several, "code: '42501'"],
  ['and this host knows', 'integrations/postgres/schema/migrate.ts', several, 'update the host'],
  ['and this host needs', 'integrations/postgres/schema/migrate.ts', several, 'run `lumenflow state migrate`'],
  ['signed it', 'kernel/node/signed-log/require-known-signers.ts', 'kernel/node', 'evidence.pub'],
  [
    'is not a valid record of this version',
    'kernel/node/log/log-line.ts',
    upgrade,
    'is not a valid record of this version',
  ],
  ['does not continue the chain', 'kernel/node/log', several, 'does not continue the chain'],
  ['truncated', 'kernel/node/verify', upgrade, "status: 'truncated'"],
  ['SANDBOX_UNAVAILABLE', 'host', 'test/acceptance/cli/sandbox-doctor.long.test.ts', 'SANDBOX_UNAVAILABLE'],
  ['does not accept data', 'host/cli/serving/server-reports.ts', reports, "state === 'failing'"],
  ['rejected … items', 'host/cli/serving/server-reports.ts', reports, 'rejected 1 items'],
  [
    'data for … is dropped',
    'host/cli/serving/server-reports.ts',
    'host/telemetry/delivery/delivery-queue.test.ts',
    'dropping',
  ],
  [
    'lumenflow_calls_counted',
    'host/http/call-ledger/workspace-metrics.ts',
    'host/http/health/server-metrics.test.ts',
    'lumenflow_calls_counted',
  ],
  [
    'NOTIFICATION_FAILED',
    'host/notifications/notification-error.ts',
    'test/acceptance/host/notifications.test.ts',
    'NOTIFICATION_FAILED',
  ],
  [
    'event_loop_active',
    'host/metrics/process-metrics.ts',
    'test/acceptance/operations.engines.test.ts',
    'names only metrics that exist',
  ],
];

/** Text of a file, or of all TypeScript below a folder. */
function textAt(path: string): string {
  if (path.endsWith('.ts')) return read(path);
  return readdirSync(join(repository, path), {recursive: true, encoding: 'utf8'})
    .filter((name) => name.endsWith('.ts') && !/(?:^|\/)(?:dist|node_modules)\//u.test(name))
    .map((name) => read(join(path, name)))
    .join('\n');
}

test('every row of the table has a text and a test, and every text a row', () => {
  expect(seen).toHaveLength(rows.length);
  for (const [index, [text]] of rows.entries()) expect(seen[index]).toContain(text);
});

test.each(rows)('%s is what the product prints, and a test provokes it', (text, source, provoking, expected) => {
  if (source !== elsewhere) {
    const printed = textAt(source);
    for (const part of text.split(' … ')) expect(printed, source).toContain(part);
  }
  expect(existsSync(join(repository, provoking))).toBe(true);
  expect(textAt(provoking), provoking).toContain(expected);
});
