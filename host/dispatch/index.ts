export {createDispatcher, type DispatcherOptions} from './create-dispatcher.ts';
