// Gives a machine that continues from a saved one what all such machines would share: its own random numbers, and the present time.
import {createSpawnExecutor} from '../../commands/create-spawn-executor.ts';
import type {HostMessage} from '../../guest/guest-messages.ts';

/** RNDRESEEDCRNG of linux/random.h, the system call clock_settime of x86-64, CLOCK_REALTIME. Node has none of them. */
const script = [
  'read(STDIN, my $seed, 64) == 64 or die "no seed";',
  'open(my $random, "+<", "/dev/urandom") or die "no random numbers: $!";',
  'syswrite($random, $seed) == 64 or die "the seed was not written: $!";',
  'ioctl($random, 0x5207, 0) or die "the random numbers stay: $!";',
  'syscall(227, 0, pack("qq", @ARGV)) == 0 or die "the clock stays: $!";',
].join(' ');

export async function renewMachine({epochMs, seed}: Extract<HostMessage, {type: 'renew'}>): Promise<void> {
  const {exitCode, stderr} = await createSpawnExecutor().run({
    command: '/usr/bin/perl',
    args: ['-e', script, String(Math.floor(epochMs / 1_000)), String((epochMs % 1_000) * 1_000_000)],
    cwd: '/',
    env: {},
    stdin: Buffer.from(seed, 'base64'),
    outputSink: {kind: 'capture', maxBytes: 4000},
  });
  if (exitCode !== 0) throw new Error(`the machine could not be renewed: ${stderr}`);
}
