// A trial inside a container: a program for Node that attempts what the container must prevent, and prints what it found.
import type {SandboxProfile} from '@lumenflow/schemas';
import {narrowestProfile} from '../profile/narrowest-profile.ts';

export interface TrialFacts {
  /** Whether a file of the host outside of all mounts could be read. */
  readonly readCanary: boolean;
  /** Directories that it wrote to. */
  readonly written: readonly string[];
  /** Network interfaces besides the loopback. */
  readonly interfaces: readonly string[];
  /** Whether a process of the host is in `/proc`. */
  readonly seesHost: boolean;
  readonly environment: readonly string[];
  /** Sets of capabilities that are not empty. */
  readonly capabilities: readonly string[];
  readonly noNewPrivileges: boolean;
  readonly isFiltered: boolean;
  /** Whether it created its own namespaces. */
  readonly unshared: boolean;
  /** Release and version. */
  readonly kernel: string;
  readonly openFilesBound: boolean;
  readonly fileSizeBound: boolean;
}

export interface TrialTargets {
  /** Of a file of the host that every user may read. */
  readonly canaryPath: string;
  /** In the command line of a process outside of the container. */
  readonly mark: string;
}

const openFiles = 100;
const fileSizeBytes = 65_536;
const megabyte = 1024 ** 2;

export function trialProfile(runtimePaths: readonly string[]): SandboxProfile {
  const limits = {
    open_files: openFiles,
    file_size_bytes: fileSizeBytes,
    memory_bytes: 512 * megabyte,
    processes: 200,
  };
  const narrowest = narrowestProfile(runtimePaths);
  return {...narrowest, env: {...narrowest.env, HOME: '/tmp/home'}, limits};
}

export function trialScript({canaryPath, mark}: TrialTargets): string {
  const [half, rest] = [mark.slice(0, 8), mark.slice(8)].map((part) => JSON.stringify(part));
  return `
const fs = require('node:fs'), os = require('node:os');
const may = (attempt) => { try { attempt(); return true; } catch { return false; } };
const read = (path) => { try { return fs.readFileSync(path, 'latin1'); } catch { return ''; } };
const status = read('/proc/self/status');
const value = (name) => (status.match(new RegExp('^' + name + ':\\\\s+(\\\\S+)$', 'm')) || [])[1] || '';
const output = (...command) => require('node:child_process').spawnSync(command[0], command.slice(1), {encoding: 'latin1'});
const sets = ['CapInh', 'CapPrm', 'CapEff', 'CapBnd', 'CapAmb'];
process.on('SIGXFSZ', () => {});
console.log(JSON.stringify({
  readCanary: may(() => fs.readFileSync(${JSON.stringify(canaryPath)})),
  written: ['/', '/usr', '/etc', '/run', '/var', '/var/tmp'].filter((path) => may(() => fs.writeFileSync(path + '/lumenflow-trial', ''))),
  interfaces: Object.entries(os.networkInterfaces()).filter(([, all]) => all.some(({internal}) => !internal)).map(([name]) => name),
  seesHost: fs.readdirSync('/proc').some((pid) => read('/proc/' + pid + '/cmdline').includes(${half} + ${rest})),
  environment: Object.keys(process.env),
  capabilities: sets.filter((name) => !/^0*$/.test(value(name))),
  // gVisor does not list it.
  noNewPrivileges: (value('NoNewPrivs') || (/no_new_privs: (\\d)/.exec(output('setpriv', '--dump').stdout) || [])[1]) === '1',
  isFiltered: value('Seccomp') === '2',
  unshared: output('unshare', '-Ur', 'true').status === 0,
  kernel: os.release() + ' ' + os.version(),
  fileSizeBound: !may(() => fs.writeFileSync('/tmp/large', Buffer.alloc(${2 * fileSizeBytes}))),
  openFilesBound: !may(() => { for (let i = 0; i < ${openFiles}; i += 1) fs.openSync('/dev/null'); }),
}));`;
}
