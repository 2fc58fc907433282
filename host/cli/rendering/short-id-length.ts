// Columns that tables show of an id such as `rcp-2a70fdba-…`: commands take the beginning for the whole.
export const shortIdLength = 12;
