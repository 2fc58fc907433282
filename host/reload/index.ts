export {reloadOnChange} from './reload-on-change.ts';
export {watchPacks} from './watch-packs.ts';
