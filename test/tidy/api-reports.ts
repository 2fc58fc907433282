// The exports of each public entry, as a text in `docs/api` that is reviewed when it changes. `npm run api` writes it.
// A type that an entry mentions and does not export is named in it too (ae-forgotten-export).
import {CompilerState, Extractor, ExtractorConfig, ExtractorLogLevel} from '@microsoft/api-extractor';
import {existsSync, readFileSync} from 'node:fs';
import {join} from 'node:path';
import {root} from './repository.ts';

export const reportFolder: string = join(root, 'docs/api');
const published = ['schemas', 'pack-sdk', 'kernel', 'sandbox', 'host'];

export interface ApiEntry {
  /** As it is imported: `@lumenflow/kernel/node`. */
  readonly specifier: string;
  /** Name of its report in `docs/api`. */
  readonly report: string;
  /** The package's folder, absolute. */
  readonly folder: string;
  /** Its built declarations, absolute. */
  readonly declarations: string;
}

interface PackageJson {
  readonly name: string;
  readonly exports: Readonly<Record<string, string | {readonly types?: string}>>;
}

/** Every entry that has types. */
export function apiEntries(): readonly ApiEntry[] {
  return published.flatMap((name) => {
    const folder = join(root, name);
    const json = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as PackageJson;
    return Object.entries(json.exports).flatMap(([path, target]) => {
      if (typeof target === 'string' || target.types === undefined) return [];
      const specifier = path.replace('.', json.name);
      const report = `${specifier.replace('@lumenflow/', '').replaceAll('/', '-')}.api.md`;
      return [{specifier, report, folder, declarations: join(folder, target.types)}];
    });
  });
}

export interface ApiReports {
  /** The folder of the reports. */
  readonly folder: string;
  /** Where new ones are written to be compared. */
  readonly tempFolder: string;
  /** Whether stale ones are replaced. */
  readonly write: boolean;
  /** All unless given. */
  readonly entries?: readonly ApiEntry[];
}

/** Gives the names of the reports that are stale. */
export function staleReports(reports: ApiReports): readonly string[] {
  const {entries = apiEntries()} = reports;
  const missing = entries.find(({declarations}) => !existsSync(declarations));
  if (missing !== undefined) throw new Error(`${missing.specifier} is not built: npm run build`);
  const configs = entries.map((entry) => configOf(entry, reports));
  const [first] = configs;
  if (first === undefined) return [];
  const compilerState = CompilerState.create(first, {
    additionalEntryPoints: entries.map(({declarations}) => declarations),
  });
  return entries.flatMap(({report}, index) => {
    const config = configs[index] as ExtractorConfig;
    const {apiReportChanged} = Extractor.invoke(config, {
      localBuild: reports.write,
      compilerState,
      messageCallback(message) {
        message.handled = message.logLevel !== ExtractorLogLevel.Error;
      },
    });
    return apiReportChanged ? [report] : [];
  });
}

function configOf({folder, declarations, report}: ApiEntry, reports: ApiReports): ExtractorConfig {
  const silent = {default: {logLevel: ExtractorLogLevel.None}};
  const compilerOptions = {module: 'nodenext', target: 'es2023', lib: ['es2023'], types: ['node'], skipLibCheck: true};
  return ExtractorConfig.prepare({
    configObjectFullPath: undefined,
    packageJsonFullPath: join(folder, 'package.json'),
    configObject: {
      projectFolder: folder,
      mainEntryPointFilePath: declarations,
      compiler: {overrideTsconfig: {compilerOptions, files: [declarations]}},
      apiReport: {
        enabled: true,
        reportFolder: reports.folder,
        reportFileName: report,
        reportTempFolder: reports.tempFolder,
      },
      docModel: {enabled: false},
      dtsRollup: {enabled: false},
      tsdocMetadata: {enabled: false},
      messages: {
        compilerMessageReporting: silent,
        tsdocMessageReporting: silent,
        extractorMessageReporting: {
          ...silent,
          'ae-forgotten-export': {logLevel: ExtractorLogLevel.None, addToApiReportFile: true},
        },
      },
    },
  });
}
