// Reads the files that `policies.include` names, so that their rules and sets count as those of workspace.yaml, each at its own position.
import {failed, ok, type Outcome, type Problem} from '@lumenflow/kernel';
import type {PolicyFile} from '@lumenflow/schemas';
import {validatePolicyFile} from '@lumenflow/schemas/validators';
import {readFile, realpath, stat} from 'node:fs/promises';
import {join} from 'node:path';
import {sha256Hex} from '../system/sha256.ts';
import {parseYamlDocument, type YamlDocument} from '../yaml/parse-yaml-document.ts';

export interface ReadPolicyFile {
  /** Relative to the workspace root. */
  readonly name: string;
  /** SHA-256 of its bytes, hex. */
  readonly hash: string;
  readonly content: PolicyFile;
  readonly locate: YamlDocument['locate'];
}

/** A longer file is not one that people wrote. */
const bytesMax = 8 * 1024 * 1024;

/** The problem is the list of all that prevents reading them. */
export async function readPolicyFiles(
  root: string,
  names: readonly string[],
  locateName: (index: number) => string,
): Promise<Outcome<readonly ReadPolicyFile[], readonly Problem[]>> {
  const read = await Promise.all(names.map((name, index) => readPolicyFile(root, name, locateName(index))));
  const problems = read.flatMap((file) => (file.ok ? [] : file.problem));
  return problems.length > 0 ? failed(problems) : ok(read.flatMap((file) => (file.ok ? [file.value] : [])));
}

async function readPolicyFile(
  root: string,
  name: string,
  where: string,
): Promise<Outcome<ReadPolicyFile, readonly Problem[]>> {
  const unreadable = (message: string, help: string): Outcome<never, readonly Problem[]> =>
    failed([{code: 'POLICY_FILE_UNREADABLE', severity: 'error', message, where, help}]);
  if (join(name) === 'workspace.yaml') {
    return unreadable(
      'workspace.yaml includes itself',
      'remove it from `include`: its own rules and sets count already',
    );
  }
  const path = join(root, name);
  try {
    // Tools cannot write the path that is named here. What a link leads to, they might.
    if ((await realpath(path)) !== join(await realpath(root), name)) {
      return unreadable(`\`${name}\` is reached through a symbolic link`, 'name the file that the link leads to');
    }
    const stats = await stat(path);
    // Opening a pipe would wait for its writer.
    if (!stats.isFile() || stats.size > bytesMax) {
      return unreadable(
        `\`${name}\` is not a file of at most ${bytesMax} bytes`,
        'name a YAML file with rules or sets',
      );
    }
    const bytes = await readFile(path);
    const text = new TextDecoder('utf-8', {fatal: true}).decode(bytes);
    const document = parseYamlDocument({text, file: name, validate: validatePolicyFile, code: 'WORKSPACE_INVALID'});
    if (document.problems.length > 0) return failed(document.problems);
    return ok({name, hash: sha256Hex(bytes), content: document.value as PolicyFile, locate: document.locate});
  } catch (error) {
    const {code} = error as NodeJS.ErrnoException;
    return unreadable(
      `\`${name}\` cannot be read: ${String(code)}`,
      'create it as a UTF-8 file that the user of this process can read, or remove it from `include`',
    );
  }
}
