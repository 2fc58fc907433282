// Reads the signature beside a pack's files and checks it against the workspace's requirements.
import type {Problem} from '@lumenflow/kernel';
import {readFile} from 'node:fs/promises';
import {join} from 'node:path';
import type {PackContents} from './pack-contents.ts';
import {checkSignature, signatureFile, type SignatureFinding} from './signing/pack-signature.ts';
import {signatureProblems} from './signing/signature-problems.ts';

export async function readSignature(
  {read, pin, pinPointer, files, request}: PackContents,
  integrity: string,
): Promise<{readonly signature: SignatureFinding; readonly problems: readonly Problem[]}> {
  const {id, version} = read.manifest;
  const {security, locate} = request;
  const note = await readText(join(files.root, signatureFile));
  const signature = checkSignature(note, {id, version, integrity}, security?.trusted_keys ?? []);
  return {signature, problems: signatureProblems(signature, {pin, pinPointer, security, locate})};
}

async function readText(file: string): Promise<string | undefined> {
  try {
    return await readFile(file, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}
