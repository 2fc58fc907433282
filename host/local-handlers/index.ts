export {createLocalPack, localPackId} from './create-local-pack.ts';
export {isLocalTool} from './is-local-tool.ts';
export type {LocalHandler, LocalHandlers} from './local-handler.ts';
export {refuseView} from './refuse-view.ts';
export {withLocalHandlers} from './with-local-handlers.ts';
