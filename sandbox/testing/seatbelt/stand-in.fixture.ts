// Replaces sandbox-exec where it does not exist. It rejects a text that is not in the language, records its start, and runs the
// command with the evaluator inside.
import {spawn} from 'node:child_process';
import {existsSync, readFileSync, readdirSync, statSync, writeFileSync} from 'node:fs';
import {constants} from 'node:os';
import {dirname, join} from 'node:path';
import {loadSbpl} from '../sbpl/load-sbpl.fixture.ts';

const [option, profilePath = '', ...command] = process.argv.slice(2);
const folder = dirname(process.argv[1] ?? '');
const text = readFileSync(profilePath, 'utf8');
const note = {
  option,
  command,
  env: process.env,
  text,
  mode: statSync(dirname(profilePath)).mode.toString(8),
  // Beyond these, a Node process opens some descriptors itself.
  fds: readdirSync('/proc/self/fd').filter((fd) => Number(fd) <= 3),
};
writeFileSync(join(folder, 'started.json'), JSON.stringify(note));
try {
  loadSbpl(text);
  if (existsSync(join(folder, 'refuse'))) throw new Error('Operation not permitted');
} catch (error) {
  process.stderr.write(`sandbox-exec: ${error instanceof Error ? error.message : String(error)}\n`);
  process.exit(65);
}
const [program = '', ...args] = command;
const loose = existsSync(join(folder, 'loose'));
const env = {...process.env, NODE_OPTIONS: `--require=${join(folder, 'guard.cjs')}`, STAND_IN_PROFILE: profilePath};
const stdio = ['inherit', 'inherit', 'inherit', ...(note.fds.includes('3') ? (['inherit'] as const) : [])] as const;
const child = spawn(program, args, {env: loose ? process.env : env, stdio: [...stdio]});
child.on('exit', (code, signal) => process.exit(code ?? 128 + (signal === null ? 0 : constants.signals[signal])));
