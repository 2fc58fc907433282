// Compiles a profile to the text that sandbox-exec enforces: a pure function, so that every rule can be read in a golden file.
// The last matching rule decides, so grants come first and denials last.
import {failed, ok, type Outcome} from '../outcome.ts';
import {isWithin} from '../profile/host-paths.ts';
import {networkRules} from './network-rules.ts';
import {pathFacts, type PathFacts} from './path-facts.ts';
import type {SbplInput} from './sbpl-input.ts';
import {literal, ruleText, subpath, inexpressiblePath, type Rule} from './sbpl-text.ts';
import {sealRules} from './seal-rules.ts';
import {readingOperations, systemRules} from './system-rules.ts';

/** The problem is a text for people. */
export function buildSbpl(input: SbplInput): Outcome<string, string> {
  const facts = pathFacts(input);
  const inexpressible = inexpressiblePath(Object.values(facts).flat());
  if (inexpressible !== undefined) {
    return failed(
      `the path \`${JSON.stringify(inexpressible)}\` contains characters that a macOS sandbox profile cannot express`,
    );
  }
  const posture = input.compiled.profile.network_posture;
  const sections: readonly (readonly [string, readonly Rule[]])[] = [
    ['What every program needs.', systemRules],
    ['What is granted.', grantRules(facts)],
    [`The network: ${posture}.`, networkRules(posture, input.brokerPort)],
    ['What no grant opens.', sealRules(facts)],
  ];
  const texts = sections.map(([title, rules]) => [`; ${title}`, ...rules.map(ruleText)].join('\n'));
  return ok(`${['(version 1)\n(deny default)', ...texts].join('\n\n')}\n`);
}

function grantRules({readable, writable, temporaryFolder, workspaceRoot}: PathFacts): readonly Rule[] {
  const written = outermost([...writable, temporaryFolder]);
  const opened = outermost([...readable, ...writable, temporaryFolder]);
  const looked = new Set([...opened.flatMap(ancestors), ...ancestors(workspaceRoot), workspaceRoot]);
  return [
    // A program checks each directory on its way to a file.
    {action: 'allow', operations: ['file-read-metadata'], filters: [...looked].toSorted().map(literal)},
    {action: 'allow', operations: readingOperations, filters: opened.map(subpath)},
    {action: 'allow', operations: ['file-write*'], filters: written.map(subpath)},
  ];
}

/** Omits paths that are below another one. */
function outermost(paths: readonly string[]): readonly string[] {
  return paths.filter((path) => !paths.some((other) => other !== path && isWithin(path, other)));
}

/** The directories above a path, except the root. */
function ancestors(path: string): readonly string[] {
  const names = path.split('/').slice(1, -1);
  return names.map((_, index) => `/${names.slice(0, index + 1).join('/')}`);
}
