// The agent of the session edits this file.
export const greeting = 'Hello';
