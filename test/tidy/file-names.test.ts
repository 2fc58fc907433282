import {describe, expect, test} from 'vitest';
import {readPackages, readRepository} from './repository.ts';
import {findMisnamedFiles} from './rules/misnamed-files.ts';
import {isFixture, isSource, report} from './rules/source-file.ts';
import {findTwinNames} from './rules/twin-names.ts';

const findings = (path: string, text: string): readonly string[] => report(findMisnamedFiles([{path, text}]));

test('a file with one export is named after it', () => {
  const sources = readRepository().filter(
    ({path}) => isSource(path) && !isFixture(path) && /\.tsx?$/.test(path) && !path.endsWith('.test.ts'),
  );
  expect(sources.length).toBeGreaterThan(1000);
  expect(report(findMisnamedFiles(sources))).toEqual([]);
});

test.each([
  ['a function', 'kernel/hear-layers.ts', `export function matchLayers() {}`, 'matchLayers'],
  ['a value', 'host/contract.ts', `export interface Turn {}\nexport const turnTool = 'a';`, 'turnTool'],
  ['a class', 'kernel/later.ts', `export class LaterRecords {}`, 'LaterRecords'],
  ['a type that is alone', 'kernel/verdicts.ts', `export type Decision = 'allow';`, 'Decision'],
  ['a name that is exported afterwards', 'host/a.ts', `const turnTool = 'a';\nexport {turnTool};`, 'turnTool'],
  ['the plural', 'kernel/grants.ts', `export function createGrant() {}`, 'createGrant'],
  ['more words than a verb', 'kernel/spec-guard.ts', `export function createFileSpecGuard() {}`, 'createFileSpecGuard'],
  ['a word of another folder', 'host/views/feed.tsx', `export function FeedPage() {}`, 'FeedPage'],
  ['a fixture', 'kernel/reload.fixture.ts', `export function packOf() {}`, 'packOf'],
])('finds a misnamed file: %s', (_, path, text, name) => {
  expect(findings(path, text)).toEqual([`${path}:1 exports only \`${name}\`: name the file after it`]);
});

test.each([
  ['call-tool.ts', `export async function callTool() {}`],
  ['order-book.ts', `export interface OrderBook {}\nexport function openOrderBook() {}`],
  ['order-book.ts', `export function openOrderBook() {}`],
  ['state-folder.ts', `export const stateFolderOf = 1;`],
  ['finding.ts', `export interface Finding {}\nexport function worstStatus() {}`],
  ['quickjs-isolate.ts', `export function createQuickJsIsolate() {}`],
  ['tools/git/add.ts', `export const gitAdd = 1;`],
  ['pages/feed.tsx', `export function FeedPage() {}`],
  ['routes/calls.ts', `export function createCallRoutes() {}`],
  ['attacks/processes.ts', `export const processAttacks = 1;`],
  ['test-stage.fixture.ts', `export function createTestStage() {}`],
  ['event-log.conformance.ts', `export function runEventLogConformance() {}`],
  ['base64.ts', `export function encodeBase64() {}\nexport function decodeBase64() {}`],
  ['log-events.ts', `export interface Added {}\nexport interface Removed {}`],
  ['index.ts', `export {a} from './a.ts';`],
  ['main.ts', `start();`],
])('accepts %s', (path, text) => {
  expect(findings(path, text)).toEqual([]);
});

describe('names that differ by an s', () => {
  const packages = ['kernel', 'host'].map((folder) => ({
    name: folder,
    folder,
    entries: [],
    dependencies: [],
    devDependencies: [],
  }));
  const twins = (...files: readonly (readonly [path: string, text: string])[]): readonly string[] =>
    report(
      findTwinNames(
        files.map(([path, text]) => ({path, text})),
        packages,
      ),
    );

  test('no two files of a package have them', () => {
    const files = readRepository();
    const sources = files.filter(({path}) => isSource(path) && !isFixture(path));
    expect(report(findTwinNames(sources, readPackages(files)))).toEqual([]);
  });

  test('twins in other folders are found, tests and fixtures too', () => {
    expect(
      twins(
        ['kernel/rules/rule-digest.ts', 'export function ruleDigest() {}'],
        ['kernel/cache/rule-digests.ts', 'export function createRuleDigests() {}'],
        ['kernel/rules/rule-digests.test.ts', ''],
        ['kernel/rules/rule-digest.test.ts', ''],
      ),
    ).toEqual([
      'kernel/cache/rule-digests.ts:1 is named almost like kernel/rules/rule-digest.ts: name one of them by what differs',
      'kernel/rules/rule-digests.test.ts:1 is named almost like kernel/rules/rule-digest.ts: name one of them by what differs',
    ]);
  });

  test('other packages, and names that their folder completes, are not twins', () => {
    expect(
      twins(
        ['kernel/session.ts', 'export interface Session {}'],
        ['host/sessions.ts', 'export const sessions = 1;'],
        ['host/pages/task.tsx', 'export function TaskPage() {}'],
        ['host/routes/tasks.ts', 'export const taskRoutes = 1;'],
      ),
    ).toEqual([]);
  });
});
