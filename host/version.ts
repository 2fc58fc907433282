// The host's version, which must satisfy a pack's `engines.lumenflow` range. A tidy test keeps it equal to package.json's.
export const version = '0.1.0';
