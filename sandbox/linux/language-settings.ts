// Files in Debian's /etc that languages read at their start: PHP's list of extensions, and Java's security settings. Neither
// starts without them. No other settings are mounted: a php.ini or a password file for Java's management may contain a secret.
import {existsSync, readdirSync} from 'node:fs';
import {join} from 'node:path';

/** Absolute folders that exist here. */
export function findLanguageSettings(etc: string = '/etc'): readonly string[] {
  const java = namesIn(etc)
    .filter((name) => /^java-\d+-openjdk$/.test(name))
    .map((name) => join(etc, name, 'security'));
  const php = namesIn(join(etc, 'php')).flatMap((version) => [
    join(etc, 'php', version, 'cli/conf.d'),
    join(etc, 'php', version, 'mods-available'),
  ]);
  return [...java, ...php].filter((path) => existsSync(path));
}

function namesIn(folder: string): readonly string[] {
  return existsSync(folder) ? readdirSync(folder) : [];
}
