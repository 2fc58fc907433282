// What compiling and asking rules needs of the outside: a regex engine and a clock.

/** Powers the policy is lent. */
export interface PolicyCompilerPorts {
  /** An unanchored test that runs in linear time, or what is wrong with the source. */
  compileRegex(source: string): {test(text: string): boolean} | {readonly problem: string};
  /** Milliseconds from an arbitrary point, never going back. */
  monotonic(): number;
}
