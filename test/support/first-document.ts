// The first JSON document that a running program prints on stdout.
import type {ChildProcess} from 'node:child_process';

/** Rejects if the program ends before. */
export async function firstDocument(child: ChildProcess): Promise<Readonly<Record<string, unknown>>> {
  let text = '';
  return await new Promise((resolve, reject) => {
    child.stdout?.on('data', (chunk: string | Buffer) => {
      text += chunk.toString();
      try {
        resolve(JSON.parse(text) as Record<string, unknown>);
      } catch {
        // Not all of it came yet.
      }
    });
    child.on('close', () => reject(new Error(`the program ended: ${text}`)));
  });
}
