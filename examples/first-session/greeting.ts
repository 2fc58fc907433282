// What the session's agent edits.
export const greeting = 'Hello';
