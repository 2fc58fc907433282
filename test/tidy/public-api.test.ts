import {cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {beforeEach, expect, onTestFinished, test} from 'vitest';
import {apiEntries, reportFolder, staleReports} from './api-reports.ts';

let tempFolder: string;
beforeEach(() => {
  const temporary = mkdtempSync(join(tmpdir(), 'api-reports-'));
  onTestFinished(() => rmSync(temporary, {recursive: true}));
  tempFolder = temporary;
});

test('docs/api says what the packages export; if the change is meant: npm run api', () => {
  expect(staleReports({folder: reportFolder, tempFolder, write: false})).toEqual([]);
  const reports = apiEntries().map(({report}) => report);
  expect(readdirSync(reportFolder).toSorted()).toEqual(reports.toSorted());
});

test('an export that is not in its report is found', () => {
  const folder = join(tempFolder, 'reports');
  cpSync(reportFolder, folder, {recursive: true});
  const report = join(folder, 'pack-sdk.api.md');
  writeFileSync(report, readFileSync(report, 'utf8').replace('defineTool', 'undefineTool'));
  const entries = apiEntries().filter((entry) => entry.report === 'pack-sdk.api.md');
  expect(staleReports({folder, tempFolder, write: false, entries})).toEqual(['pack-sdk.api.md']);
});
