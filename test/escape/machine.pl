# The machine that attacks are made on: namespaces of its own, so that what an attack does to processes, network, IPC and
# mounts ends with it. It is pid 1 there; the addresses of an internet of its own lie on its loopback.
#   machine.pl UID FOLDER,… COMMAND…   UID `-` stays who it is; each folder that exists becomes an empty one for this machine
use strict;
use warnings;
use Socket;
use Config;

my ($uid, $folders, @command) = @ARGV;

sub say_why { print STDERR "machine: $_[0]\n" }

# SIOCSIFFLAGS, SIOCSIFADDR, SIOCSIFNETMASK of linux/sockios.h
socket(my $inet, AF_INET, SOCK_DGRAM, 0) or die "no socket: $!";
ioctl($inet, 0x8914, my $up = pack('a16 s x22', 'lo', 0x41)) or say_why("loopback: $!");
my $alias = 0;
for my $address (split /,/, $ENV{ESCAPE_ADDRESSES} // '') {
  my $name = 'lo:' . $alias++;
  ioctl($inet, 0x8916, my $request = pack('a16 a16 x8', $name, pack_sockaddr_in(0, inet_aton($address)))) or say_why("$address: $!");
  ioctl($inet, 0x891c, my $mask = pack('a16 a16 x8', $name, pack_sockaddr_in(0, inet_aton('255.255.255.255')))) or say_why("$address: $!");
}
if (socket(my $inet6, AF_INET6, SOCK_DGRAM, 0)) {
  for my $address (split /,/, $ENV{ESCAPE_ADDRESSES6} // '') {
    ioctl($inet6, 0x8916, my $request = pack('a16 L l', Socket::inet_pton(AF_INET6, $address), 128, 1)) or say_why("$address: $!");
  }
}
# Programs of engines remain where they are, in folders that are emptied too.
my %kept;
opendir($kept{$_}, $_) for grep { -d } split /,/, $ENV{ESCAPE_KEPT} // '';
for my $folder (grep { -d } split /,/, $folders) {
  system('mount', '-t', 'tmpfs', '-o', 'mode=1777', 'tmpfs', $folder) == 0 or say_why("$folder stays as it is");
}
for my $folder (grep { !-d } keys %kept) {
  my $source = "/proc/$$/fd/" . fileno($kept{$folder});
  system('mkdir', '-p', $folder);
  system('mount', '--no-canonicalize', '--bind', $source, $folder) == 0 or say_why("$folder is not kept");
}
closedir($_) for values %kept;
# Changes to these stay on this machine; without it what would change them is not tried.
$ENV{ESCAPE_DISPOSABLE} = 1;
if (system('mount', '-t', 'tmpfs', 'tmpfs', '/mnt') == 0) {
  for my $folder ('etc', 'usr') {
    mkdir("/mnt/$folder") && mkdir("/mnt/$folder/up") && mkdir("/mnt/$folder/work");
    my $options = "lowerdir=/$folder,upperdir=/mnt/$folder/up,workdir=/mnt/$folder/work";
    delete $ENV{ESCAPE_DISPOSABLE} if system("mount -t overlay -o $options overlay /$folder 2>/dev/null") != 0;
  }
} else {
  delete $ENV{ESCAPE_DISPOSABLE};
}

if ($ENV{ESCAPE_DISPOSABLE} && open(my $hosts, '>>', '/etc/hosts')) {
  print $hosts "1.2.3.4 listed.test evil.test\n10.11.12.13 rebind.test\n";
}

# The host's ids are higher than those that a sandbox gives its own processes: an attack on an id must not meet itself.
for (1 .. 400) {
  my $used = fork() // die "no fork: $!";
  if ($used == 0) { require POSIX; POSIX::_exit(0) }
  waitpid($used, 0);
}

my $child = fork() // die "no fork: $!";
if ($child == 0) {
  if ($uid ne '-') {
    $) = "$uid $uid"; $( = $uid; $> = $uid; $< = $uid;
    ($< == $uid && $> == $uid) or die "cannot become $uid: $!";
  }
  # A group of its own, and a descriptor that is left open to every child; Node closes the first few for its children.
  setpgrp(0, 0);
  require POSIX;
  my $left = "$ENV{ESCAPE_BASE}/left-open";
  if (open(my $new, '>', $left)) { print $new $ENV{HOST_SECRET}; close $new; open($new, '<', $left) && POSIX::dup2(fileno($new), 60) }
  # PR_CAP_AMBIENT, PR_CAP_AMBIENT_CLEAR_ALL: what an ordinary user was lent to set all this up.
  syscall($Config{archname} =~ /^x86_64/ ? 157 : 167, 47, 4, 0, 0, 0);
  exec(@command) or die "cannot start $command[0]: $!";
}
while ((my $pid = wait()) > 0) {
  exit($? >> 8 || $? & 127) if $pid == $child;
}
