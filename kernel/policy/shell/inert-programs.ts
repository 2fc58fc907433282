// Programs that run nothing that their words name, except by the options in runs-by-options.ts. Any other program may run what it is given.

export const inertPrograms: ReadonlySet<string> = new Set(
  // Builtins.
  (
    ': [ bg break cd continue declare dirs disown echo exit export false fg getopts jobs kill local logout popd printf pushd pwd read ' +
    'readonly return set shift shopt test times true type typeset ulimit umask unset wait ' +
    // Files and texts.
    'ack ag arch b2sum base32 base64 basename basenc bzip2 cal cat chcon chgrp chmod chown cksum cmp column comm cp csplit curl cut date ' +
    'dd df diff dig dir dircolors dirname du egrep expand expr factor fgrep file fmt fold free grep groups gunzip gzip head hexdump ' +
    'host hostid hostname id install join jq less link ln locate logname ls lsof md5sum mkdir mkfifo mknod mktemp more mv netstat nl ' +
    'nproc nslookup od paste patch pathchk pgrep ping pr printenv ps ptx readlink realpath rev rg rm rmdir seq sha1sum sha224sum ' +
    'sha256sum sha384sum sha512sum shasum shred shuf sleep sort split ss stat strings stty sum sync tac tail tee top touch tr tree ' +
    'truncate tsort tty uname unexpand uniq unlink unzip uptime users vdir wc wget whereis which who whoami xxd xz yes zcat zgrep ' +
    'zip zstd ' +
    // Those whose options and scripts are inspected.
    'apropos awk bsdtar gawk git gsed gtar man mawk nawk original-awk rsync sed tar whatis'
  ).split(' '),
);
