// Number of columns for an id such as `rcp-2a70fdba-…` in tables. Commands accept the prefix.
export const shortIdLength = 12;
