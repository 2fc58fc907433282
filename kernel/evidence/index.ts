export {decodeBase64, encodeBase64} from './base64.ts';
export {canonicalJson} from './canonical-json.ts';
export {checkpointText, parseCheckpoint, type Checkpoint} from './checkpoint.ts';
export {decodeHex, encodeHex} from './hex.ts';
export {leafHash, MerkleTree, type CompactRange, type HashBytes} from './merkle-tree.ts';
export {isNotCanonicalError, NotCanonicalError} from './not-canonical-error.ts';
export {openNote, signNote, type NoteSigner, type NoteVerifier} from './signed-note.ts';
