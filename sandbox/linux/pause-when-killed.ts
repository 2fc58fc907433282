/**
 * Last lines of the shell that is the first process of a container. A program that was killed may have met its limit of memory,
 * which its control group alone knows: the pause leaves the host the time to read it.
 */
export const pauseWhenKilled: readonly string[] = ['code=$?', '[ $code = 137 ] && sleep 1', 'exit $code'];
