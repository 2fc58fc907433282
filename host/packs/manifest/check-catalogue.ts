// Checks that the names in a manifest's `catalogue` and `renamed` are those of its tools.
import {nearestName} from '@lumenflow/kernel';
import type {Catalogue, PackManifest} from '@lumenflow/schemas';

interface Report {
  add(pointer: string, code: string, message: string, help?: string): void;
}

interface Checked {
  /** Of all tools. */
  readonly names: readonly string[];
  /** Of tools that are not internal. */
  readonly callable: readonly string[];
  add(pointer: string, message: string, help: string): void;
  /** Help for the name of a tool that does not exist. */
  helpFor(name: string): string;
}

export function checkCatalogue({catalogue, renamed = {}, tools}: PackManifest, report: Report): void {
  const names = tools.map(({name}) => name);
  const checked: Checked = {
    names,
    callable: tools.flatMap(({name, internal_only: internal}) => (internal === true ? [] : [name])),
    add: (pointer, message, help) => report.add(pointer, 'PACK_MANIFEST_INVALID', message, help),
    helpFor(name) {
      const near = nearestName(name, names);
      return near === undefined ? 'name a tool of the pack' : `did you mean \`${near}\`?`;
    },
  };
  if (catalogue !== undefined) checkSets(catalogue, checked);
  for (const [former, to] of Object.entries(renamed)) checkRenamed(former, to?.tool ?? '', checked);
}

function checkSets({sets, default: standard}: Catalogue, {names, add, helpFor}: Checked): void {
  for (const [set, patterns] of Object.entries(sets)) {
    const at = `/catalogue/sets/${set}`;
    if (set === 'all' || set === 'none') add(at, `\`${set}\` already means ${set} of the tools`, 'choose another name');
    if (names.includes(set)) add(at, `the set \`${set}\` has the name of a tool`, 'choose another name');
    for (const [index, name] of (patterns ?? []).entries()) {
      if (/[*?]/u.test(name) || names.includes(name)) continue;
      add(`${at}/${index}`, `\`${name}\` is not a tool of the pack`, helpFor(name));
    }
  }
  if (standard !== 'all' && standard !== 'none' && !Object.hasOwn(sets, standard)) {
    add('/catalogue/default', `\`${standard}\` is not a set of the catalogue`, 'name one of its sets, `all` or `none`');
  }
}

function checkRenamed(former: string, tool: string, {callable, add, helpFor}: Checked): void {
  const at = `/renamed/${former}`;
  if (callable.includes(former)) add(at, `\`${former}\` is a tool of the pack`, 'name a former tool');
  if (!callable.includes(tool)) add(`${at}/tool`, `\`${tool}\` is not a public tool of the pack`, helpFor(tool));
}
