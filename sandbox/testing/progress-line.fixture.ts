// What a host for tests prints on its standard error for each progress report of its handler.
export const progressLine = 'the handler reported progress\n';
