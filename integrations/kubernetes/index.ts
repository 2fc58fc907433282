// Loaded by the sandbox where a workspace names the backend `kubernetes`.
export {createBackend} from './create-backend.ts';
