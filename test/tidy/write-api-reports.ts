// `npm run api`: writes the reports of the public API into docs/api, where a change of it is seen and reviewed.
import {mkdirSync, mkdtempSync, rmSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {reportFolder, staleReports} from './api-reports.ts';

mkdirSync(reportFolder, {recursive: true});
const tempFolder = mkdtempSync(join(tmpdir(), 'api-reports-'));
try {
  const written = staleReports({folder: reportFolder, tempFolder, write: true});
  process.stdout.write(written.length === 0 ? 'all reports are up to date\n' : `wrote ${written.join(', ')}\n`);
} finally {
  rmSync(tempFolder, {recursive: true});
}
