// The host's version, which a pack's `engines.lumenflow` range is held against. A tidy test keeps it equal to package.json's.
export const version = '0.1.0';
