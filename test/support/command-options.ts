// Options of the suites' own commands: `--help` prints how a command is used, and what it does not know ends it with a sentence.
import {parseArgs, type ParseArgsConfig} from 'node:util';

export function commandOptions<const T extends ParseArgsConfig>(
  usage: string,
  config: T,
): ReturnType<typeof parseArgs<T>> {
  if (process.argv.includes('--help') || process.argv.includes('-h')) {
    process.stdout.write(usage);
    return process.exit(0);
  }
  try {
    return parseArgs(config);
  } catch (error) {
    process.stderr.write(`${(error as Error).message}\n\n${usage}`);
    return process.exit(2);
  }
}
