export {createCodePack} from './pack/create-code-pack.ts';
export {codePackId} from './pack/code-tools.ts';
export {withCode} from './with-code.ts';
