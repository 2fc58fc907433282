// `lumenflow serve` as a process of a rolling restart: it starts again on the port that it had.
import {firstDocument} from '../../support/first-document.ts';
import {ended, startProgram, type Ran} from '../../support/lumenflow-program.ts';

export interface ServedHost {
  /** The same after each start. */
  readonly url: string;
  /** Ends the process, if it has not ended, and returns how it ended. */
  end(signal: NodeJS.Signals): Promise<Ran>;
  startAgain(): Promise<void>;
}

export async function serveHost(cwd: string, env: Readonly<Record<string, string>>): Promise<ServedHost> {
  const start = async (port: string) => {
    const child = startProgram(['serve', '--port', port, '--json', '--rate', '0', '--log', 'json'], {cwd, env});
    const over = ended(child);
    const {url} = await firstDocument(child).catch(async (error: unknown) => {
      throw new Error(`the host did not start: ${(await over).stderr}`, {cause: error});
    });
    return {child, over, url: String(url)};
  };
  let running = await start('0');
  const {url} = running;
  return {
    url,
    async end(signal) {
      running.child.kill(signal);
      return await running.over;
    },
    async startAgain() {
      running = await start(new URL(url).port);
    },
  };
}
