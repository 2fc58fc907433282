export {createPackStates, type PackStates} from './pack-states.ts';
